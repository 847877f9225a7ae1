import ThrumRealtime

extension SampleFormat {
  /// The word for the format on the command line.
  var word: String {
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
  static var deviceFormat: ValueParser { format([.s16, .s24, .s24in3, .s32, .float]) }

  /// A format that a WAV file can hold.
  static var fileFormat: ValueParser { format([.s16, .s24in3, .s32, .float]) }
}
