import Glibc
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumLatency

/// Starts taps and finds on an input, to which an accelerometer or a contact microphone is wired, when the actuator moves.
final class SensorMeasurement {
  private let measurement: SoftwareLatency
  private let capture: ALSACapture
  private let wanted: Int
  private let detector: OnsetDetector
  private let restSeconds: Double
  private var random: SeededRandom
  private let seed: Int

  private var heard: [Float] = []
  private var heardFirst: Int64 = 0
  private var clock = ClockLine()
  private var onsets: [Onset] = []
  private var (still, noisy, restless, cut) = (0, 0, 0, 0)

  /// What is listened to before the command and after it, seconds.
  private static let quietSeconds = 0.1
  private static let motionSeconds = 0.3
  /// Trials in a row without a figure, before the first one with, after which there is no use in going on.
  private static let mostVain = 5

  init(
    measurement: SoftwareLatency, capture: ALSACapture, trials: Int, threshold: Double,
    restMilliseconds: Double, seed: Int
  ) {
    self.measurement = measurement
    self.capture = capture
    wanted = trials
    detector = OnsetDetector(thresholdDeviations: threshold)
    restSeconds = restMilliseconds / 1000
    random = SeededRandom(seed: UInt64(seed))
    self.seed = seed
  }

  private struct Trial {
    var milliseconds: Double
    var reportedMilliseconds: Double
    var signalToNoise: Double
  }

  /// Does the trials.
  func run(
    on output: OutputDescription, profile: String
  ) throws(MeasurementEnd) -> (run: MeasuredRun, isInterrupted: Bool) {
    var progress = TrialProgress()
    defer { progress.clear() }
    var trials: [Trial] = []
    var isInterrupted = false
    do throws(MeasurementEnd) {
      try start()
      progress.show("listening to the sensor at rest")
      // Two seconds place the input's clock to a part of a frame.
      try listen(seconds: 2)
      while trials.count < wanted {
        try listen(seconds: max(restSeconds, Self.quietSeconds) + 0.012 * random.unit())
        if let trial = try measure() { trials.append(trial) }
        if trials.isEmpty, let refusal { throw .failed(refusal) }
        progress.show(trials.count, of: wanted, lost: still + noisy + restless)
      }
    } catch {
      guard case .interrupted = error else { throw error }
      isInterrupted = true
    }
    if trials.isEmpty { throw .interrupted }
    return (result(trials, output, profile), isInterrupted)
  }

  private func start() throws(MeasurementEnd) {
    (heard, heardFirst, clock) = ([], 0, ClockLine())
    do throws(OutputError) { try capture.start() } catch { throw .failed(error.message) }
  }

  /// Takes in what the input hears, and where its clock is.
  private func listen(seconds: Double) throws(MeasurementEnd) {
    let end = MonotonicClock.nanoseconds + Int64(seconds * 1e9)
    while MonotonicClock.nanoseconds < end {
      if Interruption.caught != nil { throw .interrupted }
      let reading: ALSACapture.Reading
      do throws(OutputError) {
        reading = try capture.read(into: &heard, timeoutMilliseconds: 1000)
      } catch {
        throw .failed(error.message)
      }
      switch reading {
      case .timedOut:
        throw .failed(
          "the input \(printable(capture.input.name)) gives nothing; is it connected and switched on?")
      case .overrun:
        cut += 1
        try start()
      case .frames:
        usleep(UInt32(20 + random.below(200)))
        if let (frame, nanoseconds) = capture.position() {
          clock.add(Double(frame), Double(nanoseconds) - Double(frame) * nanosecondsPerFrame)
        }
      }
      let surplus = heard.count - 4 * capture.input.rate
      if surplus > capture.input.rate {
        heard.removeFirst(surplus)
        heardFirst += Int64(surplus)
      }
    }
  }

  private var nanosecondsPerFrame: Double { 1e9 / Double(capture.input.rate) }

