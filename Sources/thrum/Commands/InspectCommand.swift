import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// `thrum inspect`: what a pattern is made of, and how strong it is.
struct InspectCommand: Command {
  var operands: [FileName] = []
  var isJSON = false
  var actuator = ActuatorName.none

  static var form: CommandForm<InspectCommand> {
    CommandForm(
      name: "inspect", summary: "Show a pattern's timeline, its length and its level.",
      operandUsage: "FILE",
      operandHelp:
        "FILE is an AHAP file; - is standard input. Of an actuator's profile, by its file, everything is shown that "
        + "follows from it.",
      operandCount: 1...1, operandNoun: "a FILE",
      discussion: [
        "Values in brackets are defaults that the file does not give. Levels are those of the rendered signal, "
          + "relative to full scale; of one longer than ten minutes, of the first ten."
      ],
      options: [
        .value(
          "actuator", short: "a", "NAME", \.actuator, .actuator,
          "Measure the level behind this actuator's profile, by its name or its file, as for play; default none."
        ),
        .flag("json", \.isJSON, "Write one JSON object."),
      ],
      examples: [
        .init(line: "thrum inspect patterns/heartbeat.ahap", effect: "Shows its events, curves and level.")
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    if operands[0] != "-", !operands[0].text.hasSuffix(".ahap"), ActuatorLibrary.isProfile(operands[0].text) {
      let profile = try ActuatorName(
        ActuatorLibrary.isPath(operands[0].text) ? operands[0].text : "./" + operands[0].text
      ).profile()
      StandardOutput.write(
        isJSON ? ProfileReport.json(profile).text + "\n" : ProfileReport.text(profile, Style.output))
      return .success
    }
    let profile = try actuator.profile().busProfile
    let file = try NamedPattern.readOrReport(operands[0])
    let level = LevelTrack(of: file.pattern, profile: profile)
    if isJSON {
      PatternReport.json(file, level).write { StandardOutput.write($0) }
      StandardOutput.write("\n")
    } else {
      PatternReport.write(file, level, Style.output, blocks: Bars.hasBlocks) { StandardOutput.write($0) }
    }
    return .success
  }
}
