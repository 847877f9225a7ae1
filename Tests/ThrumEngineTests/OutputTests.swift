import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Outputs as a whole: buses, channels, their figures and their ends.
@Suite struct OutputTests {
  /// A device that fails as soon as it has started.
  final class FailingDevice: OutputDevice {
    let output = OutputDescription(
      name: "failing", rate: 8000, channels: 1, format: .float, periodFrames: 40, bufferFrames: 120)
    let counters = OutputCounters()
    let scheduling: String? = nil
    private let hasStarted = Log<Bool>()

    var end: OutputEnd? { hasStarted.values.isEmpty ? nil : .failed("the card was unplugged") }

    func start(_ feed: OutputFeed) throws(OutputError) { hasStarted.append(true) }

    func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd { end ?? .drained }

    func close() {}
  }

  /// A device that does not start.
  final class RefusingDevice: OutputDevice {
    let output = OutputDescription(
      name: "refusing", rate: 8000, channels: 1, format: .float, periodFrames: 40, bufferFrames: 120)
    let counters = OutputCounters()
    let scheduling: String? = nil

    func start(_ feed: OutputFeed) throws(OutputError) { throw OutputError("no") }

    func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd { .drained }

    func close() {}
  }

  @Test func aDeviceThatFailsEndsTheDrain() throws {
    let output = Output(device: FailingDevice())
    let player = try output.makeEngine().makePlayer(for: schedule(tap(0)))
    try player.start()
    try output.start()
    #expect(output.drain(timeoutSeconds: 3600) == .failed("the card was unplugged"))
    output.close()
  }

  @Test func aDeviceThatDoesNotStartLeavesAClosedOutput() throws {
    let output = Output(device: RefusingDevice())
    #expect(throws: OutputError("no")) { try output.start() }
    #expect(!output.isRunning)
    #expect(throws: EngineError.notRunning) { try output.makeEngine() }
    #expect(output.drain(timeoutSeconds: 3600) == .drained)
  }

  /// Something that a handler holds.
  private final class Held: Sendable {
    let player: Player?
    init(_ player: Player? = nil) { self.player = player }
  }

  @Test(
    "A closed output lets go of what its handlers hold, the output's own players too", arguments: [0, 1, 2])
  func handlersEnd(_ kind: Int) throws {
    weak var output: Output?
    weak var console: Console?
    weak var ofRun: Held?
    weak var ofObserver: Held?
    do {
      let own = Output(device: VirtualOutput(isTurnedByHand: true))
      (output, console) = (own, own.console)
      let player = try own.makeEngine().makePlayer(for: schedule(tone(0, duration: 10)))
      let (first, second) = (Held(player), Held())
      (ofRun, ofObserver) = (first, second)
      player.onFinish = { _ in withExtendedLifetime(first) {} }
      own.observe { [weak own] _ in
        withExtendedLifetime(second) {}
        if kind == 2 { own?.close() }
      }
      try player.start()
      if kind > 0 {
        try own.start()
        (own.device as? VirtualOutput)?.discard(frames: 800)
        own.flushHandlers()
      }
      own.close()
      // One that was closed by its own handler is done with its handlers when the thread has ended.
      own.flushHandlers()
      player.onFinish = { _ in withExtendedLifetime(first) {} }
      #expect(player.onFinish == nil)
    }
    #expect(ofRun == nil)
    #expect(ofObserver == nil)
    #expect(output == nil)
    #expect(console == nil)
  }

  @Test func busesGoToTheirChannels() throws {
    let device = VirtualOutput(channels: 3, isTurnedByHand: true)
    let output = Output(
      device: device,
      configuration: OutputConfiguration(
        profiles: [.none, .none], map: ChannelMap([.haptic(1), .silent, .haptic(0)])))
    let engine = try output.makeEngine()
    let first = try engine.makePlayer(for: schedule(tap(0, sharpness: 1)), bus: 0)
    let second = try engine.makePlayer(for: schedule(tap(0, sharpness: 0)), bus: 1)
    try first.start()
    try second.start()
    try output.start()
    let samples = floats(device.advance(frames: 600))
    let channels = (0..<3).map { channel in (0..<600).map { samples[3 * $0 + channel] } }
    // Signal model, section 2: 547 frames at sharpness 0, 110 at 1.
    #expect(channels[0].lastIndex { $0 != 0 } == 546)
    #expect(channels[1].allSatisfy { $0 == 0 })
    #expect(channels[2].lastIndex { $0 != 0 } == 109)
  }

  @Test func aCommandForAFrameThatHasPassedIsCountedAsLate() throws {
    let rig = try Rig()
    let players = try (0..<3).map { _ in try rig.engine.makePlayer(for: schedule(tap(0))) }
    try rig.output.start()
    rig.turn(800)
    try players[0].start(at: RenderFrame(400))
    try players[1].start()
    try players[2].start(at: RenderFrame(1600))
    rig.turn(1600)
    #expect(rig.output.status.lateCommands == 1)
  }

  @Test func theStatusCounts() throws {
    var settings = RendererSettings()
    settings.voiceCapacity = 4
    let rig = try Rig(settings: settings)
    let players = try (0..<6).map { _ in try rig.engine.makePlayer(for: schedule(tone(0, duration: 1))) }
    for player in players { try player.start() }
    #expect(rig.output.status.commandsUnderWay == 12)
    #expect(rig.output.status.playhead == RenderFrame(0))
    try rig.output.start()
    rig.turn(800)
    let status = rig.output.status
    #expect(status.commandsUnderWay == 0)
    #expect(status.playhead == RenderFrame(800))
    #expect(status.currentFrame == RenderFrame(800))
    #expect(status.stolenVoices == 2)
    #expect(status.activeVoices == 4)
    #expect(status.droppedNotifications == 0)
    #expect(status.deviceDelayFrames == 0)
    #expect(status.scheduling == nil)
    #expect(status.device.writtenFrames == 800)
  }

  @Test func allPlayersAreStoppedTogether() throws {
    let rig = try Rig()
    let players = try (0..<3).map { _ in try rig.engine.makePlayer(for: schedule(tone(0, duration: 10))) }
    try players[0].start()
    try players[1].start(at: RenderFrame(400))
    try rig.output.start()
    rig.turn(800)
    try rig.output.stopPlayers()
    let samples = rig.turn(800)
    #expect(samples[61...].allSatisfy { $0 == 0 })
    #expect(players.allSatisfy { !$0.isActive })
    #expect(rig.log.finishes.count == 2)
    #expect(rig.output.drain(timeoutSeconds: 0) == .drained)
  }

  @Test func aScheduledPauseLetsTheDrainGoWhenItComes() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 10)))
    try player.start()
    try player.pause(at: RenderFrame(1600))
    try rig.output.start()
    #expect(rig.output.drain(timeoutSeconds: 5) == .drained)
    #expect(player.isActive)
    let taken = rig.device.counters.writtenFrames
    #expect((1600...1800).contains(taken))
  }
}
