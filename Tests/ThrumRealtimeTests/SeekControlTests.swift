import Testing

@testable import ThrumRealtime

@Suite("A seek among controls")
struct SeekControlTests {
  private let clock = PatternClock(frame: 0, position: 0, rate: 1)

  /// A curve of ramps and of steps, some of several points on a frame.
  private let points: [ControlPoint] = {
    var points: [ControlPoint] = []
    for index in 0..<400 {
      let frame = index / 3 * 7 + index % 2 * (index % 5)
      points.append(ControlPoint(frame: Int64(frame), value: Float(index * 37 % 100) / 100))
    }
    return points.sorted { $0.frame < $1.frame }
  }()

  @Test("finds a curve where playing it would have come to")
  func curves() {
    let memory = UnsafeMutablePointer<Step>.allocate(capacity: 2 * StepHistory.capacity)
    defer { memory.deallocate() }
    points.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for target in Int64(0)...960 {
        var played = ControlTrack(neutral: 1, history: StepHistory(steps: memory))
        played.write(patternCurve: base, count: Int32(buffer.count), at: 0, clock: clock)
        for frame in 0...target {
          played.history.forget(before: frame)
          played.advance(to: frame, clock: clock)
        }
        var sought = ControlTrack(neutral: 1, history: StepHistory(steps: memory + StepHistory.capacity))
        sought.write(patternCurve: base, count: Int32(buffer.count), at: target, clock: clock)
        #expect(sought.isConstant == played.isConstant)
        for frame in target...target + 20 {
          played.history.forget(before: frame)
          sought.history.forget(before: frame)
          played.advance(to: frame, clock: clock)
          sought.advance(to: frame, clock: clock)
          #expect(sought.value(at: frame) == played.value(at: frame), "sought \(target), frame \(frame)")
        }
      }
    }
  }

  @Test("takes the writers that it is told, and looks for none", arguments: [false, true])
  func writers(_ isStopped: Bool) {
    let rig = TestRig()
    let schedule = TestSchedule(
      events: [
        ScheduledEvent(
          startFrame: 0, durationFrames: 16_000, kind: .continuous, intensity: 1, sharpness: 0.5),
        ScheduledEvent(
          startFrame: 8000, durationFrames: 8000, kind: .continuous, intensity: 1, sharpness: 0.5),
      ],
      items: [
        ControlItem(startFrame: 0, parameter: .hapticIntensity, value: 0.5),
        // Not named by the seek: whoever looked backwards would find silence.
        ControlItem(startFrame: 4000, parameter: .hapticIntensity, value: 0),
      ], durationFrames: 16_000)
    var latest = SIMD16<Int32>(repeating: -1)
    latest[0] = 0
    rig.send(.addPlayer(player: 0, engine: 0, bus: 0, schedule: rig.keep(schedule).view))
    if !isStopped { rig.send(.start(player: 0, run: 1)) }
    let seek = CommandAction.seek(
      player: 0, frame: 8000, eventIndex: 1, itemIndex: 2, latestItems: latest)
    rig.send(seek, at: 800)
    if isStopped { rig.send(.start(player: 0, run: 1), at: 808) }
    let samples = rig.render(4000)
    let peak = samples[2000...].map { abs($0) }.max() ?? 0
    #expect(abs(peak - 0.25) < 0.01)
  }
}
