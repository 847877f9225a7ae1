/// Completions for fish.
enum FishCompletion {
  static func text(_ commands: [CommandOutline]) -> String {
    var lines = [
      "# Completions of thrum for fish: thrum completions fish > ~/.config/fish/completions/thrum.fish",
      "complete -c thrum -f",
      "complete -c thrum -n __fish_use_subcommand -l version -d 'Show the version.'",
      "complete -c thrum -n __fish_use_subcommand -s h -l help -d 'Show the help.'",
      "complete -c thrum -n __fish_use_subcommand -a help -d 'Explain a command.'",
    ]
    for command in commands {
      lines.append(
        "complete -c thrum -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
      let condition = "complete -c thrum -n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.options {
        let short = option.short.map { " -s \($0)" } ?? ""
        lines.append("\(condition)\(short) -l \(option.long)\(argument(option)) -d \(quoted(option.help))")
      }
      switch command.operands {
      case .none: break
      case .patternFiles: lines.append("\(condition) -k -a '(__fish_complete_suffix .ahap)'")
      case .words(let words): lines.append("\(condition) -a \(quoted(words.joined(separator: " ")))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func argument(_ option: CommandOutline.Option) -> String {
    switch option.argument {
    case nil: ""
    case .anything: " -x"
    case .file: " -r -F"
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
    case .wordsOrFile(let words): " -r -F -a \(quoted(words.joined(separator: " ")))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
