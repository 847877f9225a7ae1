import Glibc

/// When a sensor began to move.
public struct Onset: Sendable, Equatable {
  /// The frame, with its fraction, at which the threshold was first crossed.
  public var position: Double
  /// The threshold over the sensor's resting value, 1 being full scale.
  public var threshold: Double
  /// The largest movement over the noise at rest, dB.
  public var signalToNoise: Double
}

/// Why no onset was found.
public enum Motionless: Error, Sendable, Equatable {
  /// Nothing rose over the threshold.
  case still(noise: Double, threshold: Double)
  /// Something moved, but not far enough over the noise for its beginning to be told.
  case tooNoisy(signalToNoise: Double)
  /// It already moved in the stretch that should have been quiet.
  case restless
}

/// Finds the onset of a motion in a recording that begins at rest.
///
/// The resting value and its standard deviation come from the quiet stretch; a constant such as gravity does not matter.
/// The onset is where the distance from it first reaches the threshold, between two frames on a straight line, and stays
/// there for two of the next four frames, so that one stray frame is none. It is late by the time that the motion takes
/// from nothing to the threshold, never early.
///
/// Threads: any. Real-time: no.
public struct OnsetDetector: Sendable {
  /// The threshold in standard deviations of the noise at rest, 3 to 100.
  public var thresholdDeviations: Double
  /// The least signal-to-noise ratio, dB.
  public var leastSignalToNoise: Double

  /// Creates a detector.
  public init(thresholdDeviations: Double = 6, leastSignalToNoise: Double = 20) {
    self.thresholdDeviations = thresholdDeviations
    self.leastSignalToNoise = leastSignalToNoise
  }

  /// Finds the first onset behind the quiet stretch.
  /// - Parameter quietFrames: The frames at the beginning in which nothing moves, 16 or more.
  /// - Throws: ``Motionless``.
  public func find(in recording: [Float], quietFrames: Int) throws(Motionless) -> Onset {
    let quiet = recording.prefix(quietFrames)
    let mean = quiet.reduce(0) { $0 + Double($1) } / Double(max(quiet.count, 1))
    let power =
      quiet.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(max(quiet.count, 1))
    // A converter of 24 bits has a step of this; a file of zeros has no noise at all.
    let noise = max(power.squareRoot(), 1.2e-7)
    let threshold = thresholdDeviations * noise
    let distances = recording.map { abs(Double($0) - mean) }
    let moved = distances.dropFirst(quietFrames)
    let signalToNoise = 20 * log10(max(moved.max() ?? 0, 1e-12) / noise)
    if distances.prefix(quietFrames).contains(where: { $0 > 1.5 * threshold }) { throw .restless }
    for index in moved.indices where distances[index] >= threshold {
      let next = distances[index...].dropFirst().prefix(4)
      if next.count(where: { $0 >= threshold }) < min(2, next.count) { continue }
      if signalToNoise < leastSignalToNoise { throw .tooNoisy(signalToNoise: signalToNoise) }
      let before = distances[index - 1]
      let part = distances[index] > before ? (threshold - before) / (distances[index] - before) : 0
      return Onset(
        position: Double(index - 1) + min(max(part, 0), 1), threshold: threshold, signalToNoise: signalToNoise
      )
    }
    throw .still(noise: noise, threshold: threshold)
  }
}
