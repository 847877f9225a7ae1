import ThrumJSON
import ThrumPattern

/// Every command, in the order of the help.
var commandList: [AnyCommand] {
  [
    AnyCommand("play", PlayCommand.self), AnyCommand("feedback", FeedbackCommand.self),
    AnyCommand("render", RenderCommand.self), AnyCommand("check", CheckCommand.self),
    AnyCommand("inspect", InspectCommand.self), AnyCommand("plot", PlotCommand.self),
    AnyCommand("simulate", SimulateCommand.self),
    AnyCommand("devices", DevicesCommand.self), AnyCommand("latency", LatencyCommand.self),
    AnyCommand("calibrate", CalibrateCommand.self),
    AnyCommand("serve", ServeCommand.self), AnyCommand("completions", CompletionsCommand.self),
  ]
}

/// Runs `thrum` with the words after its name.
func runThrum(_ words: [FileName]) -> ExitCode {
  guard let first = words.first else {
    StandardError.write(HelpText.root(commandList))
    return .badUsage
  }
  switch first {
  case "-h", "--help":
    StandardOutput.write(HelpText.root(commandList))
    return .success
  case "--version":
    StandardOutput.write("thrum \(version)\n")
    return .success
  case "help":
    return runHelp(Array(words.dropFirst()))
  default:
    guard let command = commandList.first(where: { $0.name == first.text }) else {
      return refuse(command: first.text)
    }
    return run(command, Array(words.dropFirst()))
  }
}

private func runHelp(_ words: [FileName]) -> ExitCode {
  guard let name = words.first, name != "help" else {
    StandardOutput.write(HelpText.root(commandList))
    return .success
  }
  guard let command = commandList.first(where: { $0.name == name.text }) else {
    return refuse(command: name.text)
  }
  StandardOutput.write(command.help())
  return .success
}

private func run(_ command: AnyCommand, _ words: [FileName]) -> ExitCode {
  do throws(CommandError) {
    return try command.run(words)
  } catch {
    switch error {
    case .usage(let sentence):
      StandardError.note(command.name, "\(sentence)\n\"thrum \(command.name) --help\" lists what it takes.")
      return .badUsage
    case .configuration(let message):
      StandardError.write(message + "\n")
      return .badUsage
    case .failed(let message):
      StandardError.note(command.name, message)
      return .failure
    case .reported: return .failure
    case .interrupted(let signal): return .interrupted(signal: signal)
    }
  }
}

private func refuse(command name: String) -> ExitCode {
  let kind = name.hasPrefix("-") ? "option" : "command"
  let names = name.hasPrefix("-") ? ["--help", "--version"] : commandList.map(\.name) + ["help"]
  let nearest = NearestName.find(name, in: names)
  let advice = nearest.map { "; did you mean \($0)?" } ?? ""
  let shown = kind == "option" ? printable(name) : "\"\(printable(name))\""
  StandardError.write("thrum: unknown \(kind) \(shown)\(advice)\n\"thrum --help\" lists the commands.\n")
  return .badUsage
}
