import ThrumMIDI

/// What MIDI means here: notes fire taps or hold something, two controllers are the live values.
///
/// The table is in `docs/controllers.md`.
struct MIDIMapping {
  /// Which channels' notes are held for as long as their key is down.
  enum Holding: Equatable, Sendable {
    case none
    case all
    /// 0…15.
    case channel(Int)
  }

  /// The modulation wheel.
  static let usualIntensity = ControlMemory.Binding(number: 1)
  /// Sound controller 5, which is usually called brightness.
  static let usualSharpness = ControlMemory.Binding(number: 74)
  /// The notes from no sharpness to full: the keys of a keyboard with 61.
  static let pitchedNotes = 36...96
  /// The channel whose notes are drums, so that their numbers are no pitch.
  static let drumChannel = 9
  /// The value of a controller at which its live sharpness is 0.
  private static let middle = 64

  var holding = Holding.none
  /// Whether notes have no sharpness to say.
  var isFlat = false
  /// What waits for the next controller that is moved.
  var learning: ControlTarget?
  /// The ids that are held, by the names of their devices.
  private var held: [String: Set<Int>] = [:]
  private let memory: ControlMemory

  init(holding: Holding, isFlat: Bool, memory: ControlMemory) {
    self.holding = holding
    self.isFlat = isFlat
    self.memory = memory
  }

  /// Takes a message.
  mutating func take(_ message: MIDIMessage, from name: String, into list: inout ControlList) {
    switch message {
    case .noteOn(let channel, let note, let velocity):
      let intensity = Double(velocity) / 127
      let sharpness = sharpness(channel, note)
      guard isHeld(channel) else {
        return list.append(.tap(intensity: intensity, sharpness: sharpness))
      }
      held[name, default: []].insert(Self.id(channel, note))
      list.append(.hold(id: Self.id(channel, note), intensity: intensity, sharpness: sharpness))
    case .noteOff(let channel, let note):
      let id = Self.id(channel, note)
      if held[name]?.remove(id) != nil { list.append(.release(id: id)) }
    case .control(_, let number, let value): move(number, value, name, into: &list)
    case .allNotesOff(let channel): release(name, into: &list) { $0 / 128 == channel }
    case .reset: release(name, into: &list)
    }
  }

  /// Releases what a device holds: it has gone.
  mutating func release(
    _ name: String, into list: inout ControlList, where isMeant: (Int) -> Bool = { _ in true }
  ) {
    for id in (held[name] ?? []).filter(isMeant).sorted() {
      held[name]?.remove(id)
      list.append(.release(id: id))
    }
  }

  /// Releases what all devices hold: it is not known any more which keys are down.
  mutating func releaseAll(into list: inout ControlList) {
    for name in held.keys.sorted() { release(name, into: &list) }
  }

  private func isHeld(_ channel: Int) -> Bool {
    switch holding {
    case .none: false
    case .all: true
    case .channel(let own): own == channel
    }
  }

  private static func id(_ channel: Int, _ note: Int) -> Int { channel * 128 + note }

  private func sharpness(_ channel: Int, _ note: Int) -> Double? {
    if isFlat || channel == Self.drumChannel { return nil }
    let (low, high) = (Self.pitchedNotes.lowerBound, Self.pitchedNotes.upperBound)
    return Double(min(max(note, low), high) - low) / Double(high - low)
  }

  private mutating func move(_ number: Int, _ value: Int, _ name: String, into list: inout ControlList) {
    if let target = learning {
      learning = nil
      let problem = memory.remember(.midi, name, target, ControlMemory.Binding(number: number))
      list.append(.notice("controller \(number) of \(name) is the \(target.rawValue) from now on"))
      if let problem { list.append(.notice("that cannot be remembered: \(problem)")) }
    }
    if memory.binding(.midi, name, .intensity, usual: Self.usualIntensity)?.number == number {
      list.append(.intensity(Double(value) / 127))
    }
    if memory.binding(.midi, name, .sharpness, usual: Self.usualSharpness)?.number == number {
      // There are 64 values below the middle and 63 above.
      let steps = value < Self.middle ? Self.middle : 127 - Self.middle
      list.append(.sharpness(Double(value - Self.middle) / Double(steps)))
    }
  }
}
