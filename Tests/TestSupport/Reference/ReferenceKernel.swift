import Foundation

/// The polyphase kernel from 8 kHz to a device rate (signal model section 6, the haptic row: P = 12, fc =
/// 0.46, β = 11).
public struct ReferenceKernel {
  /// Taps of each phase.
  public static let tapsPerPhase = 12

  /// Phases: output rate over the greatest common divisor.
  public let interpolation: Int
  /// 8,000 over the greatest common divisor.
  public let decimation: Int
  /// h[i], i = 0…PL−1, each phase of unit gain at DC.
  public let prototype: [Double]

  /// Makes the kernel to a rate in Hz.
  public init(rate: Int) {
    let native = Int(ReferenceRenderer.framesPerSecond)
    var (a, b) = (rate, native)
    while b != 0 { (a, b) = (b, a % b) }
    let phases = rate / a
    interpolation = phases
    decimation = native / a

    let fc = 0.460
    let beta = 11.0
    let length = Self.tapsPerPhase * phases
    let middle = Double(length) / 2
    var h = (0..<length).map { i in
      let x = (Double(i) - middle) / middle
      let kaiser = besselI0(beta * (1 - x * x).squareRoot()) / besselI0(beta)
      return 2 * fc * sinc(2 * fc * (Double(i) - middle) / Double(phases)) * kaiser
    }
    for phase in 0..<phases {
      let taps = stride(from: phase, to: length, by: phases)
      let sum = taps.reduce(0) { $0 + h[$1] }
      for tap in taps { h[tap] /= sum }
    }
    prototype = h
  }

  /// The frames that so many become: ceil((N + 11)·rate/8000) (11.14).
  public func length(of frames: Int) -> Int {
    ((frames + Self.tapsPerPhase - 1) * interpolation + decimation - 1) / decimation
  }

  /// The resampled signal, with zeros after its end: output k takes phase k·M mod L.
  public func apply(to input: [Double]) -> [Double] {
    let count = length(of: input.count)
    return (0..<count).map { k in
      let newest = k * decimation / interpolation
      let phase = k * decimation % interpolation
      var sum = 0.0
      for tap in 0..<Self.tapsPerPhase where input.indices.contains(newest - tap) {
        sum += prototype[phase + tap * interpolation] * input[newest - tap]
      }
      return sum
    }
  }
}

/// sin(πx)/(πx).
func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

/// The modified Bessel function of the first kind and order 0, by its power series.
public func besselI0(_ x: Double) -> Double {
  var term = 1.0
  var sum = 1.0
  var k = 1.0
  while term > sum * 1e-17 {
    term *= (x / (2 * k)) * (x / (2 * k))
    sum += term
    k += 1
  }
  return sum
}
