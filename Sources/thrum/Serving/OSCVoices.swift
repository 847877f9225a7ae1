import ThrumEngine
import ThrumOSC
import ThrumPattern
import ThrumRealtime

/// What plays on behalf of OSC and of controllers: taps, continuous events by their ids, and patterns by their names.
///
/// Lives on the main thread. A live value that comes faster than once in a millisecond is sent once in a millisecond, the
/// last one of each always.
final class OSCVoices {
  /// The most that play at a time, of each kind; the output has room for them besides the feedbacks of D-Bus.
  static let most = (taps: 112, continuous: 32, patterns: 32, fading: 64)

  private struct Playing {
    /// Without its `.ahap`, and as it is: what is sent is not printed.
    var name: String
    var sender: OSCSender
    var player: Player
  }

  /// What they play on.
  let output: any LiveOutput
  private var taps: [Player] = []
  private var continuous = OSCContinuous()
  /// Continuous events whose ids others took over at once, up to their end.
  private var fading: [Player] = []
  private var patterns: [Playing] = []
  /// What multiplies every intensity.
  private var factor = OSCTimedValue(1)
  /// What is added to every sharpness.
  private var summand = OSCTimedValue(0)
  private(set) var isMuted = false
  private var areControlsChanged = false
  private var lastValues: Int64 = 0

  /// Called with the name of each pattern that has ended, and who asked for it.
  var onEnd: (String, OSCSender) -> Void = { _, _ in }
  /// Called with each live value that holds from now on, which others may show or share.
  var onParameter: (ControlEvent) -> Void = { _ in }

  init(output: any LiveOutput) { self.output = output }

  /// What multiplies every intensity now.
  var intensity: Float { factor.current }
  /// What is added to every sharpness now.
  var sharpness: Float { summand.current }

  /// How many patterns and continuous events play.
  var counts: (taps: Int, continuous: Int, patterns: Int) {
    (taps.count { $0.isActive }, continuous.idCount, patterns.count)
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
    let tap = LiveTouch.tap(
      intensity: intensity * factor.value(at: moment), sharpness: sharpness + summand.value(at: moment))
    taps.append(try start(tap, at: moment))
  }

  /// Begins a continuous event; one of the same id that sounds then ends.
  func begin(_ id: String, intensity: Float, sharpness: Float, at moment: OSCMoment) throws(OSCRefusal) {
    // Before the one of this id is ended: what is refused leaves it as it is.
    if continuous.has(id) {
      fading.removeAll { !$0.isActive }
      guard fading.count + continuous.followedCount < Self.most.fading else {
        throw OSCRefusal("\(Self.most.fading) continuous events fade already, which is all that fit")
      }
    } else if continuous.idCount >= Self.most.continuous {
      throw OSCRefusal("\(Self.most.continuous) continuous events sound already, which is all that fit")
    }
    if let old = continuous[id, at: moment.nanoseconds] {
      try stop(old.player, at: moment.frame)
      if moment.frame == nil {
        continuous.remove(id, old)
        fading.append(old.player)
      } else {
        // Until then its id is its own.
        old.ends(at: moment.nanoseconds)
      }
    }
    let held = LiveTouch.held(
      intensity: intensity * factor.value(at: moment), sharpness: sharpness + summand.value(at: moment))
    let player = try start(held, at: moment)
    let voice = OSCContinuous.Voice(player, intensity: intensity, sharpness: sharpness, start: moment)
    if let next = continuous.insert(voice, id) {
      voice.ends(at: next.start)
      try stop(player, at: next.frame)
    }
  }

  /// Changes the values of a continuous event.
  func change(
    _ id: String, intensity: Float?, sharpness: Float?, at moment: OSCMoment
  ) throws(OSCRefusal) {
    guard let voice = continuous[id, at: moment.nanoseconds], !voice.isEnding(at: moment.nanoseconds) else {
      throw OSCRefusal("no continuous event \(printable(id)) sounds")
    }
    if let intensity { try voice.intensity.set(intensity, at: moment) }
    if let sharpness { try voice.sharpness.set(sharpness, at: moment) }
    if moment.frame != nil {
      try refusing { () throws(EngineError) in try send(voice, at: moment) }
    } else {
      voice.isChanged = true
    }
  }

  /// Ends a continuous event.
  func end(_ id: String, at moment: OSCMoment) throws(OSCRefusal) {
    guard let voice = continuous[id, at: moment.nanoseconds] else {
      throw OSCRefusal("no continuous event \(printable(id)) sounds")
    }
    try stop(voice.player, at: moment.frame)
    // Until then it can be changed.
    voice.ends(at: moment.nanoseconds)
  }

  /// Ends a continuous event, which may have ended by itself.
  func release(_ id: String, at moment: OSCMoment) throws(OSCRefusal) {
    if continuous[id, at: moment.nanoseconds] != nil { try end(id, at: moment) }
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
    let name = pattern.path.lastPart.text
    patterns.append(Playing(name: Self.bare(name), sender: call.sender, player: player))
  }

