import Synchronization
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// The handler thread, fed by hand where the render thread would be.
@Suite struct NotificationPumpTests {
  /// A pump over a renderer that nobody turns: the test is the producer of its queues.
  struct Fed {
    let feed = OutputFeed(
      stage: OutputStage(
        settings: RendererSettings(), profiles: [.none], map: .allHaptic(channels: 1), rate: 8000,
        format: .float))
    let console: Console
    let pump: NotificationPump
    let log = EventLog()

    init() throws {
      console = Console(feed: feed, settings: RendererSettings())
      pump = NotificationPump(console: console)
      console.withState { [log] in $0.observers.append { log.append($0) } }
      try pump.start()
    }

    func push(_ notification: Notification) -> Bool {
      feed.stage.pointee.port.notifications.push(notification)
    }
  }

  @Test func everythingIsDeliveredInOrder() throws {
    let fed = try Fed()
    var pushed = 0
    for entry in 0..<20_000 {
      let notification = Notification.eventStarted(
        player: Int32(entry % 64), entryIndex: UInt32(entry), kind: .transient, frame: Int64(entry))
      // A full queue is the producer's matter: here it waits for the pump.
      while !fed.push(notification) { fed.pump.flush() }
      pushed += 1
    }
    fed.pump.flush()
    #expect(fed.log.onsets == (0..<pushed).map { [$0, $0] })
    fed.pump.stop()
  }

  @Test func handlersRunOneAtATimeOnOneThread() throws {
    let fed = try Fed()
    let threads = Log<UInt>()
    fed.console.withState { $0.observers.append { _ in threads.append(currentThread()) } }
    for frame in 0..<100 { #expect(fed.push(.commandApplied(frame: Int64(frame), lateness: 1))) }
    fed.pump.flush()
    #expect(threads.values.count == 100)
    #expect(Set(threads.values).count == 1)
    #expect(threads.values.first != currentThread())
    fed.pump.stop()
  }

  @Test func aHandlerMayWaitForTheNextOnes() throws {
    let fed = try Fed()
    let order = Log<Int64>()
    fed.console.withState { state in
      state.observers = [
        { [pump = fed.pump] event in
          guard case .commandApplied(let frame, _) = event else { return }
          order.append(frame.value)
          // From within the first, all the others are called.
          if frame.value == 0 { pump.flush() }
          order.append(-frame.value)
        }
      ]
    }
    for frame in 0..<4 { #expect(fed.push(.commandApplied(frame: Int64(frame), lateness: 0))) }
    fed.pump.flush()
    #expect(order.values == [0, 1, -1, 2, -2, 3, -3, 0])
    fed.pump.stop()
    // The observer holds the pump.
    fed.console.withState { $0.observers = [] }
  }

  @Test func aHandlerMayDoAnything() throws {
    let rig = try Rig()
    let schedule = schedule(tap(0))
    let started = Log<Player>()
    rig.output.observe { [engine = rig.engine] event in
      guard case .finished = event, started.values.count < 3 else { return }
      do {
        let player = try engine.makePlayer(for: schedule)
        started.append(player)
        try player.start()
        player.isMuted = true
      } catch {
        Issue.record("\(error)")
      }
    }
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule)
    try player.start()
    for _ in 0..<8 { rig.turn(400) }
    #expect(rig.log.onsets.count == 4)
    #expect(rig.log.finishes.count == 4)
  }

  @Test func aHandlerMayCloseTheOutput() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    player.onFinish = { [output = rig.output] _ in output.close() }
    try player.start()
    try rig.output.start()
    rig.turn(800)
    #expect(!rig.output.isRunning)
    #expect(throws: EngineError.notRunning) { try player.start() }
    player.onFinish = nil
  }

  @Test func whatAHandlerHoldsIsLetGoOf() throws {
    final class Token: Sendable {}
    weak var weakToken: Token?
    let rig = try Rig()
    try rig.output.start()
    do {
      let token = Token()
      weakToken = token
      let player = try rig.engine.makePlayer(for: schedule(tap(0)))
      // Also a player that is held by its own handler is let go of with it.
      player.onFinish = { _ in withExtendedLifetime(token) {} }
      try player.start()
    }
    rig.turn(400)
    rig.turn(80)
    rig.turn(80)
    #expect(weakToken == nil)
  }

  @Test func callersOnManyThreadsAreOneProducer() async throws {
    let rig = try Rig()
    try rig.output.start()
    let engine = rig.engine
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            do throws(EngineError) {
              let player = try engine.makePlayer(for: schedule(tap(0)))
              try player.start()
              try player.setControl(.hapticIntensityControl, 0.5)
            } catch {
              // Full for the moment: that is what the error is for.
              let full: [EngineError.Code] = [.playersExhausted(limit: 64), .commandQueueFull(limit: 1024)]
              #expect(full.contains(error.code))
            }
          }
        }
      }
      group.addTask { for _ in 0..<100 { rig.device.discard(frames: 80) } }
    }
    for _ in 0..<8 { rig.turn(800) }
    let state = rig.output.console.withState { ($0.freePlayers.count, $0.commandsUnderWay) }
    #expect(state.0 == 64)
    #expect(state.1 == 0)
    #expect(rig.log.onsets.count == rig.log.finishes.count)
  }
}
