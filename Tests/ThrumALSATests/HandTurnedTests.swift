import Foundation
import Testing
import ThrumRealtime

@testable import ThrumALSA

/// A real PCM of libasound's whose time is the card's, turned by hand.
private struct HandTurnedPCM: PCMCalls {
  let pcm: PCM
  let clock: HandClock

  func state() -> PCMState { pcm.state() }
  func avail() -> Int { pcm.avail() }
  func delay() -> Int { pcm.delay() }
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int { pcm.write(frames, count: count) }
  func wait(timeoutNanoseconds: Int64) -> Int32 { pcm.wait(timeoutNanoseconds: timeoutNanoseconds) }
  func prepare() -> Int32 { pcm.prepare() }
  func start() -> Int32 { pcm.start() }
  func resume() -> Int32 { pcm.resume() }
  func drain() -> Int32 { pcm.drain() }
  func drop() -> Int32 { pcm.drop() }
  func reopen() -> Int32 { pcm.reopen() }
  func sleep(nanoseconds: Int64) -> Int32 { pcm.sleep(nanoseconds: min(nanoseconds, 1_000_000)) }
  func now() -> Int64 { clock.now() }
}

/// The loop through the real libasound, with time turned by hand: exact, and the same on a loaded machine.
@Suite(.serialized) struct HandTurnedTests {
  // Safety of `@unchecked Sendable`: run on one thread, read after it has ended.
  private final class Run: @unchecked Sendable {
    let source: CountingSource
    let control = LoopControl()
    let parameters: NegotiatedParameters
    private let pcm: PCM
    private let clock: HandClock
    private let done = DispatchSemaphore(value: 0)
    private(set) var end: LoopEnd?

    init(_ card: TestCard, _ request: ALSARequest) throws {
      clock = try HandClock()
      pcm = try PCM(name: "card", configuration: card.configuration)
      parameters = try pcm.configure(request)
      source = CountingSource(parameters: parameters)
    }

    func start(endFrame: Int64) {
      control.endFrame.store(endFrame, ordering: .relaxed)
      Thread.detachNewThread { [self] in
        let device = HandTurnedPCM(pcm: pcm, clock: clock)
        end = PlaybackLoop(device: device, source: source, parameters: parameters, control: control).run()
        pcm.close()
        done.signal()
      }
      // The clock may be turned once the card plays; until then it would stand for nothing.
      while control.renderedFrame.load(ordering: .relaxed) == 0 { sched_yield() }
    }

    func turn(seconds: Double) -> Int32 { clock.advance(Int64(seconds * 1e9), 20) }
    func jump(seconds: Double) { clock.jump(Int64(seconds * 1e9)) }
    func join() -> LoopEnd? {
      done.wait()
      return end
    }
  }

  @Test func tenMinutesAreExact() throws {
    let card = try TestCard("clock \"hand\"")
    let run = try Run(card, ALSARequest(rate: 8000, format: .s32))
    run.start(endFrame: 4_800_000)
    #expect(run.turn(seconds: 601) == 0)
    #expect(run.join() == .drained)
    #expect(run.control.counters.xruns == 0)
    let heard = try card.sound(rate: 8000)
    #expect(heard.count == 4_800_000)
    #expect(heard.enumerated().allSatisfy { $0.offset + 1 == Int($0.element.value) })
    #expect(try card.streams().count == 1)
  }

  @Test func aProgramHeldUpForFiftyMillisecondsGoesOnOnItsFrame() throws {
    let card = try TestCard("clock \"hand\"")
    let run = try Run(card, ALSARequest(rate: 8000, format: .s32))
    run.start(endFrame: 16000)
    #expect(run.turn(seconds: 1) == 0)
    run.jump(seconds: 0.05)
    #expect(run.turn(seconds: 2) == 0)
    #expect(run.join() == .drained)
    #expect(run.control.counters.xruns == 1)
    let heard = try card.sound(rate: 8000)
    let first = try #require(heard.first)
    let origin = first.nanoseconds - Int64(first.value - 1) * 125_000
    let worst = heard.map { abs($0.nanoseconds - origin - Int64($0.value - 1) * 125_000) }.max() ?? 0
    #expect(worst <= 125_000)
    #expect(heard.count + Int(run.control.counters.skippedFrames) == 16000)
    let streams = try card.streams()
    #expect(streams.count == 2)
    #expect(streams[0].why == "xrun")
  }
}