  /// Ends the patterns of a name; nil for all that sounds.
  func stop(_ name: String?, at moment: OSCMoment) throws(OSCRefusal) {
    let bare = name.map(Self.bare)
    for playing in patterns where bare == nil || playing.name == bare {
      try stop(playing.player, at: moment.frame)
    }
    guard name == nil else { return }
    for voice in continuous.voices where moment.frame == nil || voice.start <= moment.nanoseconds {
      try stop(voice.player, at: moment.frame)
      voice.ends(at: moment.nanoseconds)
    }
    for player in taps + fading where player.isActive { try stop(player, at: moment.frame) }
  }

  /// Changes what multiplies every intensity, or is added to every sharpness.
  func set(intensity: Float? = nil, sharpness: Float? = nil, at moment: OSCMoment) throws(OSCRefusal) {
    if let intensity { try factor.set(intensity, at: moment) }
    if let sharpness { try summand.set(sharpness, at: moment) }
    guard moment.frame != nil else {
      areControlsChanged = true
      for voice in continuous.voices { voice.isChanged = true }
      tellParameters(intensity, sharpness)
      return
    }
    try refusing { () throws(EngineError) in
      for voice in continuous.voices where !voice.isEnding(at: moment.nanoseconds) {
        // One that begins later has been given the values of before.
        if voice.start > moment.nanoseconds { voice.isChanged = true } else { try send(voice, at: moment) }
      }
      for playing in patterns { try sendControls(playing.player, at: moment) }
    }
  }

  /// Silences the haptics of all that plays and will play, while their time goes on.
  func mute(_ isMuted: Bool) {
    self.isMuted = isMuted
    for player in players {
      player.isMuted = isMuted
    }
  }

  /// Ends all at once, for the end of the service.
  func cancel() {
    for player in players {
      // An output that has closed is silent already.
      do throws(EngineError) { try player.cancel() } catch { continue }
    }
  }
}

// What time does.
extension OSCVoices {
  /// Sends values that wait and are due, and lets go of what has ended.
  func advance(_ now: Int64) throws(OSCRefusal) {
    settle(now)
    sweep()
    guard hasValues(now), now >= lastValues + LiveTouch.valueDistance else { return }
    lastValues = now
    let controlled = areControlsChanged ? patterns.map(\.player) : []
    areControlsChanged = false
    var first: EngineError?
    for voice in continuous.voices where voice.isChanged && voice.start <= now {
      voice.isChanged = false
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
    let isSummandChanged = summand.settle(now)
    tellParameters(isFactorChanged ? factor.current : nil, isSummandChanged ? summand.current : nil)
    for voice in continuous.voices {
      let isIntensityChanged = voice.intensity.settle(now)
      let isSharpnessChanged = voice.sharpness.settle(now)
      if isFactorChanged || isSummandChanged || isIntensityChanged || isSharpnessChanged {
        voice.isChanged = true
      }
    }
  }

  private func tellParameters(_ intensity: Float?, _ sharpness: Float?) {
    if let intensity { onParameter(.intensity(Double(intensity))) }
    if let sharpness { onParameter(.sharpness(Double(sharpness))) }
  }

  /// When ``advance(_:)`` has something to do, nanoseconds; nil for never, unless the output's bell rings.
  var due: Int64? {
    let voices = continuous.voices
    let values = [factor, summand] + voices.flatMap { [$0.intensity, $0.sharpness] }
    var due = values.compactMap(\.next)
    let sending = lastValues + LiveTouch.valueDistance
    if areControlsChanged { due.append(sending) }
    due += voices.filter(\.isChanged).map { max(sending, $0.start) }
    // A device that is gone for good rings nothing, and is looked at.
    if !isSilent { due.append(MonotonicClock.nanoseconds + 1_000_000_000) }
    return due.min()
  }

  private func hasValues(_ now: Int64) -> Bool {
    areControlsChanged || continuous.voices.contains { $0.isChanged && $0.start <= now }
  }

  /// Lets go of what has ended, also with a device that is gone for good.
  func sweep() {
    let count = continuous.idCount + patterns.count
    defer { if continuous.idCount + patterns.count < count { output.use() } }
    let isOver = output.hasFailed
    continuous.removeAll { isOver || !$0.player.isActive }
    for playing in patterns where isOver || !playing.player.isActive { onEnd(playing.name, playing.sender) }
    patterns.removeAll { isOver || !$0.player.isActive }
    fading.removeAll { isOver || !$0.isActive }
    if isOver { taps = [] }
  }
}

extension OSCVoices {
  private static func bare(_ name: String) -> String {
    name.hasSuffix(".ahap") ? String(name.dropLast(5)) : name
  }

  /// All that there are.
  private var players: [Player] {
    taps + fading + continuous.voices.map(\.player) + patterns.map(\.player)
  }

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

  private func send(_ voice: OSCContinuous.Voice, at moment: OSCMoment) throws(EngineError) {
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
