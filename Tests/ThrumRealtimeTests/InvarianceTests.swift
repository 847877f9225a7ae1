import Testing

@testable import ThrumRealtime

/// A repeatable stream of numbers (splitmix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Patterns with a bit of everything.
enum BusyPattern {
  static func schedule(seed: UInt64, events count: Int = 60, frames: Int64 = 6000) -> TestSchedule {
    var random = SeededGenerator(seed: seed)
    func unit() -> Float { Float.random(in: 0...1, using: &random) }
    var events = [ScheduledEvent]()
    for _ in 0..<count {
      let start = Int64.random(in: 0..<frames, using: &random)
      if Bool.random(using: &random) {
        events.append(
          ScheduledEvent(
            startFrame: start, kind: .transient, intensity: unit(), sharpness: unit(), attack: unit() * 0.5,
            decay: unit() - 0.5))
      } else {
        events.append(
          ScheduledEvent(
            startFrame: start, durationFrames: Int64.random(in: 1...2000, using: &random), kind: .continuous,
            isSustained: Bool.random(using: &random), intensity: unit(), sharpness: unit(),
            attack: unit() * 0.3,
            decay: unit() * 0.5, release: unit() * 0.3))
      }
    }
    events.sort { $0.startFrame < $1.startFrame }
    var items = [ControlItem]()
    var points = [ControlPoint]()
    for parameter in [ControlID.hapticIntensity, .hapticSharpness, .hapticReleaseTime, .hapticAttackTime] {
      let neutral: Float = parameter == .hapticIntensity ? 1 : 0
      for _ in 0..<6 {
        let start = Int64.random(in: 0..<frames, using: &random)
        if Bool.random(using: &random) {
          items.append(ControlItem(startFrame: start, parameter: parameter, value: neutral - unit() * 0.5))
        } else {
          items.append(
            ControlItem(
              startFrame: start, parameter: parameter, firstPoint: Int32(points.count), pointCount: 4))
          var frame = start
          for _ in 0..<4 {
            points.append(ControlPoint(frame: frame, value: neutral - unit() * 0.5))
            // Some points share a frame: a step.
            frame += Bool.random(using: &random) ? 0 : Int64.random(in: 1...300, using: &random)
          }
        }
      }
    }
    items.sort { $0.startFrame < $1.startFrame }
    return TestSchedule(events: events, items: items, points: points, durationFrames: frames)
  }
}

/// The place of the first difference of two renders, nil when they are equal to the bit.
func firstDifference(_ a: [Float], _ b: [Float]) -> Int? {
  if a.count != b.count { return min(a.count, b.count) }
  return a.indices.first { a[$0].bitPattern != b[$0].bitPattern }
}

@Suite("A render does not depend on")
struct InvarianceTests {
  @Test("the sizes it is asked for", arguments: [8000, 44100, 48000], [BusProfile.none, .safe])
  func fillSize(rate: Int, profile: BusProfile) {
    let frames = rate == 8000 ? 9000 : 30_000
    let reference = TestRig(profiles: [profile], rate: rate)
    reference.play(BusyPattern.schedule(seed: 1))
    let expected = reference.render(frames, by: 480)
    #expect(expected.contains { abs($0) > 0.3 })
    for size in [1, 7, 64, 97, 1024] {
      let rig = TestRig(profiles: [profile], rate: rate)
      rig.play(BusyPattern.schedule(seed: 1))
      #expect(
        firstDifference(rig.render(frames, by: size), expected) == nil, "fills of \(size), rate \(rate)")
    }
  }

  @Test("the frame on which it starts", arguments: [1, 3, 8, 61, 1000])
  func startFrame(start: Int) {
    let reference = TestRig()
    reference.play(BusyPattern.schedule(seed: 2))
    let expected = reference.render(9000)
    let rig = TestRig()
    rig.play(BusyPattern.schedule(seed: 2), at: Int64(start))
    let samples = rig.render(9000 + start, by: 17)
    #expect(samples[..<start].allSatisfy { $0 == 0 })
    #expect(firstDifference(Array(samples[start...]), expected) == nil)
  }

  @Test("what else plays, so that a gap that is rendered and thrown away changes nothing")
  func skipping() {
    let reference = TestRig(profiles: [.safe], rate: 48000)
    reference.play(BusyPattern.schedule(seed: 3))
    let expected = reference.render(20_000)
    let rig = TestRig(profiles: [.safe], rate: 48000)
    rig.play(BusyPattern.schedule(seed: 3))
    #expect(firstDifference(rig.render(5000), Array(expected[..<5000])) == nil)
    rig.skip(3001)
    rig.rampIn()
    let after = rig.render(11_999)
    // 64 render frames are 384 device frames at 48 kHz.
    #expect(after[0] == 0)
    #expect(firstDifference(Array(after[384...]), Array(expected[8385...])) == nil)
    for index in 0..<384 { #expect(abs(after[index]) <= abs(expected[8001 + index])) }
  }

  /// The structure later capabilities stand on: engines, buses, a loop and a rate, all at once.
  @Test("its spans, with two engines, two buses and a looped player at rate 0.5", arguments: [1, 480])
  func enginesAndBuses(size: Int) {
    func render(by size: Int) -> [Float] {
      let rig = TestRig(
        profiles: [.none, .safe], map: ChannelMap([.haptic(0), .haptic(1), .silent]), rate: 48000)
      rig.send(
        .addPlayer(player: 0, engine: 0, bus: 0, schedule: rig.keep(BusyPattern.schedule(seed: 4)).view))
      rig.send(
        .addPlayer(
          player: 1, engine: 1, bus: 1, schedule: rig.keep(BusyPattern.schedule(seed: 5, frames: 999)).view))
      rig.send(.setRate(player: 1, rate: 0.5))
      rig.send(.setLoop(player: 1, isEnabled: true, endFrame: 901))
      rig.send(.start(player: 0, run: 1), at: 5)
      rig.send(.start(player: 1, run: 1), at: 11)
      rig.send(.setEngineMuted(engine: 1, isMuted: true), at: 4000)
      rig.send(.setEngineMuted(engine: 1, isMuted: false), at: 5000)
      rig.send(.setControl(player: 1, parameter: .hapticSharpness, value: 0.3), at: 2000)
      return rig.render(60_000, by: size)
    }
    let expected = render(by: 64)
    for channel in 0..<2 {
      #expect(stride(from: channel, to: expected.count, by: 3).contains { abs(expected[$0]) > 0.1 })
    }
    #expect(stride(from: 2, to: expected.count, by: 3).allSatisfy { expected[$0] == 0 })
    #expect(firstDifference(render(by: size), expected) == nil)
  }
}
