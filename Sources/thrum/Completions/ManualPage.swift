/// The manual page, `thrum.1`, in the `man` macros of roff.
enum ManualPage {
  static func text(_ commands: [CommandOutline]) -> String {
    var lines = [
      ".TH THRUM 1 \"\" \"thrum \(version)\" \"User Commands\"",
      ".SH NAME", "thrum \\- play, render and measure haptic patterns",
      ".SH SYNOPSIS", ".B thrum", ".I COMMAND", "[\\fIOPTION\\fR...] [\\fIFILE\\fR...]",
      ".SH DESCRIPTION",
      roff(
        "Plays Core Haptics patterns (AHAP files) on Linux, rendered at audio rate, on a sound card with an actuator, or on the "
          + "virtual actuator where there is none."),
      ".SH COMMANDS",
    ]
    for command in commands { lines += section(command) }
    lines += [".SH EXIT STATUS"]
    for (code, meaning) in exits { lines += [".TP", ".B \(code)", roff(meaning)] }
    lines += [".SH ENVIRONMENT"]
    for (name, meaning) in environment { lines += [".TP", ".B \(name)", roff(meaning)] }
    lines += [".SH FILES", ".TP", ".I ~/.config/thrum/config", roff(configuration)]
    lines += [".SH EXAMPLES"]
    for example in commands.flatMap(\.examples) {
      lines += [".TP", ".B \(roff(example.line))", roff(example.effect)]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let exits = [
    ("0", "All was done."), ("1", "A file, a device or the work itself failed."),
    ("2", "The command line or the configuration makes no sense."),
    ("130", "Ended by ctrl-C, after a clean silence."),
  ]
  private static let environment = [
    ("THRUM_DEVICE", "The device to play on, where --device is not given."),
    ("THRUM_ACTUATOR", "The actuator to play for, where --actuator is not given."),
    ("XDG_CONFIG_HOME", "Where the configuration is, in place of ~/.config."),
    ("NO_COLOR", "If it is not empty, nothing is coloured."),
  ]
  private static let configuration =
    "One setting a line, as KEY = VALUE: device, channels, actuator, rate, format, period, gain and others. The command line is "
    + "stronger."

  private static func section(_ command: CommandOutline) -> [String] {
    let operands = command.operandUsage.isEmpty ? "" : " \(command.operandUsage)"
    var lines = [".SS \(roff("thrum \(command.name) [OPTION…]\(operands)"))", roff(command.summary)]
    let paragraphs = command.discussion + (command.operandHelp.isEmpty ? [] : [command.operandHelp])
    for paragraph in paragraphs { lines += [".PP", roff(paragraph)] }
    for option in command.options {
      let names = [option.short.map { "-\($0)" }, "--\(option.long)"].compactMap { $0 }
      let argument = option.placeholder.map { " \\fI\(roff($0))\\fR" } ?? ""
      lines += [
        ".TP", names.map { "\\fB\(roff($0))\\fR" }.joined(separator: ", ") + argument, roff(option.help),
      ]
    }
    return lines
  }

  /// Text as roff takes it: hyphens that can be copied, no escapes, and no line that begins like a request.
  private static func roff(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
      .replacing("−", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
  }
}
