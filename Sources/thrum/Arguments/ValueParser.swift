import ThrumALSA
import ThrumJSON

/// Reads one kind of value from a word of the command line or of the configuration.
///
/// The phrase that says what would be right is part of it, so that every mistake is told in the same words.
struct ValueParser<Value> {
  /// What would be right, to follow "takes", such as `one of s16, s32`.
  let expectation: String
  /// The words that are right, where they can be counted.
  let choices: [String]
  /// Reads a word, nil where it is not right.
  let parse: (String) -> Value?

  init(_ expectation: String, choices: [String] = [], parse: @escaping (String) -> Value?) {
    self.expectation = expectation
    self.choices = choices
    self.parse = parse
  }

  /// One of some words.
  init(oneOf choices: [String], parse: @escaping (String) -> Value?) {
    self.init("one of \(choices.joined(separator: ", "))", choices: choices, parse: parse)
  }
}

extension ValueParser where Value == String {
  /// Any word that is not empty.
  static func text(_ expectation: String) -> ValueParser {
    ValueParser(expectation) { $0.isEmpty ? nil : $0 }
  }
}

extension ValueParser where Value == Int {
  /// A whole number within a range.
  static func whole(_ range: ClosedRange<Int>, _ noun: String) -> ValueParser {
    ValueParser("\(noun) from \(range.lowerBound) to \(range.upperBound)") { word in
      guard isPlainNumber(word), let number = Int(word), range.contains(number) else { return nil }
      return number
    }
  }

  /// One of the rates that there is a resampling kernel for.
  static var rate: ValueParser {
    ValueParser(oneOf: supportedRates.map { String($0) }) { word in
      supportedRates.first { String($0) == word }
    }
  }
}

/// Device rates, frames a second, that there is a resampling kernel for; the first needs none.
let supportedRates = [8000, 16000, 32000, 44100, 48000, 96000]

extension ValueParser where Value == Double {
  /// A number within a range, with or without its unit.
  static func number(
    _ range: ClosedRange<Double>, _ expectation: String, unit: String = ""
  ) -> ValueParser {
    ValueParser(expectation) { word in
      let number = !unit.isEmpty && word.hasSuffix(unit) ? String(word.dropLast(unit.count)) : word
      guard let value = decimal(number), range.contains(value) else { return nil }
      return value
    }
  }

  /// A level in decibels.
  static var gain: ValueParser { number(-120...40, "decibels from -120 to 40, such as -6", unit: "dB") }

  /// Milliseconds that a device may hold beyond its buffer.
  static var delayLimit: ValueParser {
    number(0...10_000, "milliseconds from 0 to 10000, such as 500", unit: "ms")
  }
}

/// The time between two wake-ups of a device, as a person gives it.
enum Period: Equatable {
  case milliseconds(Double)
  case frames(Int)

  /// The same, as ALSA is asked for it.
  var request: ALSARequest.Period {
    switch self {
    case .milliseconds(let duration): .seconds(duration / 1000)
    case .frames(let count): .frames(count)
    }
  }

  /// The period in frames of a device rate.
  func frames(at rate: Int) -> Int { request.frames(at: rate) }

  /// Looks whether it is 1 to 1000 ms at a device rate.
  /// - Throws: `CommandError.usage` with the nearest that is.
  func check(at rate: Int) throws(CommandError) {
    let frames = frames(at: rate)
    let least = ALSARequest.Period.leastFrames(at: rate)
    if frames < least {
      throw .usage(
        "a period of \(frames) frames at \(rate) Hz is shorter than 1 ms; the smallest is \(least) frames")
    }
    if frames > rate {
      throw .usage(
        "a period of \(frames) frames at \(rate) Hz is longer than 1000 ms; the largest is \(rate) frames")
    }
  }
}

extension ValueParser where Value == Period {
  /// Milliseconds, or frames with an `f` after the number.
  static var period: ValueParser {
    ValueParser("milliseconds from 1 to 1000, such as 5, or frames, such as 48f") { word in
      if word.hasSuffix("f") {
        let number = String(word.dropLast())
        guard isPlainNumber(number), let count = Int(number), (1...96_000).contains(count) else {
          return nil
        }
        return .frames(count)
      }
      guard let duration = decimal(word.hasSuffix("ms") ? String(word.dropLast(2)) : word),
        (1...1000).contains(duration)
      else { return nil }
      return .milliseconds(duration)
    }
  }
}

/// Whether a word is digits with at most a sign before them.
private func isPlainNumber(_ word: String) -> Bool {
  let digits = word.utf8.first == UInt8(ascii: "-") ? word.utf8.dropFirst() : word.utf8[...]
  return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
