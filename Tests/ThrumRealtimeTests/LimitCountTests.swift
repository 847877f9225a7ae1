import Testing
import ThrumRealtime

/// Which frames count as limited.
@Suite("Limited frames")
struct LimitCountTests {
  /// Frames counted of a constant through a protection alone, then silence.
  private func count(
    _ level: Float, peak: ActuatorProtection.Peak, loudFrames: Int = 80, frames: Int = 24_000
  ) -> Int {
    var chain = ActuatorChain(BusProfile(name: "x", protection: .init(ratedSquare: 1, peak: peak)))
    var samples = [Float](repeating: 0, count: frames)
    for index in 0..<loudFrames { samples[index] = level }
    samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: frames) }
    return chain.limitedFrames
  }

  @Test("are those turned down by a thousandth or more: not the last of a recovery")
  func recovery() {
    // From 0.49 to 0.999 of 1 at 80 ms an e-fold are 6.23 of those, 499 ms; to the last bit it were 1.6 s.
    let frames = count(2, peak: .lookAhead)
    let expected = 80 + 64 + 4 + Int(6.23 * 0.08 * 8000)
    #expect(abs(frames - expected) < 40, "\(frames), not \(expected)")
  }

  @Test("are none where a peak is a hair above the ceiling or the knee")
  func hair() {
    #expect(count(0.9805, peak: .lookAhead) == 0)
    #expect(count(0.8001, peak: .softCeiling) == 0)
    #expect(count(1.2, peak: .softCeiling) == 80)
  }
}
