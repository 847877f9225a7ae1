import Foundation
import Synchronization
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

/// A real PCM of libasound's whose time is the card's, turned by hand; its thread attends to the clock.
struct HandTurnedPCM: PCMCalls {
  let pcm: PCM
  let clock: HandClock

  func state() -> PCMState { pcm.state() }
  func avail() -> Int { pcm.avail() }
  func delay() -> Int { pcm.delay() }
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int { pcm.write(frames, count: count) }
  func prepare() -> Int32 { pcm.prepare() }
  func start() -> Int32 { pcm.start() }
  func resume() -> Int32 { pcm.resume() }
  func drain() -> Int32 { pcm.drain() }
  func drop() -> Int32 { pcm.drop() }
  func close() { pcm.close() }
  func reopen() -> Int32 { pcm.reopen() }
  func now() -> Int64 { clock.now() }

  func wait(timeoutNanoseconds: Int64) -> Int32 {
    let deadline = clock.now() + timeoutNanoseconds
    let rest = clock.rest(timeoutNanoseconds)
    defer { clock.rise(rest) }
    while true {
      // Real time only paces the looks at the other clock.
      let flags = pcm.wait(timeoutNanoseconds: 1_000_000)
      if flags != 0 || clock.now() >= deadline { return flags }
    }
  }

  func sleep(nanoseconds: Int64) -> Int32 {
    clock.sleep(nanoseconds)
    return 0
  }
}

/// The tests that turn the clock, one at a time: there is one in a process.
@Suite(.serialized) enum HandClockTests {}

/// The loop on a card whose clock a test turns: exact, and the same on a loaded machine.
final class HandTurnedRun<Source: FrameSource & Sendable>: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: used by the test's thread, and by the loop's between its start and `done`.
  let source: Source
  let control: LoopControl
  let parameters: NegotiatedParameters
  let pcm: PCM
  private let clock: HandClock
  private let done = Atomic<Bool>(false)
  private var end: LoopEnd?

  /// Opens a card.
  init(
    _ card: TestCard, _ request: ALSARequest = ALSARequest(rate: 8000, format: .s32, channels: 1),
    awayLimitSeconds: Double = 1e9, hiddenLimitSeconds: Double = 2, startPatienceSeconds: Double = 1,
    source: (NegotiatedParameters) throws -> Source
  ) throws {
    clock = try HandClock()
    control = LoopControl(
      awayLimitSeconds: awayLimitSeconds, hiddenLimitSeconds: hiddenLimitSeconds,
      startPatienceSeconds: startPatienceSeconds)
    pcm = try PCM(name: "card", configuration: card.configuration)
    parameters = try pcm.configure(request)
    self.source = try source(parameters)
  }

  /// Plays so many frames to the end, or until the device is given up.
  /// - Parameter holdUp: When the program is held up, and for how long.
  func play(frames: Int64, holdUp: (afterSeconds: Double, forSeconds: Double)? = nil) -> LoopEnd? {
    control.endFrame.store(frames, ordering: .relaxed)
    clock.attend(1)
    Thread.detachNewThread { [self] in
      let device = HandTurnedPCM(pcm: pcm, clock: clock)
      end = PlaybackLoop(device: device, source: source, parameters: parameters, control: control).run()
      pcm.close()
      done.store(true, ordering: .releasing)
      clock.attend(-1)
    }
    if let holdUp {
      if clock.advance(Int64(holdUp.afterSeconds * 1e9), 60) != 0 { return nil }
      clock.jump(Int64(holdUp.forSeconds * 1e9))
    }
    let limit = clock.now() + (frames / Int64(parameters.rate) + 120) * 1_000_000_000
    while !done.load(ordering: .acquiring) {
      // The program stands still, or never ends: nil is no end that a test could expect.
      let isStuck = clock.advance(100_000_000, 60) != 0 || clock.now() > limit
      if isStuck && !done.load(ordering: .acquiring) { return nil }
    }
    return end
  }
}

extension HandTurnedRun where Source == CountingSource {
  /// Opens a card for frames that tell their place.
  convenience init(
    _ card: TestCard, awayLimitSeconds: Double = 1e9, hiddenLimitSeconds: Double = 2,
    startPatienceSeconds: Double = 1
  ) throws {
    try self.init(
      card, awayLimitSeconds: awayLimitSeconds, hiddenLimitSeconds: hiddenLimitSeconds,
      startPatienceSeconds: startPatienceSeconds
    ) { CountingSource(parameters: $0) }
  }
}
