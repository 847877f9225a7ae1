import Glibc
import ThrumActuator

/// f0 and Q of an actuator by one or more sweeps, how sure they are, and whether they are good enough for what.
///
/// Threads: a value. Real-time: no.
public struct ActuatorIdentification: Sendable {
  /// What the motion was measured with.
  public let sensor: MotionSensor
  /// What was measured in each sweep that was heard.
  public let functions: [TransferFunction]
  /// The fit of each of those that has one.
  public let fits: [ResonanceFit]
  /// Why the measurement is not good enough to write a profile by; empty where it is.
  public let faults: [IdentificationFault]

  /// The most that f0 may be uncertain for braking: off by more, a brake drives.
  public static let brakingUncertainty = ActuatorProfile.brakingUncertainty
  /// The most that f0 may be uncertain for a profile at all, as a part of it.
  public static let leastCertainty = 0.03
  /// The most that Q may be.
  public static let leastQCertainty = 0.2
  /// The most that measured and fitted magnitudes may differ beyond the noise, as a part of them.
  public static let largestDeviation = 0.05
  /// The most that f0 may differ between sweeps, as a part of it.
  public static let largestSpread = 0.01
  /// A sample this large may have been cut off.
  public static let clipping: Float = 0.99

  /// Identifies an actuator.
  /// - Parameters:
  ///   - sweep: What was played.
  ///   - recordings: What was heard of it, once or more often, each whole: see ``TransferFunction``.
  ///   - sensor: With what.
  ///   - resistorShare: The series resistor's part of the coil's resistance; 0 where it is not known.
  public init(
    sweep: SweepSignal, recordings: [[Float]], sensor: MotionSensor, resistorShare: Double = 0
  ) {
    var functions: [TransferFunction] = []
    var fits: [ResonanceFit] = []
    var faults: [IdentificationFault] = []
    func note(_ fault: IdentificationFault) {
      if !faults.contains(where: { $0.isLike(fault) }) { faults.append(fault) }
    }
    if recordings.isEmpty { note(.nothingRecorded) }
    for recording in recordings {
      if recording.contains(where: { $0.magnitude >= Self.clipping }) { note(.clipped) }
      do throws(Unmeasured) {
        let (function, fit, fault) = try Self.look(sweep, recording, sensor, resistorShare)
        functions.append(function)
        if let fit { fits.append(fit) }
        if let fault { note(fault) }
      } catch {
        note(IdentificationFault(error))
      }
    }
    self.sensor = sensor
    self.functions = functions
    self.fits = fits
    if faults.isEmpty, let fault = Self.judge(fits) { faults = [fault] }
    self.faults = faults
  }

  /// f0 in Hz, the mean of all sweeps; nil where there is none.
  public var resonanceHz: Double? { fits.isEmpty ? nil : Self.mean(fits.map(\.resonanceHz)) }
  /// Q, the same.
  public var q: Double? { fits.isEmpty ? nil : Self.mean(fits.map(\.q)) }
  /// Half the width of the interval of 95 % for f0, Hz: by what the fits leave over or by how the sweeps differ, whichever is
  /// larger. The error of the devices' clocks, some hundredths of a percent at most, is not in it.
  public var resonanceUncertainty: Double {
    Self.uncertainty(fits.map(\.resonanceHz), errors: fits.map(\.resonanceError))
  }
  /// The same for Q.
  public var qUncertainty: Double { Self.uncertainty(fits.map(\.q), errors: fits.map(\.qError)) }

  /// Whether a profile may be written by it.
  public var isUsable: Bool { faults.isEmpty && !fits.isEmpty }
  /// Whether it is good enough for braking, which takes f0 within 1 %.
  public var allowsBraking: Bool {
    guard isUsable, let resonanceHz else { return false }
    return resonanceUncertainty <= Self.brakingUncertainty * resonanceHz
  }

  /// The least response over noise of all sweeps, dB; nil where it is not known.
  public var signalToNoise: Double? { functions.compactMap(\.signalToNoise).min() }
  /// By how much measured and fitted magnitudes differ at most, root of the mean square, relative.
  public var deviation: Double { fits.map(\.deviation).max() ?? .infinity }

  /// The measured curve: frequency in Hz and level in dB, the mean power of all sweeps.
  public var measuredCurve: [(hertz: Double, level: Double)] {
    guard let first = functions.first else { return [] }
    let alike = functions.filter { $0.frequencies == first.frequencies }
    return first.frequencies.indices.map { index in
      let power = alike.reduce(0) { $0 + $1.values[index].power } / Double(alike.count)
      return (first.frequencies[index], 10 * log10(max(power, 1e-30)))
    }
  }

  /// The fitted curve over the same frequencies; empty where there is none.
  public var fittedCurve: [(hertz: Double, level: Double)] {
    guard let fit = fits.first, let first = functions.first else { return [] }
    return first.frequencies.map { ($0, 20 * log10(max(fit.magnitude(at: $0), 1e-15))) }
  }

  // MARK: One sweep

