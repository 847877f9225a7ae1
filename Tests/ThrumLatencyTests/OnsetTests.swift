import Glibc
import Testing
import ThrumLatency

@Suite("The onset of a motion")
struct OnsetTests {
  private func recording(
    start: Double, amplitude: Double, noise: Double, offset: Double = 0, rise: Double = 0, seed: UInt64 = 1
  ) -> [Float] {
    var random = SeededRandom(seed: seed)
    return (0..<2000).map { frame in
      let time = Double(frame) - start
      let ramp = rise > 0 ? min(time / rise, 1) : 1
      let motion = time > 0 ? amplitude * ramp * sin(time * 0.3) * exp(-time / 300) : 0
      return Float(offset + motion + noise * (2 * random.unit() - 1))
    }
  }

  @Test(
    "It is found within a frame, with gravity and without", arguments: [0.0, 0.5], [1, 2, 3] as [UInt64])
  func found(offset: Double, seed: UInt64) throws {
    let samples = recording(start: 700.4, amplitude: 0.4, noise: 0.001, offset: offset, seed: seed)
    let onset = try OnsetDetector().find(in: samples, quietFrames: 500)
    #expect(onset.position >= 700.4 - 1 && onset.position < 701.5, "seed \(seed): \(onset)")
    #expect(onset.signalToNoise > 40)
    // Six deviations of even noise, which are 1/√3 of its largest value.
    #expect(abs(onset.threshold - 6 * 0.001 / 3.0.squareRoot()) < 0.0004)
  }

  @Test("A slow rise is found late by the time it takes to the threshold, and never early")
  func slow() throws {
    let samples = recording(start: 700, amplitude: 0.4, noise: 0.001, rise: 200)
    let low = try OnsetDetector(thresholdDeviations: 6).find(in: samples, quietFrames: 500)
    let high = try OnsetDetector(thresholdDeviations: 24).find(in: samples, quietFrames: 500)
    #expect(700 < low.position && low.position < high.position && high.position < 720)
  }

  @Test("What cannot be told is refused: stillness, too much noise, motion before its time, one stray frame")
  func refusals() throws {
    let detector = OnsetDetector()
    let still = recording(start: 5000, amplitude: 0, noise: 0.01)
    #expect(throws: Motionless.self) { try detector.find(in: still, quietFrames: 500) }
    let noisy = recording(start: 700, amplitude: 0.05, noise: 0.01)
    do {
      let onset = try detector.find(in: noisy, quietFrames: 500)
      Issue.record("\(onset)")
    } catch {
      guard case .tooNoisy(let ratio) = error else { throw error }
      #expect(ratio < 20)
    }
    #expect(throws: Motionless.restless) {
      var early = recording(start: 700, amplitude: 0.5, noise: 0.001)
      early[100] = 0.5
      return try detector.find(in: early, quietFrames: 500)
    }
    var stray = recording(start: 900, amplitude: 0.4, noise: 0.001)
    stray[650] = 0.3
    #expect(try detector.find(in: stray, quietFrames: 500).position > 899)
  }

  @Test("A sensor that tells zeros at rest has a threshold all the same")
  func zeros() throws {
    let samples = recording(start: 700, amplitude: 0.4, noise: 0)
    let onset = try OnsetDetector().find(in: samples, quietFrames: 500)
    #expect(onset.threshold > 0 && (700..<702).contains(onset.position))
  }
}
