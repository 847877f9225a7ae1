import Glibc
import Synchronization
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// A busy pattern on a bracketed device and, if wanted, a second thread that starts and stops players and sends
/// parameters.
struct BusyScene {
  let device: BracketedDevice
  let output: Output
  let engine: Engine
  private let schedule: Schedule
  private let steady: Player

  /// Requests of the second thread a second of the output's timeline.
  static let requestsPerSecond = 500
  static let seconds = 10.0

  init(
    rate: Int, format: SampleFormat, profile: BusProfile, hasSound: Bool = false, pattern: Pattern = .busy,
    blocks: [Int], bracket: Bracket, finish: @escaping @Sendable () -> Void = {}
  ) throws {
    device = BracketedDevice(
      rate: rate, format: format, channels: hasSound ? 3 : 1, blocks: blocks,
      totalFrames: Int(Self.seconds * Double(rate)), bracket: bracket, finish: finish)
    var configuration = OutputConfiguration(profiles: [profile])
    if hasSound { configuration.map = ChannelMap([.haptic(0), .soundLeft, .soundRight]) }
    output = Output(device: device, configuration: configuration)
    engine = try output.makeEngine()
    schedule = hasSound ? Self.heard(pattern) : ScheduleCompiler.compile(pattern)
    steady = try engine.makePlayer(for: schedule)
    try steady.start()
  }

  /// A pattern with a tone of sound through all of it and a sound of 40 ms every 50 ms, looped, bent and ramped.
  private static func heard(_ pattern: Pattern) -> Schedule {
    var pattern = pattern
    pattern.entries.append(.event(Event(type: .audioContinuous, time: 0, duration: seconds)))
    var sounds = ScheduleSounds()
    let burst = Burst()
    for index in 0..<Int(seconds * 20) {
      var parameters = EventParameters()
      parameters[.audioPitch] = Float(index % 5) / 5
      parameters[.audioPan] = Float(index % 3) - 1
      parameters[.audioBrightness] = Float(index % 4) / 4
      sounds.set(
        burst, usesEnvelope: index % 2 == 0, isLooped: index % 7 == 0, forEntry: pattern.entries.count)
      pattern.entries.append(
        .event(
          Event(type: .audioCustom, time: Double(index) / 20, duration: 0.06, parameters: parameters)))
    }
    return ScheduleCompiler.compile(pattern, sounds: sounds)
  }

  /// Renders the pattern alone.
  func playAlone() throws {
    device.permittedFrame.store(.max, ordering: .relaxed)
    try output.start()
    device.join()
  }

  /// Renders while the calling thread sends requests; throws when one of them is refused.
  func playAmidRequests(seed: UInt64) throws {
    try output.start()
    var traffic = try Traffic(engine: engine, schedule: schedule, seed: seed)
    let framesPerRequest = Int64(8000 / Self.requestsPerSecond)
    let requests = Int(Self.seconds) * Self.requestsPerSecond
    // Ahead of the render thread by a few requests, so that both work at once, and never by more than the queue holds.
    let lead = 4 * framesPerRequest
    for request in 0..<requests {
      let frame = Int64(request) * framesPerRequest
      while output.status.playhead.value + lead < frame { usleep(20) }
      try traffic.send()
      device.permittedFrame.store(frame, ordering: .relaxed)
    }
    device.permittedFrame.store(.max, ordering: .relaxed)
    device.join()
    output.close()
  }
}

/// Requests of all kinds in a random order that the seed decides.
struct Traffic {
  private let engine: Engine
  private let schedule: Schedule
  private var players: [Player]
  private var random: UInt64

  init(engine: Engine, schedule: Schedule, seed: UInt64) throws {
    self.engine = engine
    self.schedule = schedule
    random = seed
    players = try (0..<8).map { _ in try engine.makePlayer(for: schedule) }
  }

