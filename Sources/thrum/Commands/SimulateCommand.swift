import ThrumActuator
import ThrumEngine
import ThrumJSON
import ThrumPattern
import ThrumPlot
import ThrumRealtime
import ThrumSettings

/// `thrum simulate`: what an actuator would do, without one.
struct SimulateCommand: Command {
  var operands: [FileName] = []
  var actuators: [ActuatorName] = []
  var plant: ActuatorName?
  var detune = 0.0
  var gain = 0.0
  var output: FileName?
  var type: PictureFormat?
  var scale = 3.0
  var isJSON = false

  /// More lines in one picture cannot be told apart.
  private static let mostCases = 4

  static var form: CommandForm<SimulateCommand> {
    CommandForm(
      name: "simulate", summary: "Show what an actuator would do with a pattern, by its model.",
      operandUsage: "FILE…", operandHelp: "Each FILE is an AHAP file; - is standard input.",
      operandCount: 1...4, operandNoun: "a FILE",
      discussion: [
        "Each FILE goes through the profile of each --actuator, as a device would get it, and drives the model of a mass on a "
          + "spring. What comes out is drawn with the drive: the acceleration, which is what is felt, in units of what the "
          + "rated voltage brings at resonance. Up to four cases stand in one picture.",
        "The figures: peak; rise, from a tenth of it to nine tenths; length, from the first to the last time above a tenth; "
          + "stop, from the end of the last continuous event to 20 dB less; pulse:ring, the mean square of a lone tap's "
          + "first 20 ms over that of the next 40.",
        "The model is linear and knows the resonance alone: end stops, warming and the hand that holds it are not in it.",
      ],
      options: [
        CommandOption(
          long: "actuator", short: "a", placeholder: "NAME",
          help: "A profile by its name or its file; may be given again, to compare. Default lra-175.",
          choices: ActuatorLibrary.builtInNames
        ) { (word, settings) throws(ExpectedValue) in
          if word.bytes.isEmpty { throw ExpectedValue(phrase: "the name of an actuator or a profile's file") }
          settings.actuators.append(ActuatorName(word.text))
        },
        .value(
          "on", "NAME", \.plant, .actuator,
          "The actuator that is driven; default that of each profile, and for one without a resonance that of the first "
            + "with one."),
        .value(
          "detune", "PERCENT", \.detune,
          .number(-50...50, "percent from -50 to 50, such as 2", unit: "%"),
          "How far the resonance is off what its profile says; default 0."),
        .value("gain", short: "g", "DB", \.gain, .gain, "Level, before any limiter; default 0 dB."),
        .file(
          "output", short: "o", \.output,
          "Write a picture; the name ends in .png or .svg, - is standard output."),
        .value(
          "type", short: "t", "TYPE", \.type, .pictureFormat,
          "png or svg, whatever the name; needed for -o -."),
        .value(
          "scale", short: "s", "N", \.scale,
          .number(0.5...8, "a number from 0.5 to 8"),
          "Size of a PNG, 1 being 760 pixels wide; default 3."),
        .flag("json", \.isJSON, "Write one JSON object with the figures."),
      ],
      examples: [
        .init(
          line: "thrum simulate -a lra-175 tap.ahap", effect: "Draws drive and acceleration in the terminal."),
        .init(
          line: "thrum simulate -a lra-175 -a none tap.ahap -o click.png",
          effect: "Compares the driven click with the plain one on the same actuator."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    if operands.count(where: { $0 == "-" }) > 1 { throw .usage("- can be read only once") }
    let format = try pictureFormat
    let names = actuators.isEmpty ? [ActuatorName("lra-175")] : actuators
    if operands.count * names.count > Self.mostCases {
      throw .usage(
        "files times actuators are \(operands.count * names.count) cases; \(Self.mostCases) are the most")
    }
    var profiles: [ActuatorProfile] = []
    for name in names { profiles.append(try name.profile()) }
    let plant = try plant?.profile()
    var files: [NamedPattern] = []
    for operand in operands { files.append(try NamedPattern.readOrReport(operand)) }
    var cases: [SimulationCase] = []
    for file in files {
      for profile in profiles {
        cases.append(try simulate(file, profile, plant, among: profiles))
      }
    }
    if let format, let output {
      let picture = picture(of: cases)
      try PictureFormat.write(to: output) { () throws(PlotError) in
        try picture.bytes(as: format, scale: scale)
      }
    }
    if isJSON {
      let members: [(String, JSONValue)] = [
        ("detunePercent", .number(detune)), ("cases", .array(cases.map(\.json))),
      ]
      StandardOutput.write(JSONValue.object(members).text + "\n")
    } else if output == nil {
      draw(cases)
    }
    return .success
  }

  /// The format of the picture that is asked for; nil for none.
  private var pictureFormat: PictureFormat? {
    get throws(CommandError) {
      guard let output else { return nil }
      let format = try PictureFormat.chosen(type, for: output, of: operands)
      if output == "-" && isJSON { throw .usage("--json and -o - both write to standard output; choose one") }
      return format
    }
  }

  private func simulate(
    _ file: NamedPattern, _ profile: ActuatorProfile, _ plant: ActuatorProfile?,
    among profiles: [ActuatorProfile]
  ) throws(CommandError) -> SimulationCase {
    let own =
      plant ?? (profile.resonance == nil ? profiles.first { $0.resonance != nil } : profile) ?? profile
    guard var resonance = own.resonance else {
      throw .usage(
        "the profile \(printable(own.name)) has no resonance to simulate; name an actuator that has one, such as --on lra-175"
      )
    }
    resonance.hz *= 1 + detune / 100
    return SimulationCase(file, profile: profile, plant: own, resonance: resonance, gain: gain)
  }

  // MARK: What is shown

  /// What is the same for all cases, for the head of a picture.
  private func head(_ cases: [SimulationCase]) -> [String] {
    let off = detune == 0 ? "" : ", \(detune > 0 ? "+" : "")\(NumberText.short(detune)) %"
    var plants: [String] = []
    for each in cases {
      guard let resonance = each.plant.resonance else { continue }
      let words =
        "\(each.plant.name): \(NumberText.short(resonance.hz)) Hz\(off), Q \(NumberText.short(resonance.q))"
      if !plants.contains(words) { plants.append(words) }
    }
    return ["Model of " + plants.joined(separator: "; ") + "; acceleration in units of the rated steady one"]
  }

  private func title(_ cases: [SimulationCase]) -> String {
    var files: [String] = []
    for each in cases where !files.contains(each.file.name) { files.append(each.file.name) }
    var names: [String] = []
    for each in cases where !names.contains(each.profile.name) { names.append(each.profile.name) }
    return "\(Self.list(files)) on \(Self.list(names))"
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  private func picture(of cases: [SimulationCase]) -> ResponsePicture {
    let seconds = cases.map(\.shownSeconds).max() ?? 0
    return ResponsePicture(
      title: title(cases), subtitle: head(cases),
      cases: cases.map { $0.picture(among: cases, seconds: seconds) },
      rate: Double(SimulationCase.rate), driveTitle: "drive", responseTitle: "acceleration")
  }

  private func draw(_ cases: [SimulationCase]) {
    let style = Style.output
    let seconds = cases.map(\.shownSeconds).max() ?? 0
    StandardOutput.write(style.bold(printable(title(cases))) + "\n")
    for line in head(cases) { StandardOutput.write(style.faint(printable(line)) + "\n") }
    for each in cases {
      StandardOutput.write("\n\(style.bold(printable(each.name(among: cases)))): \(each.figures)\n")
      let count = Int(seconds * each.simulation.rate)
      for (word, samples) in [
        ("drive", each.simulation.drive), ("acceleration", each.simulation.acceleration),
      ] {
        var shown = Array(samples.prefix(count))
        shown += [Float](repeating: 0, count: max(0, count - shown.count))
        StandardOutput.write("  \(word)\n")
        let lines = TerminalPlot.waveform(
          samples: shown, columns: 76, rows: 5, rate: word == "drive" ? nil : each.simulation.rate,
          characters: Bars.hasBlocks ? .braille : .blocks, isColoured: style.isColoured)
        StandardOutput.write(lines.map { $0 + "\n" }.joined())
      }
      if each.isCut { StandardOutput.write("  of its first \(SimulationCase.longestSeconds) s\n") }
    }
  }
}
