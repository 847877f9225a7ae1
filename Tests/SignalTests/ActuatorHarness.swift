import Foundation
import TestSupport
import Testing
import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// An actuator with a drive in front of it: what a pattern makes it do, at 48 kHz.
struct DrivenActuator {
  let profile: BusProfile
  let hertz: Double
  let q: Double
  static let rate = 48_000.0

  /// An LRA under the resonant drive, with the 20 Hz high-pass and no limiter.
  static func lra(
    hertz: Double = 175, q: Double = 15, headroom: Double = 2, overdrives: Bool = true, brakes: Bool = true,
    plantHertz: Double? = nil
  ) -> DrivenActuator {
    let drive = ActuatorDrive.resonant(
      resonanceHz: hertz, q: q, headroom: headroom, overdrives: overdrives, brakes: brakes)
    return DrivenActuator(
      profile: BusProfile(name: "lra", drive: drive, highPassHz: 20, isHeldAtFullScale: false),
      hertz: plantHertz ?? hertz, q: q)
  }

  /// An LRA under the equalizer that makes its Q as much smaller as there is headroom.
  static func equalized(hertz: Double = 175, q: Double = 15, headroom: Double) -> DrivenActuator {
    let drive = ActuatorDrive.equalizer(resonanceHz: hertz, q: q, targetHz: hertz, targetQ: q / headroom)
    return DrivenActuator(
      profile: BusProfile(
        name: "biquad", minimumHz: hertz, maximumHz: hertz, drive: drive, highPassHz: 20,
        isHeldAtFullScale: false), hertz: hertz, q: q)
  }

  /// The drive in units of the rated level, at 48 kHz, from the pattern's beginning: the kernel's 6 frames are taken off.
  func drive(_ pattern: Pattern, extraSeconds: Double = 0.3) throws -> [Float] {
    let file = try WAVFile(
      try OfflineRender.wav(
        ScheduleCompiler.compile(pattern), profile: profile, rate: Int(Self.rate), format: .float,
        blockFrames: 1024))
    let values = file.values().dropFirst(36).map { Float($0 * 2) }
    return values + [Float](repeating: 0, count: Int(extraSeconds * Self.rate))
  }

  /// Its acceleration, 1 being the steady one of the rated level at resonance.
  func acceleration(_ pattern: Pattern, extraSeconds: Double = 0.3) throws -> [Double] {
    ActuatorModel(resonanceHz: hertz, q: q, rate: Self.rate)
      .response(to: try drive(pattern, extraSeconds: extraSeconds)).map(Double.init)
  }

  /// The envelope of the acceleration, read over one period about each sample, at 48 kHz.
  func envelope(_ pattern: Pattern, extraSeconds: Double = 0.3) throws -> [Double] {
    Self.envelope(try acceleration(pattern, extraSeconds: extraSeconds), hertz: hertz)
  }

  /// The amplitude at a frequency over one of its periods about each sample.
  static func envelope(_ signal: [Double], hertz: Double) -> [Double] {
    let period = Int((rate / hertz).rounded())
    var inPhase = [0.0]
    var quadrature = [0.0]
    for (n, value) in signal.enumerated() {
      let angle = 2 * Double.pi * hertz * Double(n) / rate
      inPhase.append(inPhase[n] + value * cos(angle))
      quadrature.append(quadrature[n] + value * sin(angle))
    }
    return signal.indices.map { n in
      let first = max(0, n - period / 2)
      let end = min(signal.count, n - period / 2 + period)
      let (i, q) = (inPhase[end] - inPhase[first], quadrature[end] - quadrature[first])
      return 2 * (i * i + q * q).squareRoot() / Double(period)
    }
  }
}

extension [Double] {
  /// Seconds from 10 to 90 % of a level, at 48 kHz.
  func rise(to level: Double) -> Double {
    guard let tenth = firstIndex(where: { $0 >= 0.1 * level }),
      let most = firstIndex(where: { $0 >= 0.9 * level })
    else { return .infinity }
    return Double(most - tenth) / DrivenActuator.rate
  }

  /// Seconds from a moment until it stays 20 dB below a level.
  func stop(at seconds: Double, from level: Double) -> Double {
    let last = lastIndex { $0 > 0.1 * level } ?? 0
    return Double(last + 1) / DrivenActuator.rate - seconds
  }

  /// The largest over a stretch of time.
  func peak(from start: Double, to end: Double) -> Double {
    self[Int(start * DrivenActuator.rate)..<Swift.min(count, Int(end * DrivenActuator.rate))]
      .reduce(0) { Swift.max($0, abs($1)) }
  }
}
