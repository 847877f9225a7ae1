import ThrumPattern
import ThrumSettings

/// One option of a command: its names, its place in the help, and where its value goes.
///
/// Parsing, help, the documentation's check and every error message read this same value.
struct CommandOption<Settings> {
  /// The name after two dashes.
  let long: String
  /// The letter after one dash, nil where there is none.
  let short: Character?
  /// What stands for the argument in the help, nil for a flag.
  let placeholder: String?
  /// What it does, for the help.
  let help: String
  /// The arguments it takes, where they can be counted.
  var choices: [String] = []
  /// Stores an argument (the empty word for a flag), or says what would be right.
  let store: (FileName, inout Settings) throws(ExpectedValue) -> Void

  /// An option that is there or is not.
  static func flag(
    _ long: String, short: Character? = nil, _ path: WritableKeyPath<Settings, Bool>, _ help: String
  ) -> CommandOption {
    CommandOption(long: long, short: short, placeholder: nil, help: help) { _, settings in
      settings[keyPath: path] = true
    }
  }

  /// An option with an argument that has a default.
  static func value<Value>(
    _ long: String, short: Character? = nil, _ placeholder: String,
    _ path: WritableKeyPath<Settings, Value>, _ parser: ValueParser<Value>, _ help: String
  ) -> CommandOption {
    CommandOption(long: long, short: short, placeholder: placeholder, help: help, choices: parser.choices) {
      (word, settings) throws(ExpectedValue) in
      guard let value = parser.parse(word.text) else { throw ExpectedValue(phrase: parser.expectation) }
      settings[keyPath: path] = value
    }
  }

  /// An option with an argument that may be left open.
  static func value<Value>(
    _ long: String, short: Character? = nil, _ placeholder: String,
    _ path: WritableKeyPath<Settings, Value?>, _ parser: ValueParser<Value>, _ help: String
  ) -> CommandOption {
    CommandOption(long: long, short: short, placeholder: placeholder, help: help, choices: parser.choices) {
      (word, settings) throws(ExpectedValue) in
      guard let value = parser.parse(word.text) else { throw ExpectedValue(phrase: parser.expectation) }
      settings[keyPath: path] = value
    }
  }

  /// An option with the name of a file, which need not be text.
  static func file(
    _ long: String, short: Character? = nil, _ path: WritableKeyPath<Settings, FileName?>, _ help: String
  ) -> CommandOption {
    name(long, short, "FILE", path, help)
  }

  /// An option with the name of a folder, which need not be text.
  static func folder(
    _ long: String, _ path: WritableKeyPath<Settings, FileName?>, _ help: String
  ) -> CommandOption {
    name(long, nil, "FOLDER", path, help)
  }

  private static func name(
    _ long: String, _ short: Character?, _ placeholder: String,
    _ path: WritableKeyPath<Settings, FileName?>, _ help: String
  ) -> CommandOption {
    CommandOption(long: long, short: short, placeholder: placeholder, help: help) {
      (word, settings) throws(ExpectedValue) in
      if word.bytes.isEmpty { throw ExpectedValue(phrase: "the name of a \(placeholder.lowercased())") }
      settings[keyPath: path] = word
    }
  }
}

/// A word that is not a value; the phrase says what would be right and follows "takes".
struct ExpectedValue: Error {
  let phrase: String
}
