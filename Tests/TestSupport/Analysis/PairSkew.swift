/// How far apart touch and sound of one time leave, over many pairs (signal model, bar 12).
public struct PairSkew {
  /// The largest distance from that of the first pair, seconds.
  public var worst = 0.0
  /// The mean of the distances, without its sign, seconds.
  public var mean = 0.0

  /// Compares the centres of the taps' energy with the frames of the clicks.
  /// - Parameters:
  ///   - touch: The haptic signal, a tap for each click within a fiftieth of a second.
  ///   - clicks: The frames of the clicks; the first pair gives the distance that is due to delays.
  public init(touch: [Double], clicks: [Int], rate: Int) {
    let window = rate / 50
    guard let first = clicks.first else { return }
    let origin = Self.centre(touch, from: first - 40, count: window)
    var sum = 0.0
    for click in clicks {
      let tap = Self.centre(touch, from: click - 40, count: window) - origin
      let apart = (Double(click - first) - tap) / Double(rate)
      worst = max(worst, abs(apart))
      sum += apart
    }
    mean = abs(sum / Double(clicks.count))
  }

  /// The centre of a pulse's energy, in frames.
  private static func centre(_ signal: [Double], from first: Int, count: Int) -> Double {
    var sum = 0.0
    var power = 0.0
    for frame in max(0, first)..<min(first + count, signal.count) {
      sum += Double(frame) * signal[frame] * signal[frame]
      power += signal[frame] * signal[frame]
    }
    return sum / power
  }
}
