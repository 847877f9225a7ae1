import CKissFFT
import Glibc
import ThrumTransform

/// Why a recording gives no transfer function.
public enum Unmeasured: Error, Sendable, Equatable {
  /// It is shorter than the sweep, or there is no memory for it.
  case tooShort
  /// Its largest sample is this, dB of full scale: nothing is connected.
  case silent(levelDecibels: Double)
  /// The sweep does not stand out of what else is heard; by so many dB it does.
  case unheard(signalToNoise: Double)
}

/// What lies between a drive and a sensor, over frequency: H = Y·X*/|X|², cleared of delay, noise and harmonics.
///
/// The quotient of the two spectra is turned back into the response to an impulse. In it the delay of devices is where the
/// response begins, harmonics of an exponential sweep come before it (Farina 2000, *Simultaneous measurement of impulse
/// response and distortion with a swept-sine technique*, AES 108), and noise is everywhere. What is cut out around the
/// response is H with a part of the noise alone; what is left tells how much noise there was.
///
/// Threads: a value. Real-time: no.
public struct TransferFunction: Sendable {
  /// Hertz between two bins.
  public let binHz: Double
  /// The frequencies of the bins, Hz: the sweep's trusted ones.
  public let frequencies: [Double]
  /// How much later the response begins than the recording, plus or minus some milliseconds; seconds.
  public let delaySeconds: Double
  /// The response over the noise within the stretch that was cut out, dB; nil where there was no room to hear the noise.
  public let signalToNoise: Double?
  /// H, its phase counted from the delay.
  let values: [Complex]
  /// The noise expected in each |H|²; empty where it is not known.
  let noisePowers: [Double]
  /// Neighbouring bins that carry one figure, because the cut is shorter than the transform.
  let binsPerFigure: Double

  /// The magnitudes of H, of each of ``frequencies``.
  public var magnitudes: [Double] { values.map(\.magnitude) }

  /// A response is looked for this long after its beginning, seconds, unless told otherwise.
  public static let responseSeconds = 0.5
  /// What is kept before the beginning: what a sharp end of the band smears.
  private static let leadSeconds = 0.15
  /// A response must stand above noise of the same length by this, dB.
  private static let leastSignalToNoise = 4.0
  /// Below this nothing is connected, linear.
  private static let silence: Float = 1e-5

  /// Measures it.
  /// - Parameters:
  ///   - sweep: What was played.
  ///   - recording: What was heard at the same rate; it began before the sweep was heard, and holds all of it and what
  ///     followed.
  ///   - responseSeconds: How long the response is, above 0.
  /// - Throws: ``Unmeasured``.
  public init(
    sweep: SweepSignal, recording: [Float], responseSeconds: Double = TransferFunction.responseSeconds
  ) throws(Unmeasured) {
    let rate = Double(sweep.rate)
    let samples = sweep.samples
    let room = recording.count - samples.count
    guard room > Int(0.02 * rate) else { throw .tooShort }
    let peak = recording.reduce(Float(0)) { max($0, $1.magnitude) }
    if peak < Self.silence {
      throw .silent(levelDecibels: peak > 0 ? 20 * log10(Double(peak)) : -200)
    }
    guard let impulse = ImpulseResponse(sweep: sweep, samples: samples, recording: recording) else {
      throw .tooShort
    }
    let start = impulse.strongestPlace(within: room, block: Int(0.01 * rate))
    let cut = Cut(
      start: start, lead: Int(Self.leadSeconds * rate), body: Int(responseSeconds * rate), room: room)
    let noise = impulse.power(outside: cut, within: room, leastCount: Int(0.05 * rate))
    let energy = impulse.energy(of: cut)
    if let noise {
      let ratio = 10 * log10(max(energy / (cut.windowEnergy * noise) - 1, 1e-6))
      if ratio < Self.leastSignalToNoise { throw .unheard(signalToNoise: ratio) }
      signalToNoise = ratio
    } else {
      signalToNoise = nil
    }
    guard let spectrum = impulse.spectrum(of: cut, atLeast: Int(2 * rate)) else { throw .tooShort }
    binHz = spectrum.binHz
    delaySeconds = Double(start) / rate
    let first = Int((sweep.trustedHz.lowerBound / binHz).rounded(.up))
    let last = min(Int(sweep.trustedHz.upperBound / binHz), spectrum.values.count - 1)
    guard first < last else { throw .tooShort }
    let spacing = spectrum.binHz
    let frequencies = (first...last).map { Double($0) * spacing }
    self.frequencies = frequencies
    values = Array(spectrum.values[first...last])
    let noiseEnergy = (noise ?? 0) * cut.windowEnergy
    noisePowers = noise == nil ? [] : frequencies.map { impulse.noiseShape(at: $0) * noiseEnergy }
    binsPerFigure = max(Double(spectrum.length) / cut.windowEnergy, 1)
  }

  /// H of the given bins, for tests.
  init(frequencies: [Double], values: [Complex]) {
    self.frequencies = frequencies
    self.values = values
    binHz = frequencies.count > 1 ? frequencies[1] - frequencies[0] : 1
    delaySeconds = 0
    signalToNoise = nil
    noisePowers = []
    binsPerFigure = 1
  }
}

/// The stretch of an impulse response that is kept, under a window with soft ends.
private struct Cut {
  let first: Int
  let start: Int
  let window: [Double]
  let windowEnergy: Double

