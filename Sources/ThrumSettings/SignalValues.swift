import ThrumALSA
import ThrumRealtime

extension SampleFormat {
  /// The word for the format in settings and on the command line.
  package var word: String {
    switch self {
    case .s16: "s16"
    case .s24: "s24"
    case .s24in3: "s24_3"
    case .s32: "s32"
    case .float: "float"
    }
  }
}

extension ValueParser where Value == SampleFormat {
  private static func format(_ formats: [SampleFormat]) -> ValueParser {
    ValueParser(oneOf: formats.map(\.word)) { word in
      formats.first { $0.word == word }
    }
  }

  /// A format that a device can take.
  package static var deviceFormat: ValueParser { format([.s16, .s24, .s24in3, .s32, .float]) }

  /// A format that a WAV file can hold.
  package static var fileFormat: ValueParser { format([.s16, .s24in3, .s32, .float]) }
}

extension ValueParser where Value == Int {
  /// One of the rates that there is a resampling kernel for.
  package static var rate: ValueParser {
    let rates = ALSARequest.rates.sorted()
    return ValueParser(oneOf: rates.map { String($0) }) { word in rates.first { String($0) == word } }
  }

  /// What sounds take at most.
  package static var soundMemory: ValueParser { .whole(1...65_536, "millions of bytes") }
}

extension ValueParser where Value == Double {
  /// A level in decibels.
  package static var gain: ValueParser {
    number(-120...40, "decibels from -120 to 40, such as -6", unit: "dB")
  }

  /// Milliseconds that a device may hold beyond its buffer.
  package static var delayLimit: ValueParser {
    number(0...10_000, "milliseconds from 0 to 10000, such as 500", unit: "ms")
  }

  /// Milliseconds by which sound comes later.
  package static var soundOffset: ValueParser {
    number(-1000...1000, "milliseconds from -1000 to 1000, such as -20", unit: "ms")
  }
}
