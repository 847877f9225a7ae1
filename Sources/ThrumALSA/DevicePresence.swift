import CALSA
import Glibc

/// What a program that asks for haptics would play on, found out without opening a card: another program may
/// hold it.
public enum DevicePresence: Sendable, Equatable {
  /// An ALSA PCM of this name.
  case device(String)
  /// The built-in virtual actuator, which was asked for by name.
  case virtual
  /// Nothing, for this reason.
  case none(String)

  /// What a device of a name is; nil stands for ALSA's `default`.
  ///
  /// A PCM counts as there when the card it names is, or when ALSA's configuration defines it. Without any
  /// card it is opened for a moment, which then can disturb nobody: a sound server may be behind it.
  ///
  /// Threads: any. Real-time: no.
  public static func choice(named name: String?) -> DevicePresence {
    if name == DeviceChoice.virtualName { return .virtual }
    let name = name ?? "default"
    if let problem = problem(with: name) { return .none(problem) }
    return .device(name)
  }

  /// Why a PCM is not there; nil where it is.
  private static func problem(with name: String) -> String? {
    guard !name.utf8.contains(0) else { return "no device has a name with a zero byte" }
    do throws(OutputFault) {
      try ALSADiagnostics.apply()
      let name = try CardIdentity.resolve(name)
      if let card = card(of: name), snd_card_get_index(card) < 0 {
        return "cannot open sound device \"\(name)\": there is no card \(card).\n"
          + "Connect it, or name another device (thrum devices lists them)."
      }
      if try hasCard() { return isDefined(name) ? nil : unknown(name) }
      try PCM(name: name).close()
      return nil
    } catch {
      return ALSAError.message(reading: error, device: name).message
    }
  }

  /// The card that a name such as `hw:1,0` or `plughw:CARD=Pad,DEV=0` says.
  static func card(of name: String) -> String? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    let arguments = name[name.index(after: colon)...].split(separator: ",")
    if let card = arguments.first(where: { $0.hasPrefix("CARD=") }) { return String(card.dropFirst(5)) }
    let isHardware = ["hw", "plughw", "dmix", "sysdefault"].contains(String(name[..<colon]))
    guard isHardware, let first = arguments.first, !first.contains("=") else { return nil }
    return String(first)
  }

  private static func hasCard() throws(OutputFault) -> Bool {
    var number: Int32 = -1
    let code = snd_card_next(&number)
    if code < 0 { throw OutputFault(code, .open) }
    return number >= 0
  }

  private static func isDefined(_ name: String) -> Bool {
    var top: OpaquePointer?
    guard snd_config_update_ref(&top) >= 0, let top else { return false }
    defer { snd_config_unref(top) }
    var definition: OpaquePointer?
    guard snd_config_search_definition(top, "pcm", name, &definition) >= 0 else { return false }
    defer { snd_config_delete(definition) }
    return definition != nil
  }

  private static func unknown(_ name: String) -> String {
    "cannot open sound device \"\(name)\": ALSA knows no PCM of that name.\n"
      + "thrum devices lists the names there are."
  }
}
