import ThrumJSON

/// Reads one kind of value from a word of the command line, of the environment or of the configuration file.
///
/// The phrase that says what would be right is part of it, so that every mistake is told in the same words.
package struct ValueParser<Value> {
  /// What would be right, to follow "takes", such as `one of s16, s32`.
  package let expectation: String
  /// The words that are right, where they can be counted.
  package let choices: [String]
  /// Reads a word, nil where it is not right.
  package let parse: (String) -> Value?

  package init(_ expectation: String, choices: [String] = [], parse: @escaping (String) -> Value?) {
    self.expectation = expectation
    self.choices = choices
    self.parse = parse
  }

  /// One of some words.
  package init(oneOf choices: [String], parse: @escaping (String) -> Value?) {
    self.init("one of \(choices.joined(separator: ", "))", choices: choices, parse: parse)
  }
}

extension ValueParser where Value == String {
  /// Any word that is not empty.
  package static func text(_ expectation: String) -> ValueParser {
    ValueParser(expectation) { $0.isEmpty ? nil : $0 }
  }
}

extension ValueParser where Value == Int {
  /// A whole number within a range.
  package static func whole(_ range: ClosedRange<Int>, _ noun: String) -> ValueParser {
    ValueParser("\(noun) from \(range.lowerBound) to \(range.upperBound)") { word in
      guard isPlainNumber(word), let number = Int(word), range.contains(number) else { return nil }
      return number
    }
  }
}

extension ValueParser where Value == Double {
  /// A number within a range, with or without its unit.
  package static func number(
    _ range: ClosedRange<Double>, _ expectation: String, unit: String = ""
  ) -> ValueParser {
    ValueParser(expectation) { word in
      let number = !unit.isEmpty && word.hasSuffix(unit) ? String(word.dropLast(unit.count)) : word
      guard let value = decimal(number), range.contains(value) else { return nil }
      return value
    }
  }
}

/// Whether a word is digits with at most a sign before them.
func isPlainNumber(_ word: String) -> Bool {
  let digits = word.utf8.first == UInt8(ascii: "-") ? word.utf8.dropFirst() : word.utf8[...]
  return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
