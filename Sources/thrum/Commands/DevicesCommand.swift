import ThrumALSA
import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// `thrum devices`: what there is to play on, and what `play` would choose.
struct DevicesCommand: Command {
  var operands: [FileName] = []
  var device: String?
  var isIdentifying = false
  var isAboutScheduling = false
  var isAboutActuators = false
  var isJSON = false
  var isVerbose = false

  static var form: CommandForm<DevicesCommand> {
    CommandForm(
      name: "devices", summary: "List sound cards and PCMs, and the one that play would choose.",
      operandUsage: "", operandHelp: "", operandCount: 0...0, operandNoun: "",
      discussion: [
        "A card is named by its id, which stays when cards are numbered anew. Each device is opened for a moment to "
          + "ask what it accepts."
      ],
      options: [
        .value(
          "device", short: "d", "NAME", \.device, .text("the name of a device"),
          "Tell what play would choose if it were given this --device."),
        .flag(
          "identify", \.isIdentifying,
          "Tick each channel of the device in turn, ask what was felt, and tell the --channels for it."),
        .flag(
          "actuators", \.isAboutActuators,
          "List the profiles of actuators that --actuator takes by name, those in ~/.config/thrum/actuators included."
        ),
        .flag(
          "scheduling", \.isAboutScheduling,
          "Tell which scheduling a render thread obtains, and how to grant it more."),
        .flag("json", \.isJSON, "Write one JSON object."),
        .flag("verbose", short: "v", \.isVerbose, "Show ALSA's own diagnostics."),
      ],
      examples: [
        .init(line: "thrum devices", effect: "Lists what there is."),
        .init(
          line: "thrum devices --identify -d hw:CARD=Controller",
          effect: "Finds the channels with the actuators."),
        .init(line: "thrum devices --json | jq .choice", effect: "Tells a script what play would use."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    let configuration = try Configuration.load()
    ALSADiagnostics.isVerbose = isVerbose
    if isAboutActuators { return ProfileReport.list(json: isJSON) }
    if isAboutScheduling { return try Scheduling.tell(json: isJSON) }
    if isIdentifying {
      let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
      return try Identification(choice, configuration).run()
    }
    let list: DeviceList
    do throws(OutputError) {
      list = try DeviceList.read()
    } catch {
      throw .failed(error.message)
    }
    let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
    var warning: String?
    if case .alsa(let name) = choice.target { warning = Mixer.read(device: name)?.warning }
    StandardOutput.write(
      isJSON
        ? Self.json(list, choice, warning, fallback: configuration.fallback).text + "\n"
        : Self.text(list, choice, Style.output, fallback: configuration.fallback)
          + (warning.map { "warning: \(printable($0))\n" } ?? ""))
    return .success
  }

  /// The list for a person.
  static func text(
    _ list: DeviceList, _ choice: DeviceChoice, _ style: Style, fallback: String? = nil
  ) -> String {
    var lines: [String] = []
    if let reason = list.emptyReason { lines += ["No sound card. \(reason)", ""] }
    for card in list.cards {
      let place = card.port.map { " (at \($0))" } ?? ""
      lines.append(style.bold("Card \(card.number), \(card.id): \(card.name)") + style.faint(place))
      lines += rows(card.devices, style)
      if card.devices.isEmpty { lines.append("  nothing to play on") }
      if !card.controls.isEmpty {
        lines.append("  mixer: " + card.controls.map { printable(words($0)) }.joined(separator: "; "))
      }
      lines.append("")
    }
    let virtual = DeviceEntry(
      name: DeviceChoice.virtualName, summary: "the built-in virtual actuator, which needs no card",
      isHardware: false)
    lines.append(style.bold(list.cards.isEmpty ? "Without a card" : "Of no single card"))
    lines += rows(list.others, style)
    lines += rows([virtual], style)
    // A named device is not tried here, so that one that is busy now is no other answer.
    var other = ""
    if case .alsa = choice.target, let fallback {
      other = ", or where that cannot be opened \(fallback), the fallback of the configuration file"
    }
    lines += ["", "play would use \(printable(choice.words + other))."]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func rows(_ entries: [DeviceEntry], _ style: Style) -> [String] {
    entries.flatMap { entry in
      var lines = ["  \(entry.name)" + (entry.summary.isEmpty ? "" : style.faint("  \(entry.summary)"))]
      if let capabilities = entry.capabilities {
        lines.append("      \(words(capabilities))")
        // A card has the period that is asked for; with a server it is one that the server keeps.
        if let server = capabilities.server {
          let usual = capabilities.usual.map { "; \($0.rate) Hz and a \($0.bufferWords) unless asked" } ?? ""
          lines.append("      the sound server \(server.rawValue)\(usual)")
        }
      } else if let problem = entry.problem {
        lines.append("      " + style.yellow("cannot be opened: \(problem)"))
      }
      return lines
    }
  }

  private static func words(_ capabilities: DeviceCapabilities) -> String {
    let rates =
      capabilities.rates.isEmpty
      ? "no usable rate" : capabilities.rates.map(String.init).joined(separator: ", ") + " Hz"
    let formats =
      capabilities.formats.isEmpty
      ? "no usable format" : capabilities.formats.map(\.word).joined(separator: ", ")
    let (fewest, most) = (capabilities.channels.lowerBound, capabilities.channels.upperBound)
    // What takes any number, as ALSA's null does, says so with a number that nobody would read.
    let channels =
      fewest == most
      ? NumberText.count(fewest, "channel")
      : most > 1024 ? "\(fewest) or more channels" : "\(fewest) to \(most) channels"
    return "\(rates); \(formats); \(channels)"
  }

  /// A control on one line, such as `Master 74 %, -16.5 dB, on`.
  static func words(_ control: MixerControl) -> String {
    var parts: [String] = []
    if let volume = control.volume { parts.append("\(Int((volume * 100).rounded())) %") }
    if let level = control.level { parts.append("\(NumberText.fixed(level, 1)) dB") }
    if let isOn = control.isOn { parts.append(isOn ? "on" : "muted") }
    let name = control.index == 0 ? control.name : "\(control.name),\(control.index)"
    return "\(name) " + parts.joined(separator: ", ")
  }

  private static func json(
    _ list: DeviceList, _ choice: DeviceChoice, _ warning: String?, fallback: String?
  ) -> JSONValue {
    let name =
      switch choice.target {
      case .alsa(let name): name
      case .virtual: DeviceChoice.virtualName
      }
    let cards = list.cards.map { card in
      JSONValue.object([
        ("number", .count(card.number)), ("id", .string(card.id)), ("name", .string(card.name)),
        ("port", .optional(card.port)), ("devices", .array(card.devices.map(json))),
        ("controls", .array(card.controls.map(json))),
      ])
    }
    return .object([
      ("cards", .array(cards)), ("others", .array(list.others.map(json))),
      ("reason", .optional(list.emptyReason)),
      (
        "choice",
        .object([
          ("device", .string(name)), ("why", .string(choice.words)), ("fallback", .optional(fallback)),
          ("warning", .optional(warning)),
        ])
      ),
    ])
  }

  private static func json(_ control: MixerControl) -> JSONValue {
    .object([
      ("name", .string(control.name)), ("index", .count(control.index)),
      ("volume", .optional(control.volume)),
      ("decibels", .optional(control.level)),
      ("isOn", control.isOn.map(JSONValue.bool) ?? .null),
    ])
  }

  private static func json(_ entry: DeviceEntry) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(entry.name)), ("summary", .string(entry.summary)),
      ("problem", .optional(entry.problem)),
    ]
    if let capabilities = entry.capabilities {
      members += [
        ("rates", .array(capabilities.rates.map(JSONValue.count))),
        ("formats", .array(capabilities.formats.map { .string($0.word) })),
        ("fewestChannels", .count(capabilities.channels.lowerBound)),
        ("mostChannels", .count(capabilities.channels.upperBound)),
        ("server", .optional(capabilities.server?.rawValue)),
        ("usual", capabilities.usual.map { .object($0.members) } ?? .null),
      ]
    }
    return .object(members)
  }
}
