/// Completions for bash, which need no other package.
enum BashCompletion {
  static func text(_ commands: [CommandOutline]) -> String {
    """
    # Completions of thrum for bash: source <(thrum completions bash)
    _thrum() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
      COMPREPLY=()
      if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W '\((commands.map(\.name) + ["help", "--help", "--version"]).joined(separator: " "))' -- "$word"))
        return
      fi
      case $command in
    \(commands.map(entry).joined(separator: "\n"))
        help) COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$word")) ;;
      esac
    }
    # Names with spaces are quoted, and folders go on.
    _thrum_files() {
      compopt -o filenames 2>/dev/null
      local name
      while IFS= read -r name; do
        if [ -d "$name" ] || [ -z "$1" ] || [[ $name == *.$1 ]]; then COMPREPLY+=("$name"); fi
      done < <(compgen -f -- "$word")
    }
    complete -F _thrum thrum

    """
  }

  private static func entry(_ command: CommandOutline) -> String {
    var lines = ["    \(command.name))", "      case $before in"]
    for option in command.options {
      guard let argument = option.argument else { continue }
      let names = [option.short.map { "-\($0)" }, "--\(option.long)"].compactMap { $0 }.joined(
        separator: " | ")
      let action =
        switch argument {
        case .anything: "return"
        case .file: "_thrum_files ''; return"
        case .folder: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$word\")); return"
        case .words(let words):
          "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")); return"
        case .wordsOrFile(let words):
          "_thrum_files json; COMPREPLY+=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")); return"
        }
      lines.append("        \(names)) \(action) ;;")
    }
    lines.append("      esac")
    let options = command.options.map { "--\($0.long)" }.joined(separator: " ")
    lines.append(
      "      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '\(options)' -- \"$word\")); return; fi")
    switch command.operands {
    case .none: break
    case .patternFiles: lines.append("      _thrum_files ahap")
    case .words(let words):
      lines.append("      COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))")
    }
    lines.append("      ;;")
    return lines.joined(separator: "\n")
  }
}