  private static func look(
    _ sweep: SweepSignal, _ recording: [Float], _ sensor: MotionSensor, _ resistorShare: Double
  ) throws(Unmeasured) -> (TransferFunction, ResonanceFit?, IdentificationFault?) {
    var function = try TransferFunction(sweep: sweep, recording: recording)
    let search = PeakSearch(function, sensor: sensor)
    // An input that hears the output itself is as loud at every frequency.
    if sensor != .resistor, search.span < 3 { return (function, nil, .noPeak) }
    guard let peak = search.peaks.first else {
      let ends = function.frequencies.first.flatMap { first in function.frequencies.last.map { (first, $0) } }
      let isAtEdge = ends.map { search.highestHz < $0.0 * 1.05 || search.highestHz > $0.1 * 0.95 } ?? false
      let fault: IdentificationFault =
        isAtEdge && sensor != .resistor && search.curveSpan > 6
        ? .peakAtEdge(hertz: search.highestHz) : .noPeak
      return (function, nil, fault)
    }
    let other = search.peaks.dropFirst().first { other in
      sensor == .resistor ? other.prominence > peak.prominence / 2 : other.height > peak.height - 10
    }
    if let other {
      let pair = (min(peak.hertz, other.hertz), max(peak.hertz, other.hertz))
      return (function, nil, .twoPeaks(pair.0, pair.1))
    }
    guard
      var fit = ResonanceFit.fit(function, sensor: sensor, around: peak.hertz, resistorShare: resistorShare)
    else { return (function, nil, .noFit(hertz: peak.hertz)) }
    // A response is cut off after eight time constants: long enough for it, and short for the noise.
    let ring = (fit.q / (.pi * fit.resonanceHz)) * (sensor == .resistor ? 2 : 1)
    let length = min(max(8 * ring, 0.2), 1.2)
    if length > TransferFunction.responseSeconds * 1.2 || length < TransferFunction.responseSeconds * 0.8 {
      do throws(Unmeasured) {
        let again = try TransferFunction(sweep: sweep, recording: recording, responseSeconds: length)
        let better = ResonanceFit.fit(
          again, sensor: sensor, around: fit.resonanceHz, resistorShare: resistorShare)
        if let better { (function, fit) = (again, better) }
      } catch {
        // The first cut holds: a recording that ends early has no room for a longer one.
        return (function, fit, nil)
      }
    }
    let excess = (max(fit.deviation * fit.deviation - pow(fit.noiseDeviation ?? 0, 2), 0)).squareRoot()
    return (function, fit, excess > largestDeviation ? .notOneResonance(deviation: excess) : nil)
  }

  // MARK: All of them

  private static func judge(_ fits: [ResonanceFit]) -> IdentificationFault? {
    let hertz = fits.map(\.resonanceHz)
    guard let low = hertz.min(), let high = hertz.max() else { return nil }
    let mean = mean(hertz)
    let error = fits.map(\.resonanceError).max() ?? 0
    if high - low > max(largestSpread * mean, 8 * error) { return .sweepsDiffer(low: low, high: high) }
    let uncertainty = uncertainty(hertz, errors: fits.map(\.resonanceError)) / mean
    if !(uncertainty <= leastCertainty) { return .uncertainResonance(share: uncertainty) }
    let q = fits.map(\.q)
    let qUncertainty = Self.uncertainty(q, errors: fits.map(\.qError)) / Self.mean(q)
    if !(qUncertainty <= leastQCertainty) { return .uncertainQ(share: qUncertainty) }
    return nil
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(values.count, 1))
  }

  /// Half the interval of 95 %: Student's, of the values, or twice the standard error that each one tells of.
  private static func uncertainty(_ values: [Double], errors: [Double]) -> Double {
    guard !values.isEmpty else { return .infinity }
    let count = Double(values.count)
    let told = (errors.reduce(0) { $0 + $1 * $1 }).squareRoot() / count
    guard values.count > 1 else { return 2 * told }
    let mean = mean(values)
    let spread = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)).squareRoot()
    let student = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26]
    return max(2 * told, student[min(values.count - 2, student.count - 1)] * spread / count.squareRoot())
  }
}

/// Why a measurement of an actuator is not good enough.
public enum IdentificationFault: Sendable, Equatable {
  /// There was no recording.
  case nothingRecorded
  /// A recording ends before the sweep does.
  case tooShort
  /// Nothing but silence; its largest sample, dB of full scale.
  case silent(levelDecibels: Double)
  /// There is noise, and no sweep in it.
  case unheard(signalToNoise: Double)
  /// The input was driven beyond its end.
  case clipped
  /// Nothing resonates: the curve has no peak.
  case noPeak
  /// The curve rises to an end of the sweep.
  case peakAtEdge(hertz: Double)
  /// Two resonances of like height, in Hz.
  case twoPeaks(Double, Double)
  /// Near this peak there is no resonance that could be fitted.
  case noFit(hertz: Double)
  /// The peak has another shape than that of one resonance; by so much, relative.
  case notOneResonance(deviation: Double)
  /// The sweeps found f0 in different places, Hz: something is loose, or warms up.
  case sweepsDiffer(low: Double, high: Double)
  /// f0 is known within this part of it only.
  case uncertainResonance(share: Double)
  /// Q is.
  case uncertainQ(share: Double)

  init(_ reason: Unmeasured) {
    switch reason {
    case .tooShort: self = .tooShort
    case .silent(let level): self = .silent(levelDecibels: level)
    case .unheard(let ratio): self = .unheard(signalToNoise: ratio)
    }
  }

  /// The name of the fault, for scripts.
  public var name: String {
    switch self {
    case .nothingRecorded: "nothingRecorded"
    case .tooShort: "tooShort"
    case .silent: "silent"
    case .unheard: "unheard"
    case .clipped: "clipped"
    case .noPeak: "noPeak"
    case .peakAtEdge: "peakAtEdge"
    case .twoPeaks: "twoPeaks"
    case .noFit: "noFit"
    case .notOneResonance: "notOneResonance"
    case .sweepsDiffer: "sweepsDiffer"
    case .uncertainResonance: "uncertainResonance"
    case .uncertainQ: "uncertainQ"
    }
  }

  /// Whether another fault is of the same kind, whatever its figures.
  func isLike(_ other: IdentificationFault) -> Bool { name == other.name }
}
