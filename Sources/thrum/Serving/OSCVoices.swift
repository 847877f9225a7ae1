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
  static let most = (taps: 112, continuous: 32, patterns: 32, fading: 64)
  /// How far apart live values of a kind are sent, nanoseconds: the grid of the core's commands.
  private static let valueDistance: Int64 = 1_000_000

  private struct Continuous {
    var player: Player
    var intensity: OSCTimedValue
    var sharpness: OSCTimedValue
    /// When it is told to end, nanoseconds; nil where it has not been.
    var end: Int64?
    var isChanged = false

    func isEnding(at nanoseconds: Int64) -> Bool { end.map { $0 <= nanoseconds } ?? false }
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
  /// Continuous events whose ids others have taken over, up to their end.
  private var fading: [Player] = []
  private var patterns: [Playing] = []
  /// What multiplies every intensity.
  private var factor = OSCTimedValue(1)
  /// What is added to every sharpness.
  private var summand = OSCTimedValue(0)
  private(set) var isMuted = false
  private var areControlsChanged = false
  private var lastValues: Int64 = 0

  init(output: ServiceOutput) { self.output = output }

  /// What multiplies every intensity now.
  var intensity: Float { factor.current }
  /// What is added to every sharpness now.
  var sharpness: Float { summand.current }

  /// How many patterns and continuous events play.
  var counts: (taps: Int, continuous: Int, patterns: Int) {
    (taps.count { $0.isActive }, continuous.count, patterns.count)
  }

  /// Whether anything plays.
  var isSilent: Bool {
    continuous.isEmpty && patterns.isEmpty && !(taps + fading).contains { $0.isActive }
  }
}

// What messages ask for.
extension OSCVoices {
  /// Fires a tap.
  func tap(intensity: Float, sharpness: Float, at moment: OSCMoment) throws(OSCRefusal) {
    if taps.count >= Self.most.taps { taps.removeAll { !$0.isActive } }
    guard taps.count < Self.most.taps else {
      throw OSCRefusal("\(Self.most.taps) taps sound already, which is all that fit")
    }
    var parameters = EventParameters()
    parameters[.hapticIntensity] = intensity * factor.value(at: moment)
    parameters[.hapticSharpness] = min(max(sharpness + summand.value(at: moment), 0), 1)
    let event = Event(type: .hapticTransient, time: 0, parameters: parameters)
    let player = try start(Pattern(entries: [.event(event)]), at: moment)
    taps.append(player)
  }

  /// Begins a continuous event; one of the same id ends first.
  func begin(_ id: String, intensity: Float, sharpness: Float, at moment: OSCMoment) throws(OSCRefusal) {
    if fading.count >= Self.most.fading { fading.removeAll { !$0.isActive } }
    // Before the one of this id is ended: what is refused leaves it as it is.
    guard fading.count < Self.most.fading else {
      throw OSCRefusal("\(Self.most.fading) continuous events fade already, which is all that fit")
    }
    if let old = continuous[id] {
      try stop(old.player, at: moment.frame)
      continuous[id] = nil
      fading.append(old.player)
    }
    guard continuous.count < Self.most.continuous else {
      throw OSCRefusal("\(Self.most.continuous) continuous events sound already, which is all that fit")
    }
    let values = [
      value(.hapticIntensityControl, intensity * factor.value(at: moment)),
      value(.hapticSharpnessControl, min(max(sharpness + summand.value(at: moment), 0), 1)),
    ]
    let player = try start(Pattern(entries: values + [Self.held]), at: moment)
    continuous[id] = Continuous(
      player: player, intensity: OSCTimedValue(intensity), sharpness: OSCTimedValue(sharpness))
  }

  /// Changes the values of a continuous event.
  func change(
    _ id: String, intensity: Float?, sharpness: Float?, at moment: OSCMoment
  ) throws(OSCRefusal) {
    guard var voice = continuous[id], !voice.isEnding(at: moment.nanoseconds) else {
      throw OSCRefusal("no continuous event \(printable(id)) sounds")
    }
    if let intensity { try voice.intensity.set(intensity, at: moment) }
    if let sharpness { try voice.sharpness.set(sharpness, at: moment) }
    if moment.frame != nil {
      try refusing { () throws(EngineError) in try send(voice, at: moment) }
    } else {
      voice.isChanged = true
    }
    continuous[id] = voice
  }

  /// Ends a continuous event.
  func end(_ id: String, at moment: OSCMoment) throws(OSCRefusal) {
    guard var voice = continuous[id] else {
      throw OSCRefusal("no continuous event \(printable(id)) sounds")
    }
    try stop(voice.player, at: moment.frame)
    // Until then it can be changed.
    voice.end = min(voice.end ?? .max, moment.nanoseconds)
    continuous[id] = voice
  }

  /// Plays a pattern.
  func play(_ pattern: NamedPattern, _ call: OSCCall) throws(OSCRefusal) {
    guard patterns.count < Self.most.patterns else {
      throw OSCRefusal("\(Self.most.patterns) patterns play already, which is all that fit")
    }
    // In front, as values that were sent before the pattern's own.
    let (intensity, sharpness) = (factor.value(at: call.moment), summand.value(at: call.moment))
    let controls =
      (intensity == 1 ? [] : [value(.hapticIntensityControl, intensity)])
      + (sharpness == 0 ? [] : [value(.hapticSharpnessControl, sharpness)])
    var controlled = pattern.pattern
    controlled.entries.insert(contentsOf: controls, at: 0)
    let player = try makePlayer(controlled, path: pattern.path)
    player.onFinish = { [bell = output.bell] _ in bell.ring() }
    try refusing { () throws(EngineError) in try player.start(at: call.moment.frame) }
    patterns.append(Playing(name: pattern.name, sender: call.sender, player: player))
  }

