/// A switch or volume of a card's mixer that acts on what is played, as `amixer` names it.
public struct MixerControl: Sendable, Equatable {
  /// Its name, such as `Master`.
  public var name: String
  /// Tells controls of one name apart, from 0.
  public var index: Int
  /// Where the volume stands between its ends, 0…1, the lowest of its channels; nil where there is no volume.
  public var volume: Double?
  /// The same in dB; nil where the card does not say.
  public var level: Double?
  /// Whether it lets sound through on any channel; nil where there is no switch.
  public var isOn: Bool?

  /// Describes a control.
  public init(
    name: String, index: Int = 0, volume: Double? = nil, level: Double? = nil, isOn: Bool? = nil
  ) {
    self.name = name
    self.index = index
    self.volume = volume
    self.level = level
    self.isOn = isOn
  }

  /// The part that a control has in what is heard.
  enum Role: Equatable {
    /// All that is played comes through it: closed, it silences the card.
    case passage
    /// One way out of several, of which cards close those that are not in use.
    case way
    /// Nothing that is played by a program.
    case other
  }

  /// Told by the names that drivers agree on; a name that nobody knows says nothing.
  var role: Role {
    switch name {
    case "Master", "PCM", "Digital", "Playback", "Master Mono", "DAC": .passage
    case "Speaker", "Headphone", "Headphones", "Headset", "Line Out", "Front", "Bass Speaker", "Speaker+LO":
      .way
    default: .other
    }
  }

  /// What keeps sound in, in words; nil where nothing does.
  var obstacle: String? {
    if isOn == false { return "is muted" }
    guard let volume, volume < 0.5 else { return nil }
    return "is at \(Int((volume * 100).rounded(.down))) %"
  }
}

/// The controls of one mixer.
public struct Mixer: Sendable, Equatable {
  /// The name of the control device, such as `hw:CARD=PCH`, as `amixer -D` takes it.
  public var name: String
  /// Its controls of playback, in the mixer's order.
  public var controls: [MixerControl]

  /// Describes a mixer.
  public init(name: String, controls: [MixerControl]) {
    self.name = name
    self.controls = controls
  }

  /// The first control that keeps what is played in, since it is muted or under half, and the command that mends it, on
  /// one line; nil where there is none.
  public var warning: String? {
    guard let control = culprit, let obstacle = control.obstacle else { return nil }
    let place = control.index == 0 ? "" : ",\(control.index)"
    let volume = control.volume == nil ? "" : " 80%"
    let unmuting = control.isOn == nil ? "" : " unmute"
    return "the playback volume \"\(control.name)\" \(obstacle); mend it by: "
      + "amixer -D \(Mixer.quoted(name)) sset \(Mixer.quoted(control.name))\(place)\(volume)\(unmuting)"
  }

  private var culprit: MixerControl? {
    if let passage = controls.first(where: { $0.role == .passage && $0.obstacle != nil }) { return passage }
    // Headphones that are plugged in mute the speaker: only where every way is closed is nothing heard.
    let ways = controls.filter { $0.role == .way }
    if ways.contains(where: { $0.obstacle == nil }) { return nil }
    // A card with a single control has it for what it plays, whatever it calls it.
    return ways.first ?? (controls.count == 1 ? controls.first { $0.obstacle != nil } : nil)
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