  /// Sends one request.
  mutating func send() throws(EngineError) {
    let index = number(below: players.count)
    let player = players[index]
    switch number(below: 16) {
    case 0...3: try player.start()
    case 4: try player.stop()
    case 5: try player.pause()
    case 6: try player.resume()
    case 7: try player.seek(to: Double(number(below: 9000)) / 1000)
    case 8: player.rate = 0.5 + Float(number(below: 3))
    case 9: player.isLooping.toggle()
    case 10: try player.cancel()
    case 11: engine.isMutedForHaptics.toggle()
    case 12:
      // The slot of the one let go of comes back by the release queue; left to play, it would keep it for seconds.
      try player.cancel()
      do throws(EngineError) {
        players[index] = try engine.makePlayer(for: schedule)
      } catch {
        // This test's time runs faster than the handler thread hands slots back; until then, play the old one.
        guard case .playersExhausted = error.code else { throw error }
        try player.start()
      }
    case 13:
      let points = (0..<4).map {
        ParameterCurve.Point(time: Double($0) * 0.01, value: Float(number(below: 100)) / 100)
      }
      try player.scheduleCurve(ParameterCurve(id: .hapticIntensityControl, time: 0, points: points))
    default:
      let value = Float(number(below: 100)) / 100
      let controls: [DynamicParameterID] = [
        .hapticIntensityControl, .hapticSharpnessControl, .audioVolumeControl, .audioPitchControl,
      ]
      try player.setControl(controls[number(below: controls.count)], value)
    }
  }

  /// Splitmix64, of its own here so that this file also stands alone in the sanitizer's program.
  private mutating func number(below bound: Int) -> Int {
    random &+= 0x9E37_79B9_7F4A_7C15
    var z = random
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }
}

/// 40 ms of a saw, in one channel.
private final class Burst: SoundSource {
  var seconds: Double { 0.04 }

  func samples(atRate rate: Int) throws(EngineError) -> SoundSamples {
    let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: rate / 25)
    for frame in memory.indices { memory.initializeElement(at: frame, to: Float(frame % 100) / 100 - 0.5) }
    return SoundSamples(takingOver: memory, rate: rate, channels: 1)
  }
}

extension BusProfile {
  /// An LRA that is driven and braked, with every limit.
  static let lra = BusProfile(
    name: "lra", law: .power(1.5), drive: .resonant(resonanceHz: 175, q: 15), highPassHz: 20,
    protection: .init(ratedSquare: 0.05, excursion: .init(resonanceHz: 175, q: 15, ratio: 0.5)))
  /// A voice coil made flat, under the soft ceiling.
  static let coil = BusProfile(
    name: "coil", law: .sensation(30),
    drive: .equalizer(resonanceHz: 65, q: 3, targetHz: 40, targetQ: 0.707), gain: 2, highPassHz: 20,
    protection: .init(excursion: .init(resonanceHz: 65, q: 3, ratio: 0.5), peak: .softCeiling))
  /// A loudspeaker, two octaves up.
  static let speaker = BusProfile(
    name: "speaker", drive: .speaker(octaves: 2), highPassHz: 100, protection: .init())
}

extension Pattern {
  /// Ten seconds: a tone, a curve with a corner every 100 ms, and a tap every 50 ms.
  static var busy: Pattern {
    var tone = EventParameters()
    tone[.hapticIntensity] = 0.6
    var entries = [Entry.event(Event(type: .hapticContinuous, time: 0, duration: 10, parameters: tone))]
    let corners = (0...100).map {
      ParameterCurve.Point(time: Double($0) / 10, value: $0 % 2 == 0 ? 0.3 : 1)
    }
    entries.append(.curve(ParameterCurve(id: .hapticIntensityControl, time: 0, points: corners)))
    for index in 0..<200 {
      var tap = EventParameters()
      tap[.hapticIntensity] = 0.9
      tap[.hapticSharpness] = Float(index % 10) / 10
      entries.append(.event(Event(type: .hapticTransient, time: Double(index) / 20, parameters: tap)))
    }
    return Pattern(entries: entries)
  }
}