  private func measure() throws(MeasurementEnd) -> Trial? {
    let called = MonotonicClock.nanoseconds
    let reported: Double
    do throws(SoftwareLatency.Failure) {
      reported = try measurement.measure(from: called)
    } catch {
      throw error.end
    }
    let overruns = cut
    try listen(seconds: Self.motionSeconds)
    guard overruns == cut, let line = clock.fit() else { return nil }
    let nominal = Double(called) / nanosecondsPerFrame
    // Frames and nanoseconds differ by the line, which hardly changes over the few frames that this is out by.
    let guess = nominal - line.value(at: Double(capture.readFrames)) / nanosecondsPerFrame
    let calledFrame = guess
    let rate = Double(capture.input.rate)
    let first = Int64(calledFrame) - Int64(Self.quietSeconds * rate)
    let index = Int(first - heardFirst)
    guard index >= 0, index < heard.count else { return nil }
    let count = min(Int((Self.quietSeconds + Self.motionSeconds) * rate), heard.count - index)
    let quiet = Int(Self.quietSeconds * rate)
    do throws(Motionless) {
      let onset = try detector.find(in: Array(heard[index..<index + count]), quietFrames: quiet)
      let frame = Double(first) + onset.position
      let moved = line.value(at: frame) + frame * nanosecondsPerFrame
      onsets.append(onset)
      return Trial(
        milliseconds: (moved - Double(called)) / 1e6, reportedMilliseconds: reported * 1000,
        signalToNoise: onset.signalToNoise)
    } catch {
      switch error {
      case .still: still += 1
      case .tooNoisy: noisy += 1
      case .restless: restless += 1
      }
      lastRefusal = error
      return nil
    }
  }

  private var lastRefusal = Motionless.restless

  /// Why there is no use in going on; nil while there is.
  private var refusal: String? {
    guard still + noisy + restless >= Self.mostVain else { return nil }
    let input = "\(printable(capture.input.name)), channel \(capture.input.channel + 1)"
    switch lastRefusal {
    case .still(let noise, let threshold):
      return
        "nothing moved on \(input): over \(Self.mostVain) taps it stayed under \(level(threshold)), at a noise of \(level(noise))\n"
        + "Look at the sensor, its wire, the input's switch and volume (alsamixer, F4), and --input-channel."
    case .tooNoisy(let ratio):
      return "what moved on \(input) is \(NumberText.fixed(ratio, 0)) dB over the noise; an onset takes "
        + "\(NumberText.short(detector.leastSignalToNoise)) dB\n"
        + "Fix the sensor onto the actuator, raise the input's volume, or look for hum."
    case .restless:
      return "\(input) is not at rest before a tap; give a longer --rest, or still what shakes it"
    }
  }

  private func level(_ gain: Double) -> String { NumberText.level(gain) }

  private func result(_ trials: [Trial], _ output: OutputDescription, _ profile: String) -> MeasuredRun {
    let input = capture.input
    let threshold = Percentiles(onsets.map(\.threshold)).median
    let ratio = Percentiles(trials.map(\.signalToNoise)).median
    var run = MeasuredRun(
      mode: .sensor, milliseconds: trials.map(\.milliseconds), wanted: wanted, output: output,
      scheduling: "render thread: \(measurement.scheduling ?? "unknown")", profile: profile, seed: seed)
    run.lost = [
      ("nothing moved", still), ("too little over the noise", noisy),
      ("not at rest before the tap", restless),
      ("the input overran", cut),
    ]
    run.facts = [
      "sensor on \(printable(input.name)) channel \(input.channel + 1): \(input.rate) Hz, \(input.format)",
      "onset at \(NumberText.short(detector.thresholdDeviations)) deviations of the noise at rest "
        + "(\(level(threshold))); motion \(NumberText.fixed(ratio, 1)) dB over it",
    ]
    run.members = [
      "input": .string(input.name), "inputChannel": .count(input.channel + 1),
      "inputRate": .count(input.rate), "inputFormat": .string(input.format),
      "thresholdDeviations": .number(detector.thresholdDeviations), "threshold": .number(threshold),
      "signalToNoise": .number(ratio), "restMilliseconds": .number(restSeconds * 1000),
    ]
    run.noteFaults(measurement.counters)
    let rest = trials.map { ($0.milliseconds - $0.reportedMilliseconds) * run.framesPerMillisecond }
    run.parts = [
      MeasuredRun.Part(
        name: "remains",
        meaning: "beyond the frame's time by the output's clock: converters, actuator, sensor",
        frames: rest)
    ]
    run.columns = [
      .init(name: "reportedMilliseconds", values: trials.map(\.reportedMilliseconds), decimals: 4),
      .init(name: "signalToNoiseDecibels", values: trials.map(\.signalToNoise), decimals: 1),
    ]
    return run
  }
}
