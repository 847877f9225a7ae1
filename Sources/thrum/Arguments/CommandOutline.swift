import ThrumFeedback

/// A command's form without the type of its settings: what help for shells and the manual page are written from.
struct CommandOutline {
  /// An option's names and what it takes.
  struct Option {
    var long: String
    var short: Character?
    /// Nil for a flag.
    var placeholder: String?
    var help: String
    /// The arguments it takes, where they can be counted.
    var choices: [String] = []
  }

  var name: String
  var summary: String
  var operandUsage: String
  var operandHelp: String
  var discussion: [String]
  /// `--help` is the last of them.
  var options: [Option]
  var examples: [(line: String, effect: String)]

  init<Settings>(_ form: CommandForm<Settings>) {
    name = form.name
    summary = form.summary
    operandUsage = form.operandUsage
    operandHelp = form.operandHelp
    discussion = form.discussion
    options = form.options.map {
      Option(long: $0.long, short: $0.short, placeholder: $0.placeholder, help: $0.help, choices: $0.choices)
    }
    options.append(Option(long: "help", short: "h", help: "Show this help."))
    examples = form.examples.map { ($0.line, $0.effect) }
  }

  /// What the operands are, for who completes them.
  enum Operands: Equatable {
    case none
    case patternFiles
    case words([String])
  }

  /// What the operands are.
  var operands: Operands {
    if name == "feedback" { return .words(PresetLibrary.presetNames.map(\.text)) }
    if name == "completions" { return .words(CompletionsCommand.Kind.allCases.map(\.rawValue)) }
    return operandUsage.contains("FILE") ? .patternFiles : .none
  }
}

extension CommandOutline.Option {
  /// What an argument is, for who completes it.
  enum Argument: Equatable {
    case anything
    case file
    case folder
    case words([String])
    /// One of some words, or a file.
    case wordsOrFile([String])
  }

  /// What its argument is; nil for a flag.
  var argument: Argument? {
    guard let placeholder else { return nil }
    if long == "actuator" || long == "on" { return .wordsOrFile(choices) }
    if !choices.isEmpty { return .words(choices) }
    if long == "device" || long == "audio-device" { return .words(["default", "virtual"]) }
    if placeholder.contains("FOLDER") { return .folder }
    return placeholder.contains("FILE") || placeholder.contains("OUT") ? .file : .anything
  }
}
