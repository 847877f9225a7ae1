import Glibc

/// A signal that is played to be found again.
///
/// Nothing of it lies above 0.45 of the rate, so that converters' filters pass it whole and the place of its correlation's
/// peak can be told between frames.
public struct Probe: Sendable, Equatable {
  /// What it is made of.
  public enum Kind: String, Sendable, CaseIterable {
    /// A maximum-length sequence: as much energy as a level allows, spread over time.
    case mls
    /// One short pulse: for paths that are not linear, and for the eye.
    case click
  }

  /// What it is made of.
  public let kind: Kind
  /// Its samples; the largest is 1 in magnitude.
  public let samples: [Float]

  /// A maximum-length sequence of 2^order − 1 frames and 30 more, which its filter adds.
  /// - Parameter order: 5 to 16.
  public static func sequence(order: Int) -> Probe {
    Probe(kind: .mls, samples: normalized(filtered(maximumLengthSequence(order: order))))
  }

  /// A sequence that lasts at least so long, as short as there is one.
  /// - Parameters:
  ///   - seconds: Cut to what order 16 gives.
  ///   - rate: Frames a second.
  public static func sequence(seconds: Double, rate: Int) -> Probe {
    let wanted = seconds * Double(rate)
    let order = orders.first { Double((1 << $0) - 1) >= wanted } ?? orders.upperBound
    return sequence(order: max(order, 8))
  }

  /// A pulse of 31 frames with its peak in the middle.
  public static var click: Probe { Probe(kind: .click, samples: normalized(kernel.map(Float.init))) }

  /// The orders there are.
  public static let orders = 5...16

  /// The places that are fed back, by order: primitive polynomials, of which there is one or more for each.
  private static let taps: [Int: [Int]] = [
    5: [5, 3], 6: [6, 5], 7: [7, 6], 8: [8, 6, 5, 4], 9: [9, 5], 10: [10, 7], 11: [11, 9],
    12: [12, 11, 10, 4], 13: [13, 12, 11, 8], 14: [14, 13, 12, 2], 15: [15, 14], 16: [16, 15, 13, 4],
  ]

  /// The sequence of a shift register, as −1 and 1.
  static func maximumLengthSequence(order: Int) -> [Float] {
    precondition(orders.contains(order), "there is no sequence of order \(order)")
    let taps = taps[order] ?? []
    var register = (1 << order) - 1
    return (0..<(1 << order) - 1).map { _ in
      let bit = taps.reduce(0) { $0 ^ (register >> ($1 - 1)) & 1 }
      let out = register >> (order - 1) & 1
      register = (register << 1 | bit) & ((1 << order) - 1)
      return out == 1 ? 1 : -1
    }
  }

  /// A low-pass filter at 0.4 of the rate, symmetric so that it moves nothing: a sinc under a Blackman window.
  private static let kernel: [Double] = (-15...15).map { index in
    let turn = Double.pi * Double(index) / 16
    let window = 0.42 + 0.5 * cos(turn) + 0.08 * cos(2 * turn)
    return window * (index == 0 ? 0.8 : sin(0.8 * Double.pi * Double(index)) / (Double.pi * Double(index)))
  }

  private static func filtered(_ samples: [Float]) -> [Float] {
    var result = [Double](repeating: 0, count: samples.count + kernel.count - 1)
    for (index, sample) in samples.enumerated() {
      for (tap, weight) in kernel.enumerated() { result[index + tap] += Double(sample) * weight }
    }
    return result.map(Float.init)
  }

  private static func normalized(_ samples: [Float]) -> [Float] {
    let peak = samples.reduce(0) { max($0, $1.magnitude) }
    return samples.map { $0 / peak }
  }
}
