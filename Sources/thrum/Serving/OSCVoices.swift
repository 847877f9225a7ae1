import ThrumEngine
import ThrumOSC
import ThrumPattern
import ThrumRealtime

/// What plays on behalf of OSC: taps, continuous events by their ids, and patterns by their names.
///
/// Lives on the main thread. A live value that comes faster than once in a millisecond is sent once in a millisecond, the
/// last one of each always.
final class OSCVoices {
  /// The most that play at a time, of each kind; the output has room for them besides the feedbacks of D-Bus.
  static let most = (taps: 112, continuous: 32, patterns: 32)
  /// How far apart live values of a kind are sent, nanoseconds: the grid of the core's commands.
  private static let valueDistance: Int64 = 1_000_000

  private struct Continuous {
    var player: Player
    var intensity: Float
    var sharpness: Float
    var isEnding = false
    var isChanged = false
  }

  private struct Playing {
    var name: String
    var sender: OSCSender
    var player: Player

    /// The name without its `.ahap`.
    var bare: String { name.hasSuffix(".ahap") ? String(name.dropLast(5)) : name }
  }

  private let output: ServiceOutput
  private var taps: [Player] = []
  private var continuous: [String: Continuous] = [:]
  private var patterns: [Playing] = []
  /// What multiplies every intensity.
  private(set) var intensity: Float = 1
  /// What is added to every sharpness.
  private(set) var sharpness: Float = 0
  private(set) var isMuted = false
  private var areControlsChanged = false
  private var lastValues: Int64 = 0

  init(output: ServiceOutput) { self.output = output }

  /// How many patterns and continuous events play.
  var counts: (taps: Int, continuous: Int, patterns: Int) {
    (taps.count { $0.isActive }, continuous.count, patterns.count)
  }

  /// Whether anything plays.
  var isSilent: Bool { continuous.isEmpty && patterns.isEmpty && !taps.contains { $0.isActive } }
}

// What messages ask for.
extension OSCVoices {
  /// Fires a tap.
  func tap(intensity: Float, sharpness: Float, at frame: RenderFrame?) throws(OSCRefusal) {
    if taps.count >= Self.most.taps { taps.removeAll { !$0.isActive } }
    guard taps.count < Self.most.taps else {
      throw OSCRefusal("\(Self.most.taps) taps sound already, which is all that fit")
    }
    var parameters = EventParameters()
    parameters[.hapticIntensity] = intensity * self.intensity
    parameters[.hapticSharpness] = min(max(sharpness + self.sharpness, 0), 1)
    let event = Event(type: .hapticTransient, time: 0, parameters: parameters)
    taps.append(try start(Pattern(entries: [.event(event)]), at: frame))
  }

  /// Begins a continuous event; one of the same id ends first.
  func begin(_ id: String, intensity: Float, sharpness: Float, at frame: RenderFrame?) throws(OSCRefusal) {
    if let old = continuous.removeValue(forKey: id) { try stop(old.player, at: frame) }
    guard continuous.count < Self.most.continuous else {
      throw OSCRefusal("\(Self.most.continuous) continuous events sound already, which is all that fit")
    }
    let values = [
      value(.hapticIntensityControl, intensity * self.intensity),
      value(.hapticSharpnessControl, min(max(sharpness + self.sharpness, 0), 1)),
    ]
    let player = try makePlayer(Pattern(entries: values + [Self.held]))
    player.onFinish = { [bell = output.bell] _ in bell.ring() }
    try refusing { () throws(EngineError) in try player.start(at: frame) }
    continuous[id] = Continuous(player: player, intensity: intensity, sharpness: sharpness)
  }

  /// Changes the values of a continuous event.
  func change(
    _ id: String, intensity: Float?, sharpness: Float?, at frame: RenderFrame?
  ) throws(OSCRefusal) {
    guard var voice = continuous[id], !voice.isEnding else {
      throw OSCRefusal("no continuous event \(printable(id)) sounds")
    }
    voice.intensity = intensity ?? voice.intensity
    voice.sharpness = sharpness ?? voice.sharpness
    if let frame {
      try refusing { () throws(EngineError) in try send(voice, at: frame) }
    } else {
      voice.isChanged = true
    }
    continuous[id] = voice
  }

  /// Ends a continuous event.
  func end(_ id: String, at frame: RenderFrame?) throws(OSCRefusal) {
    guard var voice = continuous[id] else {
      throw OSCRefusal("no continuous event \(printable(id)) sounds")
    }
    try stop(voice.player, at: frame)
    voice.isEnding = true
    continuous[id] = voice
  }

  /// Plays a pattern.
  func play(_ pattern: NamedPattern, _ call: OSCCall) throws(OSCRefusal) {
    guard patterns.count < Self.most.patterns else {
      throw OSCRefusal("\(Self.most.patterns) patterns play already, which is all that fit")
    }
    // In front, as values that were sent before the pattern's own.
    let controls =
      (intensity == 1 ? [] : [value(.hapticIntensityControl, intensity)])
      + (sharpness == 0 ? [] : [value(.hapticSharpnessControl, sharpness)])
    var controlled = pattern.pattern
    controlled.entries.insert(contentsOf: controls, at: 0)
    let player = try makePlayer(controlled, path: pattern.path)
    player.onFinish = { [bell = output.bell] _ in bell.ring() }
    try refusing { () throws(EngineError) in try player.start(at: call.frame) }
    patterns.append(Playing(name: pattern.name, sender: call.sender, player: player))
  }

