/// Completions for zsh.
enum ZshCompletion {
  static func text(_ commands: [CommandOutline]) -> String {
    """
    #compdef thrum
    # Completions of thrum for zsh: thrum completions zsh > a folder of $fpath, as _thrum
    _thrum() {
      local -a commands
      commands=(
    \(commands.map { "    " + quoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
        'help:Explain a command.'
      )
      if (( CURRENT == 2 )); then
        _describe -t commands command commands
        return
      fi
      local command=$words[2]
      shift words
      (( CURRENT-- ))
      case $command in
    \(commands.map(entry).joined(separator: "\n"))
        help) _describe -t commands command commands ;;
      esac
    }
    _thrum "$@"

    """
  }

  private static func entry(_ command: CommandOutline) -> String {
    var lines = ["    \(command.name))", "      _arguments -s -S \\"]
    for option in command.options {
      let names = [option.short.map { "-\($0)" }, "--\(option.long)"].compactMap { $0 }
      // In a specification, a bracket ends the explanation and a colon the message.
      let help = option.help.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
      for name in names {
        let exclusion = names.count > 1 ? "(\(names.joined(separator: " ")))" : ""
        lines.append("        " + quoted("\(exclusion)\(name)[\(help)]\(argument(option))") + " \\")
      }
    }
    switch command.operands {
    case .none: lines.append("        '*: : '")
    case .patternFiles: lines.append("        '*:pattern:_files -g \"*.ahap(-.) *(-/)\"'")
    case .words(let words): lines.append("        " + quoted("*:name:(\(words.joined(separator: " ")))"))
    }
    lines.append("      ;;")
    return lines.joined(separator: "\n")
  }

  private static func argument(_ option: CommandOutline.Option) -> String {
    let message = option.placeholder ?? ""
    return switch option.argument {
    case nil: ""
    case .anything: ":\(message): "
    case .file: ":\(message):_files"
    case .folder: ":\(message):_files -/"
    case .words(let words): ":\(message):(\(words.joined(separator: " ")))"
    case .wordsOrFile(let words): ":\(message):{compadd \(words.joined(separator: " ")); _files}"
    }
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}

extension String {
  /// The text with each occurrence of a piece replaced; what Foundation would do, without it.
  func replacing(_ piece: Character, with other: String) -> String {
    reduce(into: "") { if $1 == piece { $0 += other } else { $0.append($1) } }
  }
}
