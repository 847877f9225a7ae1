import ThrumPattern

/// A command of `thrum`: its settings are its properties, and its form says how they are filled.
protocol Command {
  /// The settings before any option is read.
  init()
  /// What follows the options, in order.
  var operands: [FileName] { get set }
  /// Names, options and help.
  static var form: CommandForm<Self> { get }
  /// Does the work.
  /// - Throws: ``CommandError``; nothing half done is left behind.
  func run() throws(CommandError) -> ExitCode
}

/// Everything there is to know about a command before it runs.
struct CommandForm<Settings> {
  /// The word it is called by.
  var name: String
  /// One sentence for the list of commands.
  var summary: String
  /// What stands for the operands in the usage line, such as `FILE…`.
  var operandUsage: String
  /// What the operands are, for the help; empty where there are none.
  var operandHelp: String
  /// How many operands it takes.
  var operandCount: ClosedRange<Int>
  /// What the operands are called when they are missing, such as `a FILE`.
  var operandNoun: String
  /// More to know, a paragraph each.
  var discussion: [String] = []
  /// Its options, in the order of the help; `--help` is added by itself.
  var options: [CommandOption<Settings>]
  /// Command lines that work, with what they do.
  var examples: [Example]

  /// A command line and what it does.
  struct Example {
    var line: String
    var effect: String
  }
}

/// What a process tells its caller.
enum ExitCode: Equatable {
  /// 0: done.
  case success
  /// 1: a file, a device or the work itself failed.
  case failure
  /// 2: the command line or the configuration makes no sense.
  case badUsage
  /// 128 and the number of the signal that ended the work, after silence; 130 for ctrl-C.
  case interrupted(signal: Int32)

  /// The number given to `exit`.
  var status: Int32 {
    switch self {
    case .success: 0
    case .failure: 1
    case .badUsage: 2
    case .interrupted(let signal): 128 + signal
    }
  }
}

/// Why a command did not do its work.
enum CommandError: Error, Equatable {
  /// The command line makes no sense: one sentence, exit code 2.
  case usage(String)
  /// The configuration makes no sense: a whole message that names its file and line, exit code 2.
  case configuration(String)
  /// The work failed: one to three lines, exit code 1.
  case failed(String)
  /// The work failed and everything worth saying has been said, exit code 1.
  case reported
  /// A signal asked for the end, exit code 128 and its number.
  case interrupted(signal: Int32)

  /// What is wrong, for whoever asked.
  var words: String {
    switch self {
    case .usage(let words), .configuration(let words), .failed(let words): words
    case .reported, .interrupted: "the pattern cannot be played"
    }
  }
}

/// A command whose type the list of commands need not know.
///
/// Its form is made when it is asked for: that of one command costs a start of `thrum` a fraction of what those of all do.
struct AnyCommand {
  /// The word it is called by.
  let name: String
  /// The name in its form, which is the same.
  let formName: () -> String
  /// One sentence for the list of commands.
  let summary: () -> String
  /// Its help text.
  let help: () -> String
  /// Its names and options, for what is written from them.
  let outline: () -> CommandOutline
  /// Reads the words after the command's name and does the work.
  let run: ([FileName]) throws(CommandError) -> ExitCode

  init<Body: Command>(_ name: String, _ type: Body.Type) {
    self.name = name
    formName = { Body.form.name }
    summary = { Body.form.summary }
    help = { HelpText.command(Body.form) }
    outline = { CommandOutline(Body.form) }
    run = { (words) throws(CommandError) in
      switch try ArgumentParser.parse(words, as: Body.self) {
      case .help:
        StandardOutput.write(HelpText.command(Body.form))
        return .success
      case .run(let command): return try command.run()
      }
    }
  }
}
