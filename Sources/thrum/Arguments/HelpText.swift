/// Help texts, made from the option tables.
enum HelpText {
  /// The widest line, columns.
  private static let width = 80
  /// The widest name column; a longer name has its help on the next line.
  private static let nameColumn = 24

  /// The help of `thrum` itself.
  static func root(_ commands: [AnyCommand]) -> String {
    let column = max("    --version".count, commands.map(\.name.count).max() ?? 0) + 2
    var lines = wrap("Plays Core Haptics patterns (AHAP files) on Linux, rendered at audio rate.", indent: 0)
    lines += ["", "Usage: thrum COMMAND [OPTION…] [FILE…]", "", "Commands:"]
    for command in commands { lines += entry(command.name, command.summary(), column: column) }
    lines += ["", "Options:"]
    lines += entry("-h, --help", "Show this help, or a command's after its name.", column: column)
    lines += entry("    --version", "Show the version.", column: column)
    lines += ["", "Example:", "  thrum play patterns/heartbeat.ahap", ""]
    lines += ["\"thrum help COMMAND\" explains a command."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of a command.
  static func command<Settings>(_ form: CommandForm<Settings>) -> String {
    var lines = wrap(form.summary, indent: 0)
    let operands = form.operandUsage.isEmpty ? "" : " \(form.operandUsage)"
    lines += ["", "Usage: thrum \(form.name) [OPTION…]\(operands)"]
    for paragraph in form.discussion { lines += [""] + wrap(paragraph, indent: 0) }
    if !form.operandHelp.isEmpty {
      lines += [""] + wrap(form.operandHelp, indent: 0)
    }
    lines += ["", "Options:"]
    for option in form.options {
      let short = option.short.map { "-\($0), " } ?? "    "
      let argument = option.placeholder.map { " \($0)" } ?? ""
      lines += entry("\(short)--\(option.long)\(argument)", option.help, column: nameColumn)
    }
    lines += entry("-h, --help", "Show this help.", column: nameColumn)
    lines += ["", form.examples.count == 1 ? "Example:" : "Examples:"]
    for example in form.examples {
      lines += ["  \(example.line)"] + wrap(example.effect, indent: 6)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ name: String, _ help: String, column: Int) -> [String] {
    let start = column + 2
    var lines = wrap(help, indent: start)
    if name.count + 2 <= column {
      let gap = String(repeating: " ", count: column - name.count)
      lines[0] = "  \(name)\(gap)\(lines[0].dropFirst(start))"
    } else {
      lines.insert("  \(name)", at: 0)
    }
    return lines
  }

  /// Breaks a paragraph into lines of at most ``width`` columns.
  private static func wrap(_ text: String, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
      }
      line += line.count > indent ? " \(word)" : "\(word)"
    }
    return lines + [line]
  }
}