  /// Ends the patterns of a name; nil for all that sounds.
  func stop(_ name: String?, at frame: RenderFrame?) throws(OSCRefusal) {
    let bare = name.map { $0.hasSuffix(".ahap") ? String($0.dropLast(5)) : $0 }
    for playing in patterns where bare == nil || playing.bare == bare { try stop(playing.player, at: frame) }
    guard name == nil else { return }
    for id in continuous.keys.sorted() { try end(id, at: frame) }
    for tap in taps where tap.isActive { try stop(tap, at: frame) }
  }

  /// Changes what multiplies every intensity, or is added to every sharpness.
  func set(intensity: Float? = nil, sharpness: Float? = nil, at frame: RenderFrame?) throws(OSCRefusal) {
    self.intensity = intensity ?? self.intensity
    self.sharpness = sharpness ?? self.sharpness
    guard let frame else {
      areControlsChanged = true
      for id in continuous.keys { continuous[id]?.isChanged = true }
      return
    }
    try refusing { () throws(EngineError) in
      for voice in continuous.values where !voice.isEnding { try send(voice, at: frame) }
      for playing in patterns { try sendControls(playing.player, at: frame) }
    }
  }

  /// Silences the haptics of all that plays and will play, while their time goes on.
  func mute(_ isMuted: Bool) {
    self.isMuted = isMuted
    for player in taps + continuous.values.map(\.player) + patterns.map(\.player) { player.isMuted = isMuted }
  }

  /// Ends all at once, for the end of the service.
  func cancel() {
    for player in taps + continuous.values.map(\.player) + patterns.map(\.player) {
      // An output that has closed is silent already.
      do throws(EngineError) { try player.cancel() } catch { continue }
    }
  }
}

// What time does.
extension OSCVoices {
  /// Sends values that wait and are due.
  func sendValues(_ now: Int64) throws(OSCRefusal) {
    guard hasValues, now >= lastValues + Self.valueDistance else { return }
    lastValues = now
    let controlled = areControlsChanged ? patterns.map(\.player) : []
    areControlsChanged = false
    var first: EngineError?
    for (id, voice) in continuous where voice.isChanged {
      continuous[id]?.isChanged = false
      do throws(EngineError) { try send(voice, at: nil) } catch { first = first ?? error }
    }
    for player in controlled {
      do throws(EngineError) { try sendControls(player, at: nil) } catch { first = first ?? error }
    }
    if let first { throw OSCRefusal(first.message) }
  }

  /// When values that wait may be sent, nanoseconds; nil where none wait.
  var due: Int64? { hasValues ? lastValues + Self.valueDistance : nil }

  private var hasValues: Bool { areControlsChanged || continuous.values.contains { $0.isChanged } }

  /// Lets go of what has ended.
  /// - Parameter told: Gets the name of each pattern, and who asked for it.
  func sweep(_ told: (String, OSCSender) -> Void) {
    if output.hasFailed { continuous = [:] }
    continuous = continuous.filter { $0.value.player.isActive }
    for playing in patterns where output.hasFailed || !playing.player.isActive {
      told(playing.bare, playing.sender)
    }
    patterns.removeAll { output.hasFailed || !$0.player.isActive }
    if output.hasFailed { taps = [] }
  }
}

extension OSCVoices {
  /// A continuous event of full intensity and no sharpness, which controls then shape; it ends after 30 s by itself, so
  /// that a message that gets lost leaves no actuator on for ever.
  private static let held: Pattern.Entry = {
    var parameters = EventParameters()
    parameters[.hapticIntensity] = 1
    parameters[.hapticSharpness] = 0
    return .event(Event(type: .hapticContinuous, time: 0, parameters: parameters))
  }()

  private func value(_ id: DynamicParameterID, _ value: Float) -> Pattern.Entry {
    .parameter(DynamicParameter(id: id, value: value, time: 0))
  }

  private func start(_ pattern: Pattern, at frame: RenderFrame?) throws(OSCRefusal) -> Player {
    let player = try makePlayer(pattern)
    try refusing { () throws(EngineError) in try player.start(at: frame) }
    return player
  }

  private func makePlayer(_ pattern: Pattern, path: FileName = "OSC") throws(OSCRefusal) -> Player {
    do throws(CommandError) {
      let player = try output.makePlayer(NamedPattern(path: path, pattern: pattern))
      if isMuted { player.isMuted = true }
      return player
    } catch {
      throw OSCRefusal(error.words)
    }
  }

  private func send(_ voice: Continuous, at frame: RenderFrame?) throws(EngineError) {
    try voice.player.setControl(.hapticIntensityControl, voice.intensity * intensity, at: frame)
    try voice.player.setControl(
      .hapticSharpnessControl, min(max(voice.sharpness + sharpness, 0), 1), at: frame)
  }

  private func sendControls(_ player: Player, at frame: RenderFrame?) throws(EngineError) {
    try player.setControl(.hapticIntensityControl, intensity, at: frame)
    try player.setControl(.hapticSharpnessControl, sharpness, at: frame)
  }

  private func stop(_ player: Player, at frame: RenderFrame?) throws(OSCRefusal) {
    try refusing { () throws(EngineError) in
      if let frame { try player.stop(at: frame) } else { try player.cancel() }
    }
  }

  private func refusing(_ body: () throws(EngineError) -> Void) throws(OSCRefusal) {
    do throws(EngineError) { try body() } catch { throw OSCRefusal(error.message) }
  }
}
