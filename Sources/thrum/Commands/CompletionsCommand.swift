import ThrumPattern

/// `thrum completions`: what a shell completes, and the manual page.
struct CompletionsCommand: Command {
  /// What can be written.
  enum Kind: String, CaseIterable {
    case bash, zsh, fish, man
  }

  var operands: [FileName] = []

  static var form: CommandForm<CompletionsCommand> {
    CommandForm(
      name: "completions", summary: "Write completions for a shell, or the manual page.",
      operandUsage: "bash|zsh|fish|man",
      operandHelp: "All are written from the same tables as the help, to standard output.",
      operandCount: 1...1, operandNoun: "one of bash, zsh, fish, man", options: [],
      examples: [
        .init(line: "source <(thrum completions bash)", effect: "Completes in this shell."),
        .init(
          line: "thrum completions fish > ~/.config/fish/completions/thrum.fish",
          effect: "Completes in every fish to come."),
        .init(line: "thrum completions man | man -l -", effect: "Shows the manual page."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    guard let kind = operands.first.flatMap({ Kind(rawValue: $0.text) }) else {
      throw .usage("completions takes bash, zsh, fish or man, not \"\(operands[0])\"")
    }
    let commands = commandList.map { $0.outline() }
    let text =
      switch kind {
      case .bash: BashCompletion.text(commands)
      case .zsh: ZshCompletion.text(commands)
      case .fish: FishCompletion.text(commands)
      case .man: ManualPage.text(commands)
      }
    StandardOutput.write(text)
    return .success
  }
}
