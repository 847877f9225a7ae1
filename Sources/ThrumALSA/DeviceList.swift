import CALSA
import Glibc
import ThrumEngine
import ThrumRealtime

/// A PCM that a person can name.
public struct DeviceEntry: Sendable, Equatable {
  /// The name to give to `--device`. A card is named by its id, which stays when cards are numbered anew.
  public var name: String
  /// What it is, on one line; may be empty.
  public var summary: String
  /// Whether it is a card's own, and not a PCM out of ALSA's configuration.
  public var isHardware: Bool
  /// What it accepts; nil where it could not be asked.
  public var capabilities: DeviceCapabilities?
  /// Why it could not be asked, in ALSA's words; nil where it could.
  public var problem: String?

  /// Describes a PCM.
  public init(
    name: String, summary: String, isHardware: Bool, capabilities: DeviceCapabilities? = nil,
    problem: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.isHardware = isHardware
    self.capabilities = capabilities
    self.problem = problem
  }
}

/// A sound card that is connected.
public struct CardEntry: Sendable, Equatable {
  /// The id, which stays the same; what `hw:CARD=` takes.
  public var id: String
  /// Its name for people.
  public var name: String
  /// Where it is plugged in, such as `1-2` for a USB port; nil where the kernel does not say.
  public var port: String?
  /// Its number now, which may be another after the next start.
  public var number: Int
  /// Its playback PCMs.
  public var devices: [DeviceEntry]
  /// The playback switches and volumes of its mixer.
  public var controls: [MixerControl] = []
}

/// What the machine can play on.
public struct DeviceList: Sendable, Equatable {
  /// Cards, by number.
  public var cards: [CardEntry]
  /// PCMs out of ALSA's configuration that belong to no single card, such as `default` or a sound server's.
  public var others: [DeviceEntry]
  /// Why there is no card, and what to do about it, on at most two lines; nil where there is one.
  public var emptyReason: String?

  /// Asks ALSA for everything there is, and every PCM for what it accepts. Opens each for a moment.
  /// - Throws: ``OutputError`` where ALSA's own configuration cannot be read.
  ///
  /// Threads: control. Real-time: no.
  public static func read() throws(OutputError) -> DeviceList {
    do throws(OutputFault) {
      try ALSADiagnostics.apply()
      let cards = try readCards()
      let reason =
        cards.isEmpty ? emptyReason(nodes: Folder.names(of: "/dev/snd"), isOpenable: isOpenable) : nil
      return DeviceList(cards: cards, others: readHints(), emptyReason: reason)
    } catch {
      throw OutputError("cannot list sound devices: \(ALSAError.text(of: error.code))")
    }
  }

  /// Tells a machine without cards from one whose cards are not for this user.
  /// - Parameters:
  ///   - nodes: The names in `/dev/snd`.
  ///   - isOpenable: Whether a node of that name may be opened.
  static func emptyReason(nodes: [String], isOpenable: (String) -> Bool) -> String {
    let cardNodes = nodes.filter { $0.hasPrefix("pcm") || $0.hasPrefix("control") }
    if cardNodes.isEmpty {
      return "The kernel knows no sound card (/dev/snd holds none). Connect one; in a container or virtual\n"
        + "machine, pass it in."
    }
    let closed = cardNodes.filter { !isOpenable($0) }
    if closed.isEmpty { return "There are sound devices in /dev/snd, but ALSA finds no card behind them." }
    return "There are sound cards, but you have no permission for them (\(closed.count) nodes in /dev/snd).\n"
      + "Join the audio group (sudo usermod -aG audio $USER), then log in again."
  }

  private static func isOpenable(_ node: String) -> Bool { access("/dev/snd/" + node, R_OK | W_OK) == 0 }

  private static func readCards() throws(OutputFault) -> [CardEntry] {
    var cards: [CardEntry] = []
    var number: Int32 = -1
    while true {
      let code = snd_card_next(&number)
      if code < 0 { throw OutputFault(code, .open) }
      if number < 0 { return cards }
      // A card that goes while it is being read is left out.
      if let card = readCard(number) { cards.append(card) }
    }
  }

  private static func readCard(_ number: Int32) -> CardEntry? {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(number)", SND_PCM_NONBLOCK) >= 0, let control else { return nil }
    defer { snd_ctl_close(control) }
    var information: OpaquePointer?
    guard snd_ctl_card_info_malloc(&information) >= 0, let information else { return nil }
    defer { snd_ctl_card_info_free(information) }
    guard snd_ctl_card_info(control, information) >= 0 else { return nil }
    let id = String(cString: snd_ctl_card_info_get_id(information))
    let name = String(cString: snd_ctl_card_info_get_name(information))
    let identity = CardIdentity.read(number: Int(number)) ?? CardIdentity(id: id)
    return CardEntry(
      id: id, name: name, port: identity.port, number: Int(number),
      devices: readDevices(of: control, card: identity), controls: Mixer.read(name: "hw:\(number)").controls)
  }

  private static func readDevices(of control: OpaquePointer, card: CardIdentity) -> [DeviceEntry] {
    var information: OpaquePointer?
    guard snd_pcm_info_malloc(&information) >= 0, let information else { return [] }
    defer { snd_pcm_info_free(information) }
    var devices: [DeviceEntry] = []
    var number: Int32 = -1
    while snd_ctl_pcm_next_device(control, &number) >= 0 && number >= 0 {
      snd_pcm_info_set_device(information, UInt32(number))
      snd_pcm_info_set_subdevice(information, 0)
      snd_pcm_info_set_stream(information, SND_PCM_STREAM_PLAYBACK)
      // A device that only records has no playback stream to tell about.
      if snd_ctl_pcm_info(control, information) < 0 { continue }
      let summary = String(cString: snd_pcm_info_get_name(information))
      devices.append(
        probed(DeviceEntry(name: card.name(device: Int(number)), summary: summary, isHardware: true)))
    }
    return devices
  }

  private static func readHints() -> [DeviceEntry] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    // A configuration without hints names no PCM; those that are known by name can be played on all the same.
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var entries: [DeviceEntry] = []
    var next = hints
    while let hint = next.pointee {
      next += 1
      guard let name = text(of: hint, "NAME"), text(of: hint, "IOID") != "Input" else { continue }
      // Every card brings a dozen that differ by their plug-ins; the card itself is listed already.
      if name.contains("CARD=") { continue }
      let summary = text(of: hint, "DESC")?.split(separator: "\n").joined(separator: ", ") ?? ""
      entries.append(probed(DeviceEntry(name: name, summary: summary, isHardware: false)))
    }
    return entries
  }

  private static func text(of hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let text = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  private static func probed(_ entry: DeviceEntry) -> DeviceEntry {
    var entry = entry
    do throws(OutputFault) {
      entry.capabilities = try DeviceCapabilities.probe(entry.name)
    } catch {
      entry.problem = ALSAError.text(of: error.code)
    }
    return entry
  }
}
