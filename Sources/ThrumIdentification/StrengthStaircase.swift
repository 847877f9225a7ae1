import Glibc

/// Finds the frequency at which an actuator is felt most strongly from answers to pairs: which of two is stronger?
///
/// Two tones as far below a frequency as above it are equally strong where that frequency is the resonance. The middle goes
/// towards the stronger one; each time the answers turn around, or both are equally strong, the pair draws closer and the
/// steps become smaller, until neither tells anything more. It is a staircase of the kind of Levitt (1971, *Transformed
/// up-down methods in psychoacoustics*, JASA 49).
///
/// How sure: people notice a difference of about 1.6 dB, and more so on a sharp resonance than on a blunt one, so that the
/// answers themselves have to tell: the told uncertainty is the half width of the last pair, or the spread of the last
/// turns, whichever is larger, and never under 3 %. That is too much for braking.
///
/// Threads: a value. Real-time: no.
public struct StrengthStaircase: Sendable {
  /// Which of a pair was stronger.
  public enum Answer: Sendable {
    /// The first tone.
    case first
    /// The second tone.
    case second
    /// Neither, as far as could be told.
    case neither
  }

  /// Two tones, in the order in which they are played, Hz.
  public struct Pair: Sendable, Equatable {
    /// The first tone.
    public var first: Double
    /// The second tone.
    public var second: Double
  }

  /// The frequencies that are looked through, Hz.
  public let range: ClosedRange<Double>
  /// How many pairs have been answered.
  public private(set) var answered = 0
  /// Whether no more is to be learned.
  public private(set) var isDone = false

  /// Half the distance between the two, as a natural logarithm of their ratio; begins at half an octave.
  private var half = 0.35
  private var middle: Double
  private var lastWasUp: Bool?
  private var turns: [Double] = []
  private var isUpFirst = false
  /// How often the stronger tone was the higher one, and the lower one.
  private var (ups, downs) = (0, 0)
  /// How often the first of a pair was the stronger one, and the second.
  private var (firsts, seconds) = (0, 0)
  private var random: UInt64

  /// The least that is told for the uncertainty, as a part of the frequency.
  public static let leastUncertainty = 0.03
  /// After so many pairs a hand is numb.
  public static let mostPairs = 24
  private static let leastHalf = 0.02

  /// Begins in the middle of a range, or at a frequency that is likely.
  /// - Parameters:
  ///   - range: Hz.
  ///   - near: A frequency to begin at, as of a data sheet.
  ///   - seed: Decides which of each pair comes first, so that the order tells nothing.
  public init(range: ClosedRange<Double> = 50...400, near: Double? = nil, seed: UInt64 = 1) {
    self.range = range
    let start = near.map { min(max($0, range.lowerBound), range.upperBound) }
    middle = log(start ?? (range.lowerBound * range.upperBound).squareRoot())
    if near != nil { half = 0.2 }
    random = seed
    turnCoin()
  }

  /// The pair to be felt now.
  public var pair: Pair {
    let low = max(exp(middle - half), range.lowerBound)
    let high = min(exp(middle + half), range.upperBound)
    return isUpFirst ? Pair(first: high, second: low) : Pair(first: low, second: high)
  }

  /// The frequency as far as it is known, Hz.
  public var resonanceHz: Double {
    let last = turns.suffix(4)
    return exp(last.count < 2 ? middle : last.reduce(0, +) / Double(last.count))
  }

  /// How far it may be off, Hz.
  public var uncertaintyHz: Double {
    let last = turns.suffix(4)
    let spread = last.count < 2 ? half : ((last.max() ?? 0) - (last.min() ?? 0)) / 2
    return resonanceHz * max(half, spread, Self.leastUncertainty)
  }

  /// Whether the answers led anywhere: to an end within the range, and by differences on both sides.
  public var isTrustworthy: Bool {
    isDone && turns.count >= 3 && ups > 0 && downs > 0 && !isOneKey && exp(middle) > range.lowerBound * 1.05
      && exp(middle) < range.upperBound / 1.05
      && uncertaintyHz <= 0.15 * resonanceHz
  }

  /// Whether one place was always the stronger one. The order is drawn by lot, so that this is no hand's answer: once in 128 times
  /// at eight pairs.
  private var isOneKey: Bool { firsts + seconds >= 8 && min(firsts, seconds) == 0 }

  /// Takes an answer to ``pair``.
  public mutating func take(_ answer: Answer) {
    if isDone { return }
    answered += 1
    switch answer {
    case .neither:
      turns.append(middle)
      half *= 0.7
    case .first, .second:
      let isUp = (answer == .first) == isUpFirst
      let step = half * 0.7
      if isUp { ups += 1 } else { downs += 1 }
      if answer == .first { firsts += 1 } else { seconds += 1 }
      if let lastWasUp, lastWasUp != isUp {
        turns.append(middle)
        half *= 0.7
      }
      lastWasUp = isUp
      middle += isUp ? step : -step
      middle = min(max(middle, log(range.lowerBound)), log(range.upperBound))
    }
    isDone = half < Self.leastHalf || answered >= Self.mostPairs
    turnCoin()
  }

  private mutating func turnCoin() {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    isUpFirst = random >> 63 == 1
  }
}
