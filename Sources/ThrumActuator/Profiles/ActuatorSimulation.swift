import Glibc

/// What a drive does to an actuator, by its model: the acceleration over time, and the figures by which a click or a buzz
/// is judged.
///
/// All amplitudes are in units of what rated drive comes to for ever: a drive of 1 is a sine of the rated volts, an
/// acceleration of 1 what that sine brings at resonance.
///
/// Threads: a value. Real-time: no.
public struct ActuatorSimulation: Sendable {
  /// The drive, rated amplitude being 1.
  public let drive: [Float]
  /// The acceleration, that of steady rated drive at resonance being 1.
  public let acceleration: [Float]
  /// Samples a second of both.
  public let rate: Double
  /// The period of the resonance in samples.
  private let period: Int

  /// Plays a drive into an actuator at rest.
  /// - Parameters:
  ///   - drive: The drive, rated amplitude being 1.
  ///   - rate: Samples a second; 32,000 or more, since the model joins samples by straight lines.
  ///   - resonance: The actuator's.
  ///   - tailSeconds: How long to look on when the drive has ended.
  public init(drive: [Float], rate: Double, resonance: ActuatorProfile.Resonance, tailSeconds: Double = 0) {
    let tail = [Float](repeating: 0, count: Int(max(0, tailSeconds) * rate))
    self.drive = drive + tail
    self.rate = rate
    period = max(1, Int((rate / resonance.hz).rounded()))
    acceleration = ActuatorModel(resonanceHz: resonance.hz, q: resonance.q, rate: rate).response(
      to: self.drive)
  }

  /// The largest acceleration, and when.
  public var peak: (value: Double, seconds: Double) {
    var (best, place) = (Float(0), 0)
    for (index, value) in acceleration.enumerated() where value.magnitude > best {
      (best, place) = (value.magnitude, index)
    }
    return (Double(best), Double(place) / rate)
  }

  /// The largest drive.
  public var drivePeak: Double { drive.reduce(0) { max($0, Double($1.magnitude)) } }

  /// Seconds from a tenth of the peak to nine tenths of it, the first time each is passed; nil for silence.
  public var riseSeconds: Double? {
    let peak = Float(peak.value)
    guard peak > 0, let low = acceleration.firstIndex(where: { $0.magnitude >= 0.1 * peak }),
      let high = acceleration.firstIndex(where: { $0.magnitude >= 0.9 * peak })
    else { return nil }
    return Double(high - low) / rate
  }

  /// Seconds for which the acceleration is above a tenth of its peak, from the first to the last time; nil for silence.
  public var lengthSeconds: Double? {
    let peak = Float(peak.value)
    guard peak > 0, let first = acceleration.firstIndex(where: { $0.magnitude >= 0.1 * peak }),
      let last = acceleration.lastIndex(where: { $0.magnitude >= 0.1 * peak })
    else { return nil }
    return Double(last - first) / rate
  }

  /// Seconds from a moment until the acceleration has fallen for good by 20 dB from what it was there; nil where it was
  /// still, or does not fall.
  public func stopSeconds(from moment: Double) -> Double? {
    let start = Int((moment * rate).rounded())
    guard acceleration.indices.contains(start) else { return nil }
    let level = acceleration[max(0, start - period)...start].reduce(0) { max($0, $1.magnitude) }
    guard level > 0, let last = acceleration.lastIndex(where: { $0.magnitude >= 0.1 * level }), last >= start,
      last < acceleration.count - 1
    else { return nil }
    return Double(last - start) / rate
  }

  /// The mean square of the first 20 ms behind a moment over that of the 40 ms behind those, in dB: how much of a click is pulse,
  /// and how much is ringing. Nil where either is silent.
  public func pulseToRing(from moment: Double) -> Double? {
    let start = Int((moment * rate).rounded())
    func energy(_ from: Double, _ to: Double) -> Double {
      let range = (start + Int(from * rate))..<(start + Int(to * rate))
      return range.clamped(to: 0..<acceleration.count).reduce(0) {
        $0 + Double(acceleration[$1]) * Double(acceleration[$1])
      }
    }
    let (pulse, ring) = (energy(0, 0.02), energy(0.02, 0.06))
    return pulse > 0 && ring > 0 ? 10 * log10(2 * pulse / ring) : nil
  }

  /// The outline of the acceleration: at each sample the largest magnitude within half a period of the resonance on either side.
  public func envelope() -> [Float] {
    // A running maximum by a queue of falling values: each sample goes in and out once.
    let half = period / 2
    var result = [Float](repeating: 0, count: acceleration.count)
    var queue: [Int] = []
    var head = 0
    for index in 0..<(acceleration.count + half) {
      if index < acceleration.count {
        while queue.count > head,
          acceleration[queue[queue.count - 1]].magnitude <= acceleration[index].magnitude
        {
          queue.removeLast()
        }
        queue.append(index)
      }
      let place = index - half
      if place < 0 { continue }
      while queue.count > head, queue[head] < place - half { head += 1 }
      if queue.count > head { result[place] = acceleration[queue[head]].magnitude }
    }
    return result
  }
}