  /// Ends the patterns of a name; nil for all that sounds.
  func stop(_ name: String?, at moment: OSCMoment) throws(OSCRefusal) {
    let bare = name.map { $0.hasSuffix(".ahap") ? String($0.dropLast(5)) : $0 }
    for playing in patterns where bare == nil || playing.bare == bare {
      try stop(playing.player, at: moment.frame)
    }
    guard name == nil else { return }
    for id in continuous.keys.sorted() { try end(id, at: moment) }
    for player in taps + fading where player.isActive { try stop(player, at: moment.frame) }
  }

  /// Changes what multiplies every intensity, or is added to every sharpness.
  func set(intensity: Float? = nil, sharpness: Float? = nil, at moment: OSCMoment) throws(OSCRefusal) {
    if let intensity { try factor.set(intensity, at: moment) }
    if let sharpness { try summand.set(sharpness, at: moment) }
    guard moment.frame != nil else {
      areControlsChanged = true
      for id in continuous.keys { continuous[id]?.isChanged = true }
      return
    }
    try refusing { () throws(EngineError) in
      for voice in continuous.values where !voice.isEnding(at: moment.nanoseconds) {
        try send(voice, at: moment)
      }
      for playing in patterns { try sendControls(playing.player, at: moment) }
    }
  }

  /// Silences the haptics of all that plays and will play, while their time goes on.
  func mute(_ isMuted: Bool) {
    self.isMuted = isMuted
    for player in taps + fading + continuous.values.map(\.player) + patterns.map(\.player) {
      player.isMuted = isMuted
    }
  }

  /// Ends all at once, for the end of the service.
  func cancel() {
    for player in taps + fading + continuous.values.map(\.player) + patterns.map(\.player) {
      // An output that has closed is silent already.
      do throws(EngineError) { try player.cancel() } catch { continue }
    }
  }
}

// What time does.
extension OSCVoices {
  /// Sends values that wait and are due.
  func sendValues(_ now: Int64) throws(OSCRefusal) {
    settle(now)
    guard hasValues, now >= lastValues + Self.valueDistance else { return }
    lastValues = now
    let controlled = areControlsChanged ? patterns.map(\.player) : []
    areControlsChanged = false
    var first: EngineError?
    for (id, voice) in continuous where voice.isChanged {
      continuous[id]?.isChanged = false
      do throws(EngineError) { try send(voice, at: OSCMoment(nanoseconds: now)) } catch {
        first = first ?? error
      }
    }
    for player in controlled {
      do throws(EngineError) { try sendControls(player, at: OSCMoment(nanoseconds: now)) } catch {
        first = first ?? error
      }
    }
    if let first { throw OSCRefusal(first.message) }
  }

  /// Has values that were meant for a time that has come be the ones of now. What was sent ahead is sent once
  /// more to continuous events, which may have been changed since.
  private func settle(_ now: Int64) {
    let isFactorChanged = factor.settle(now)
    let areChanged = summand.settle(now) || isFactorChanged
    for id in continuous.keys {
      let isOwnChanged = continuous[id]?.intensity.settle(now) ?? false
      let isOtherChanged = continuous[id]?.sharpness.settle(now) ?? false
      if areChanged || isOwnChanged || isOtherChanged { continuous[id]?.isChanged = true }
    }
  }

  /// When ``sendValues(_:)`` has something to do, nanoseconds; nil for never.
  var due: Int64? {
    let values = [factor, summand] + continuous.values.flatMap { [$0.intensity, $0.sharpness] }
    let sending = hasValues ? lastValues + Self.valueDistance : nil
    return (values.map(\.next) + [sending]).compactMap { $0 }.min()
  }

  private var hasValues: Bool { areControlsChanged || continuous.values.contains { $0.isChanged } }

  /// Lets go of what has ended.
  /// - Parameter told: Gets the name of each pattern, and who asked for it.
  func sweep(_ told: (String, OSCSender) -> Void) {
    let count = continuous.count + patterns.count
    defer { if continuous.count + patterns.count < count { output.use() } }
    if output.hasFailed { continuous = [:] }
    continuous = continuous.filter { $0.value.player.isActive }
    for playing in patterns where output.hasFailed || !playing.player.isActive {
      told(playing.bare, playing.sender)
    }
    patterns.removeAll { output.hasFailed || !$0.player.isActive }
    fading.removeAll { output.hasFailed || !$0.isActive }
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

  private func start(_ pattern: Pattern, at moment: OSCMoment) throws(OSCRefusal) -> Player {
    let player = try makePlayer(pattern)
    // The end of a tap, too, is what the device's being given back is counted from.
    player.onFinish = { [bell = output.bell] _ in bell.ring() }
    try refusing { () throws(EngineError) in try player.start(at: moment.frame) }
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

  private func send(_ voice: Continuous, at moment: OSCMoment) throws(EngineError) {
    let intensity = voice.intensity.value(at: moment) * factor.value(at: moment)
    let sharpness = voice.sharpness.value(at: moment) + summand.value(at: moment)
    try voice.player.setControl(.hapticIntensityControl, intensity, at: moment.frame)
    try voice.player.setControl(.hapticSharpnessControl, min(max(sharpness, 0), 1), at: moment.frame)
  }

  private func sendControls(_ player: Player, at moment: OSCMoment) throws(EngineError) {
    try player.setControl(.hapticIntensityControl, factor.value(at: moment), at: moment.frame)
    try player.setControl(.hapticSharpnessControl, summand.value(at: moment), at: moment.frame)
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
