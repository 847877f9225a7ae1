import Glibc
import ThrumALSA
import ThrumDesktop
import ThrumEngine
import ThrumFeedback
import ThrumJSON
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// `thrum feedback`: a feedback by its name, as a program asks for it.
struct FeedbackCommand: Command, ActuatorSettings {
  var operands: [FileName] = []
  var isList = false
  var isSettings = false
  var weight: FeedbackWeight?
  var intensity = 1.0
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: ALSARequest.Period?
  var channels: ChannelChoice?
  var gain: Double?
  var actuator: ActuatorName?
  var isJSON = false
  var isVerbose = false

  static var form: CommandForm<FeedbackCommand> {
    CommandForm(
      name: "feedback", summary: "Play a feedback by its name, such as success.",
      operandUsage: "NAME",
      operandHelp:
        "NAME is that of a preset or of a file in the folder of feedbacks; --list tells all. impact is "
        + "the impact of the --weight, a light one without it.",
      operandCount: 0...1, operandNoun: "a NAME",
      discussion: [
        "What the user has settled is respected (docs/feedback.md): where that means that nothing plays, the "
          + "reason is on standard error and the exit code is 0."
      ],
      options: [
        .flag("list", short: "l", \.isList, "List the feedbacks there are instead."),
        .flag("settings", \.isSettings, "Tell what is settled, and where, instead."),
        .value(
          "weight", short: "w", "WEIGHT", \.weight, .feedbackWeight,
          "Of an impact: light, medium, heavy, soft, solid or rigid."),
        .value(
          "intensity", short: "i", "N", \.intensity, .intensity,
          "How strong, 0 to 1; default 1, as the preset is."
        ),
      ] + CommandOption.actuatorOptions + [
        .flag("json", \.isJSON, "Log every event as play does; with --list or --settings one JSON object."),
        .flag(
          "verbose", short: "v", \.isVerbose, "Show the device, its scheduling and ALSA's own diagnostics."),
      ],
      examples: [
        .init(line: "thrum feedback success", effect: "Plays two light pulses, the second rising."),
        .init(
          line: "thrum feedback impact --weight heavy -i 0.5",
          effect: "Plays a heavy impact at half strength."),
        .init(
          line: "make && thrum feedback success || thrum feedback error",
          effect: "Tells the hand how it went."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    if isList, isSettings { throw .usage("--list and --settings are one at a time") }
    if isList || isSettings, let name = operands.first {
      throw .usage("\(isList ? "--list" : "--settings") takes no NAME, but was given \"\(name)\"")
    }
    let configuration = try Configuration.load()
    let settled = try SettledFeedback.read()
    if isSettings {
      StandardOutput.write(isJSON ? settled.json.text + "\n" : settled.lines)
      return .success
    }
    var policy = FeedbackPolicy(settings: settled.reading.settings)
    if isList {
      list(policy.settings.folder)
      return .success
    }
    guard let operand = operands.first else { throw .usage("a NAME is missing; --list tells all") }
    let name = try name(operand, in: policy.settings.folder)
    let log = isJSON ? PlayLog() : nil
    let outcome = policy.decide(
      FeedbackRequest(name, intensity: intensity), at: MonotonicClock.nanoseconds)
    for problem in policy.library.problems { StandardError.write(problem.text(Style.error) + "\n") }
    switch outcome {
    case .silence(.unknownName): throw .reported
    case .silence(let reason):
      StandardError.note("feedback", "\(name) is not played: \(reason.rawValue)")
      log?.write("silence", [("feedback", .string(name.text)), ("reason", .string(reason.rawValue))])
      return .success
    case .play(let play):
      if play.name != name { StandardError.note("feedback", "less motion is wanted; \(play.name) plays") }
      return try self.play(
        NamedPattern(path: FileName(play.name.text), pattern: play.pattern), configuration, log)
    }
  }

  /// The feedback that is meant.
  private func name(_ operand: FileName, in folder: FileName?) throws(CommandError) -> FeedbackName {
    let word = operand.text
    let isImpact = word == "impact"
    if weight != nil, !isImpact { throw .usage("--weight is for impact, not for \"\(printable(word))\"") }
    if isImpact { return (weight ?? .light).name }
    let names = FeedbackList.entries(folder).map(\.name.text)
    if let name = FeedbackName(word), names.contains(word) { return name }
    let given = word.lowercased()
    let nearest = NearestName.find(given, in: names).map { [$0] }
    // Half a name is as good a guess as a slip of the finger.
    let near = nearest ?? (given.isEmpty ? [] : names.filter { $0.contains(given) })
    let advice =
      near.isEmpty ? "--list tells all" : "did you mean \(near.prefix(6).joined(separator: ", "))?"
    throw .usage("there is no feedback \"\(printable(word))\"; \(advice)")
  }

  private func play(
    _ file: NamedPattern, _ configuration: Configuration, _ log: PlayLog?
  ) throws(CommandError) -> ExitCode {
    ALSADiagnostics.isVerbose = isVerbose
    let actuators = try actuators(configuration)
    for notice in actuators.notices { StandardError.note("feedback", notice) }
    let request = request(configuration, actuators)
    let opened = try OpenedDevice.open(
      DeviceChoice.choose(option: device, configuration: configuration.device), request, act: "playing",
      fallback: configuration.fallback)
    if let notice = opened.notice { StandardError.note("feedback", notice) }
    signal(SIGPIPE, SIG_IGN)
    Interruption.take()
    let session = try PlaySession(
      device: opened.device, actuators: actuators,
      sounds: SoundSettings(isWanted: request.channels?.audio.isEmpty == false), log: log,
      command: "feedback")
    Interruption.askFirst()
    var player = PlayLoop(session: session, log: log, passes: 1, isVerbose: isVerbose)
    return try player.conclude(try player.play([file]))
  }

  private func list(_ folder: FileName?) {
    let entries = FeedbackList.entries(folder)
    if isJSON {
      let members = entries.map { entry -> JSONValue in
        .object([
          ("name", .string(entry.name.text)),
          ("durationSeconds", .optional(entry.seconds)),
          ("matters", .string("\(FeedbackTraits.of(entry.name).priority)")),
          ("file", .optional(entry.file?.text)),
        ])
      }
      StandardOutput.write(JSONValue.object([("feedbacks", .array(members))]).text + "\n")
      return
    }
    let width = entries.map(\.name.text.count).max() ?? 0
    for entry in entries {
      let padding = String(repeating: " ", count: width - entry.name.text.count)
      let length = entry.seconds.map { "\(NumberText.fixed($0, 2)) s" } ?? "is no pattern"
      let file = entry.file.map { "  \($0)" } ?? ""
      StandardOutput.write(
        "\(entry.name)\(padding)  \(length)  \(FeedbackTraits.of(entry.name).priority)\(file)\n")
    }
  }
}

/// The feedbacks that can be asked for by name.
enum FeedbackList {
  /// One of them.
  struct Entry {
    var name: FeedbackName
    /// The user's own file; nil for a preset.
    var file: FileName?
    /// How long; nil for a file that is refused.
    var seconds: Double?
  }

  /// The presets and the files of a folder, in order of their names.
  static func entries(_ folder: FileName?) -> [Entry] {
    var library = PresetLibrary(folder: folder)
    var files: [FeedbackName: FileName] = [:]
    let found = folder.map { PatternFolder.contents(of: $0).files } ?? []
    for file in found where file.folder == folder && file.text.hasSuffix(".ahap") {
      if let name = FeedbackName(file.lastPart.text.dropLast(5)) { files[name] = file }
    }
    let names = Set(PresetLibrary.presetNames).union(files.keys)
    return names.sorted { $0.text < $1.text }.map { name in
      Entry(name: name, file: files[name], seconds: library.pattern(named: name)?.duration)
    }
  }
}

/// What lands, by how heavy it is or how far it gives way.
enum FeedbackWeight: String, CaseIterable {
  case light, medium, heavy, soft, solid, rigid

  /// The preset.
  var name: FeedbackName {
    switch self {
    case .light: .impactLight
    case .medium: .impactMedium
    case .heavy: .impactHeavy
    case .soft: .impactSoft
    case .solid: .impactSolid
    case .rigid: .impactRigid
    }
  }
}

extension ValueParser where Value == FeedbackWeight {
  /// A weight by its word.
  static var feedbackWeight: ValueParser {
    ValueParser(oneOf: FeedbackWeight.allCases.map(\.rawValue)) {
      FeedbackWeight(rawValue: $0)
    }
  }
}

extension ValueParser where Value == Double {
  /// A strength from 0 to 1.
  static var intensity: ValueParser {
    ValueParser("a number from 0 to 1, such as 0.5") { word in
      decimal(word).flatMap { (0...1).contains($0) ? $0 : nil }
    }
  }
}
