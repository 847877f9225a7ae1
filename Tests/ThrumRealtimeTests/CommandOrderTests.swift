import Testing

@testable import ThrumRealtime

/// Commands that wait: put in order within a bound, and dropped in one pass.
@Suite struct CommandOrderTests {
  /// A tone of 100 s that plays.
  private func rig() -> TestRig {
    let rig = TestRig()
    let tone = ScheduledEvent(
      startFrame: 0, durationFrames: 800_000, kind: .continuous, intensity: 1, sharpness: 0.5)
    rig.play(TestSchedule(events: [tone], durationFrames: 800_000))
    #expect(rig.render(64).contains { $0 != 0 })
    return rig
  }

  private func queued(_ rig: TestRig) -> Int {
    rig.port.commands.capacity - rig.port.commands.freeCapacity
  }

  private func applied(_ rig: TestRig) -> Int {
    rig.port.status.pointee.appliedCommands.load(ordering: .relaxed)
  }

  @Test("A thousand commands in reverse are put in order over some blocks, and none is lost")
  func reverse() {
    let rig = rig()
    for index in 0..<1000 {
      rig.send(.setControl(player: 0, parameter: .hapticIntensity, value: 0.5), at: Int64(16_000 - 8 * index))
    }
    #expect(queued(rig) == 1000)
    #expect(rig.render(8, by: 8).count == 8)
    // 4096 moves are reached with the 92nd command: 91·90/2 = 4095.
    #expect(queued(rig) == 1000 - 92)
    var blocks = 1
    while queued(rig) > 0, blocks < 1000 {
      #expect(rig.render(8, by: 8).count == 8)
      blocks += 1
    }
    #expect(queued(rig) == 0)
    // 999·1000/2 moves, 4096 and less than a thousand more a block.
    #expect((100...123).contains(blocks))
    #expect(applied(rig) == 2)
    // The last sent are the first to apply, on frames 8008 and 8016.
    #expect(rig.render(8024 - 64 - 8 * blocks).contains { $0 != 0 })
    #expect(applied(rig) == 4)
    #expect(rig.render(8000).count == 8000)
    #expect(applied(rig) == 1002)
  }

  @Test("A cancel drops what happens to its player once, and nothing else")
  func cancel() {
    let rig = rig()
    let other = TestSchedule(events: [], durationFrames: 80)
    rig.send(.addPlayer(player: 1, engine: 0, bus: 0, schedule: rig.keep(other).view))
    for index in 0..<300 {
      rig.send(.start(player: 0, run: Int32(index)), at: Int64(8000 + 8 * index))
      rig.send(.start(player: 1, run: Int32(index)), at: Int64(8000 + 8 * index))
      rig.send(.setRate(player: 0, rate: 2), at: Int64(8000 + 8 * index))
    }
    #expect(rig.render(8, by: 8).count == 8)
    #expect(queued(rig) == 0)
    rig.send(.cancel(player: 0))
    #expect(rig.render(8, by: 8).count == 8)
    // The player and its start, the other player; 300 starts and the stop.
    #expect(applied(rig) == 3 + 300 + 1)
    #expect(rig.render(16_000).count == 16_000)
    #expect(applied(rig) == 3 + 901)
    var ends = [Int32: Int32]()
    for case .playerFinished(let player, _, _, _, let count) in rig.notifications() {
      ends[player, default: 0] += count
    }
    #expect(ends == [0: 301, 1: 300])
  }

  @Test("Runs are told of in the order of their ends, whatever the block size")
  func orderOfEnds() {
    func run(_ size: Int) -> [Int32] {
      let rig = TestRig()
      // The lower the slot, the later the end; all within one block of 64.
      for player in 0..<6 {
        let tap = ScheduledEvent(
          startFrame: 0, durationFrames: 0, kind: .transient, intensity: 1, sharpness: 1)
        rig.play(
          TestSchedule(events: [tap], durationFrames: 0), player: Int32(player), at: Int64(40 - 6 * player))
      }
      #expect(rig.render(400, by: size).contains { $0 != 0 })
      return rig.notifications().compactMap { notification in
        guard case .playerFinished(let player, _, _, _, _) = notification else { return nil }
        return player
      }
    }
    #expect(run(64) == [5, 4, 3, 2, 1, 0])
    #expect(run(8) == run(64))
    #expect(run(400) == run(64))
  }

  @Test("What a profile's gain drives beyond full scale is full scale, without dither")
  func clipped() {
    let loud = BusProfile(name: "loud", gain: 8)
    let rig = TestRig(profiles: [loud], format: .s16)
    let tone = ScheduledEvent(
      startFrame: 0, durationFrames: 8000, kind: .continuous, intensity: 1, sharpness: 0.5)
    rig.play(TestSchedule(events: [tone], durationFrames: 8000))
    let bytes = rig.bytes(4000)
    let words = stride(from: 0, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    let saturated = rig.port.status.pointee.saturatedSamples.load(ordering: .relaxed)
    #expect(saturated > 2000)
    #expect(words.count { abs(Int($0)) == 32767 } >= saturated)
  }
}
