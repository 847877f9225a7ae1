import Testing

@testable import ThrumLatency

@Suite("A probe is found to a fraction of a frame")
struct CorrelatorTests {
  private func correlator(_ probe: Probe, frames: Int) throws -> Correlator {
    try #require(Correlator(probe: probe, capacity: frames))
  }

  @Test(
    "A delay is found to a hundredth of a frame, whatever its fraction, gain and sign",
    arguments: [0.0, 0.25, 0.5, 0.731], [1.0, -0.01])
  func fractions(fraction: Double, gain: Double) throws {
    var random = SeededRandom(seed: 1)
    for probe in [Probe.sequence(order: 8), .click] {
      let wire = SimulatedWire(delay: 200 + fraction, gain: gain)
      let recording = wire.recording(of: probe, frames: 800, &random)
      let arrival = try correlator(probe, frames: 800).find(in: recording)
      #expect(abs(arrival.position - wire.delay) < 0.001, "\(probe.kind): \(arrival)")
      #expect(abs(arrival.gain / gain - 1) < 0.002, "\(probe.kind): \(arrival)")
    }
  }

  @Test(
    "In noise at 20 dB each of many trials lies within a twentieth of a frame, and the ratio is told",
    arguments: [1, 2])
  func noise(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let probe = Probe.sequence(order: 8)
    let correlator = try correlator(probe, frames: 600)
    var worst = 0.0
    for _ in 0..<40 {
      let wire = SimulatedWire(delay: 100 + 150 * random.unit(), gain: 0.3, signalToNoise: 20)
      let arrival = try correlator.find(in: wire.recording(of: probe, frames: 600, &random))
      worst = max(worst, abs(arrival.position - wire.delay))
      #expect((18.5...21.5).contains(arrival.signalToNoise), "seed \(seed): \(arrival)")
    }
    #expect(worst < 0.05, "seed \(seed)")
  }

  @Test("Noise alone is not heard as a probe, whatever its seed", arguments: 1...20)
  func silence(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let probe = Probe.sequence(order: 8)
    let noise = SimulatedWire(delay: 5000, signalToNoise: 20).recording(of: probe, frames: 3000, &random)
    let correlator = try correlator(probe, frames: 3000)
    #expect(throws: Unheard.self, "seed \(seed)") { try correlator.find(in: noise) }
    #expect(throws: Unheard.nothing(levelDecibels: -200)) {
      try correlator.find(in: [Float](repeating: 0.1, count: 3000))
    }
  }

  @Test("An echo that is almost as loud is refused with both places, a faint one is not")
  func echo() throws {
    var random = SeededRandom(seed: 3)
    let probe = Probe.sequence(order: 9)
    let direct = SimulatedWire(delay: 100).recording(of: probe, frames: 2000, &random)
    let correlator = try correlator(probe, frames: 2000)
    for (gain, isRefused) in [(0.9, true), (0.3, false)] {
      let later = SimulatedWire(delay: 400, gain: gain).recording(of: probe, frames: 2000, &random)
      let both = zip(direct, later).map { $0 + $1 }
      if isRefused {
        #expect(throws: Unheard.ambiguous(first: 100, second: 400)) { try correlator.find(in: both) }
      } else {
        #expect(abs(try correlator.find(in: both).position - 100) < 0.01)
      }
    }
  }

  @Test("A recording shorter than its probe is refused")
  func short() throws {
    let correlator = try correlator(.sequence(order: 8), frames: 400)
    #expect(throws: Unheard.tooShort) { try correlator.find(in: [Float](repeating: 0, count: 290)) }
  }

  @Test(
    "Each order is a sequence of maximum length: it correlates with itself nowhere but in its place",
    arguments: 5...12)
  func maximumLength(order: Int) {
    let sequence = Probe.maximumLengthSequence(order: order)
    #expect(sequence.count == (1 << order) - 1)
    for shift in [1, 2, 3, 7, sequence.count / 2, sequence.count - 1] {
      let sum = sequence.indices.reduce(Float(0)) {
        $0 + sequence[$1] * sequence[($1 + shift) % sequence.count]
      }
      #expect(sum == -1, "shift \(shift)")
    }
  }

  @Test("The longer orders have their whole length too", arguments: 13...16)
  func longSequences(order: Int) {
    let sequence = Probe.maximumLengthSequence(order: order)
    for shift in [1, 5, sequence.count / 3] {
      let sum = sequence.indices.reduce(0) {
        $0 + Int(sequence[$1] * sequence[($1 + shift) % sequence.count])
      }
      #expect(sum == -1, "shift \(shift)")
    }
  }

  @Test("A probe lasts as long as asked and fills full scale")
  func lengths() {
    #expect(Probe.sequence(seconds: 0.02, rate: 48000).samples.count == 1023 + 30)
    #expect(Probe.sequence(seconds: 0.001, rate: 8000).samples.count == 255 + 30)
    #expect(Probe.sequence(seconds: 100, rate: 48000).samples.count == 65535 + 30)
    for probe in [Probe.sequence(order: 9), .click] {
      #expect(probe.samples.map(\.magnitude).max() == 1)
    }
  }
}
