import Foundation

/// 20·log10 of a ratio of amplitudes; −400 for 0, so that a level can be printed and compared.
public func decibels(_ ratio: Double) -> Double { ratio == 0 ? -400 : 20 * log10(abs(ratio)) }

/// The amplitude ratio of a level.
public func amplitude(ofDecibels level: Double) -> Double { pow(10, level / 20) }

/// The largest magnitude of a signal, 0 for an empty one.
public func peak(_ signal: some Sequence<Double>) -> Double { signal.reduce(0) { max($0, abs($1)) } }

/// The sum of squares.
public func energy(_ signal: some Sequence<Double>) -> Double { signal.reduce(0) { $0 + $1 * $1 } }

/// The root mean square, 0 for an empty signal.
public func rms(_ signal: some Collection<Double>) -> Double {
  signal.isEmpty ? 0 : (energy(signal) / Double(signal.count)).squareRoot()
}

/// The root mean square from one time to another, in seconds; frames past the end count as zeros.
public func rms(_ signal: [Double], from start: Double, to end: Double, rate: Double = 8000) -> Double {
  let first = Int((start * rate).rounded())
  let count = Int((end * rate).rounded()) - first
  return count <= 0 ? 0 : (energy(signal.slice(first, count)) / Double(count)).squareRoot()
}

/// The sample from which a signal stays below a level, in dB of its peak.
public func settling(to level: Double, of signal: [Double]) -> Int {
  let floor = peak(signal) * amplitude(ofDecibels: level)
  return (signal.lastIndex { abs($0) >= floor } ?? -1) + 1
}

extension [Double] {
  /// `count` samples from `first` on, as far as they exist.
  public func slice(_ first: Int, _ count: Int) -> ArraySlice<Double> {
    let start = Swift.min(Swift.max(first, 0), self.count)
    return self[start..<Swift.min(Swift.max(first + count, start), self.count)]
  }
}

/// How far two signals are apart: the level of the largest difference below the largest magnitude of the
/// expected one.
public struct Deviation: Sendable, CustomStringConvertible {
  /// The frame of the largest difference.
  public let frame: Int
  /// The largest difference.
  public let difference: Double
  /// The largest difference in dB of the expected signal's peak; −400 where there is none.
  public let level: Double
  /// The first frame that differs by more than −80 dB of the peak, nil where none does.
  public let firstAbove80: Int?
  /// Frames of the signal under test less those of the expected one.
  public let lengthDifference: Int

  /// Compares two signals; the shorter one goes on in zeros.
  ///
  /// Where the expected signal is all zeros, levels are relative to full scale.
  public init(of actual: [Double], from expected: [Double]) {
    var worst = 0.0
    var worstFrame = 0
    var first: Int?
    let reference = peak(expected)
    let scale = reference == 0 ? 1 : reference
    for frame in 0..<max(actual.count, expected.count) {
      let a = frame < actual.count ? actual[frame] : 0
      let b = frame < expected.count ? expected[frame] : 0
      let apart = abs(a - b)
      if apart > worst || apart.isNaN { (worst, worstFrame) = (apart.isNaN ? .infinity : apart, frame) }
      if first == nil && !(apart <= scale * 1e-4) { first = frame }
    }
    frame = worstFrame
    difference = worst
    level = decibels(worst / scale)
    firstAbove80 = first
    lengthDifference = actual.count - expected.count
  }

  /// Such as `-133.1 dB at frame 815, lengths equal`.
  public var description: String {
    let length = lengthDifference == 0 ? "lengths equal" : "length \(signed(lengthDifference)) frames"
    let start = firstAbove80.map { ", above -80 dB from frame \($0)" } ?? ""
    return "\(fixed(level, 1)) dB at frame \(frame)\(start), \(length)"
  }
}

private func signed(_ value: Int) -> String { value < 0 ? "\(value)" : "+\(value)" }

/// A number with a fixed count of decimals, whatever the locale.
public func fixed(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
  let units = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && units != 0 ? "-" : ""
  guard decimals > 0 else { return "\(sign)\(units)" }
  let fraction = String(units % scale)
  return "\(sign)\(units / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
}