  init(start: Int, lead: Int, body: Int, room: Int) {
    let first = start - lead
    let fall = max(body / 2, 1)
    let rise = max(lead * 4 / 5, 1)
    let count = lead + body + fall
    window = (0..<count).map { index in
      let edge = min(Double(index) / Double(rise), Double(count - 1 - index) / Double(fall), 1)
      return 0.5 - 0.5 * cos(.pi * edge)
    }
    windowEnergy = window.reduce(0) { $0 + $1 * $1 }
    self.first = first
    self.start = start
  }

  var range: Range<Int> { first..<first + window.count }
}

/// The response to an impulse, band-limited to the sweep.
private struct ImpulseResponse {
  let samples: [Float]
  /// The noise's share of each bin for a white one at the sensor, so that its mean over all bins, both halves, is 1.
  private let shape: [Double]
  private let binHz: Double
  private let rate: Double

  init?(sweep: SweepSignal, samples played: [Float], recording: [Float]) {
    var length = 1024
    while length < recording.count + played.count { length *= 2 }
    guard let transform = RealTransform(length: length) else { return nil }
    rate = Double(sweep.rate)
    let binHz = rate / Double(length)
    self.binHz = binHz
    let input = transform.bins(of: played)
    var output = transform.bins(of: recording)
    let (low, high) = (sweep.trustedHz.lowerBound, sweep.trustedHz.upperBound)
    var shape = [Double](repeating: 0, count: input.count)
    for bin in output.indices {
      let hertz = Double(bin) * binHz
      let rise = (hertz - sweep.startHz) / (low - sweep.startHz)
      let fall = (sweep.endHz - hertz) / (sweep.endHz - high)
      let edge = min(rise, fall, 1)
      let x = Complex(Double(input[bin].r), Double(input[bin].i))
      if edge <= 0 || x.power == 0 {
        output[bin] = kiss_fft_cpx(r: 0, i: 0)
        continue
      }
      let weight = 0.5 - 0.5 * cos(.pi * edge)
      let y = Complex(Double(output[bin].r), Double(output[bin].i))
      let h = weight / x.power * (y * x.conjugate)
      output[bin] = kiss_fft_cpx(r: Float(h.re), i: Float(h.im))
      shape[bin] = weight * weight / x.power
    }
    let mean = 2 * shape.reduce(0, +) / Double(length)
    self.shape = shape.map { $0 / mean }
    samples = transform.samples(of: output)
  }

  func noiseShape(at hertz: Double) -> Double { shape[min(Int((hertz / binHz).rounded()), shape.count - 1)] }

  /// The middle of the block that has the most energy.
  func strongestPlace(within room: Int, block: Int) -> Int {
    var (sum, best, place) = (0.0, -1.0, 0)
    for index in 0..<min(room + block, samples.count) {
      sum += Double(samples[index]) * Double(samples[index])
      if index >= block { sum -= Double(samples[index - block]) * Double(samples[index - block]) }
      if sum > best { (best, place) = (sum, index) }
    }
    return max(place - block / 2, 0)
  }

  private func sample(_ index: Int) -> Double {
    // What comes before the recording stands at the end of a circular response.
    let place = index < 0 ? samples.count + index : index
    return samples.indices.contains(place) ? Double(samples[place]) : 0
  }

  func energy(of cut: Cut) -> Double {
    var sum = 0.0
    for (index, weight) in cut.window.enumerated() {
      let value = weight * sample(cut.first + index)
      sum += value * value
    }
    return sum
  }

  /// The mean square where there is only noise; nil where there is too little of that.
  func power(outside cut: Cut, within room: Int, leastCount: Int) -> Double? {
    var (sum, count) = (0.0, 0)
    for index in 0..<min(room, samples.count) where !cut.range.contains(index) {
      sum += Double(samples[index]) * Double(samples[index])
      count += 1
    }
    return count >= leastCount && sum > 0 ? sum / Double(count) : nil
  }

  func spectrum(of cut: Cut, atLeast least: Int) -> (values: [Complex], binHz: Double, length: Int)? {
    var length = 1024
    while length < max(least, cut.window.count) { length *= 2 }
    guard let transform = RealTransform(length: length) else { return nil }
    var windowed = [Float](repeating: 0, count: length)
    for (index, weight) in cut.window.enumerated() {
      // The beginning of the response is time 0; what comes before it stands at the end.
      let time = cut.first + index - cut.start
      windowed[time < 0 ? length + time : time] = Float(weight * sample(cut.first + index))
    }
    let bins = transform.bins(of: windowed)
    return (bins.map { Complex(Double($0.r), Double($0.i)) }, rate / Double(length), length)
  }
}

/// Where sweeps are in a recording.
public enum SweepSearch {
  /// The sample at which the loudest sweep in a recording begins; nil where there is no memory, or no room for one.
  public static func strongestPlace(of sweep: SweepSignal, in recording: [Float]) -> Int? {
    let samples = sweep.samples
    let room = recording.count - samples.count
    guard room >= 0, let impulse = ImpulseResponse(sweep: sweep, samples: samples, recording: recording)
    else { return nil }
    return impulse.strongestPlace(within: max(room, 1), block: sweep.rate / 100)
  }

  /// Whether a sweep can be heard in a recording.
  public static func holds(_ sweep: SweepSignal, _ recording: [Float]) -> Bool {
    do throws(Unmeasured) {
      return try TransferFunction(sweep: sweep, recording: recording).signalToNoise.map { $0 > 6 } ?? true
    } catch {
      return false
    }
  }
}
