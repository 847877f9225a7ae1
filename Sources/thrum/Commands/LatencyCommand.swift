import Glibc
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumPlot
import ThrumRealtime

/// `thrum latency`: how long a command takes to be heard.
struct LatencyCommand: Command, DeviceSettings {
  var operands: [FileName] = []
  var isSoftware = false
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: Period?
  var actuator: BusProfile?
  var trials = 200
  var seed = 1
  var isJSON = false
  var isCSV = false
  var isVerbose = false

  static var form: CommandForm<LatencyCommand> {
    CommandForm(
      name: "latency", summary: "Measure the time from a command to what is heard.",
      operandUsage: "--software", operandHelp: "", operandCount: 0...0, operandNoun: "",
      discussion: [
        "--software needs no wires: it starts taps at times that have nothing to do with the device's period, and "
          + "reads from the output's clock when each one leaves the device. The delays of limiter, kernel and buffer "
          + "are part of the figure; what the device does not tell of, such as its converter, is not."
      ],
      options: [
        .flag("software", short: "s", \.isSoftware, "Measure by the output's own clock. Required."),
        .value(
          "trials", short: "n", "N", \.trials, .whole(1...100_000, "a number"), "Taps to start; default 200."),
        .value(
          "device", short: "d", "NAME", \.device, .text("the name of a device"),
          "An ALSA PCM, such as hw:1 or pipewire, or virtual; chosen as for play."),
      ] + CommandOption.deviceOptions + [
        .value(
          "actuator", short: "a", "NAME", \.actuator, .actuator, "safe (the default) or none."),
        .value(
          "seed", "N", \.seed, .whole(0...Int.max, "a number"), "Seed of the times between taps; default 1."),
        .flag("json", \.isJSON, "Write one JSON object with every trial."),
        .flag("csv", \.isCSV, "Write a line for each trial: number, frames, milliseconds."),
        .flag("verbose", short: "v", \.isVerbose, "Show ALSA's own diagnostics."),
      ],
      examples: [
        .init(line: "thrum latency --software", effect: "Measures the device that play would choose."),
        .init(
          line: "thrum latency --software -d hw:1 -p 1 --csv > trials.csv",
          effect: "Writes every trial at a period of 1 ms."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    guard isSoftware else { throw .usage("give --software; measuring through a cable is not built yet") }
    if isJSON && isCSV { throw .usage("--json and --csv both write to standard output; choose one") }
    let configuration = try Configuration.load()
    ALSADiagnostics.isVerbose = isVerbose
    let request = DeviceRequest(rate: rate, format: format, period: period, configuration: configuration)
    let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
    let opened = try OpenedDevice.open(choice, request, act: "measuring")
    if let notice = opened.notice { StandardError.note("latency", notice) }
    Interruption.take()
    do throws(SoftwareLatency.Failure) {
      let profile = actuator ?? configuration.actuator ?? .safe
      let measurement = try SoftwareLatency(device: opened.device, profile: profile)
      Interruption.askFirst()
      defer { measurement.close() }
      let report = LatencyReport(
        seconds: try measure(measurement), device: opened.device.output,
        scheduling: measurement.scheduling ?? "unknown", profile: profile.name, seed: seed)
      StandardOutput.write(isJSON ? report.json.text + "\n" : isCSV ? report.csv : report.text(Style.output))
      return .success
    } catch {
      switch error {
      case .engine(let error): throw .failed(error.message)
      case .output(let error): throw .failed(error.message)
      case .silent: throw .failed("a tap was not played within a second; the device may have stopped")
      case .interrupted: return .interrupted(signal: Interruption.caught ?? SIGINT)
      }
    }
  }

  private func measure(_ measurement: SoftwareLatency) throws(SoftwareLatency.Failure) -> [Double] {
    var generator = SplitMix(seed: UInt64(seed))
    var progress = ProgressLine()
    defer { progress.clear() }
    var seconds: [Double] = []
    // The clock has to settle on the device's pace before it can tell fractions of a period.
    try measurement.pause(seconds: 0.3)
    while seconds.count < trials {
      seconds.append(try measurement.measure())
      progress.show(name: "latency", state: "\(seconds.count) of \(trials) trials")
      try measurement.pause(seconds: 0.002 + 0.012 * generator.unit())
    }
    return seconds
  }
}

/// Random numbers that a seed repeats.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The next number, 0 up to but not including 1.
  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) / 9_007_199_254_740_992
  }
}
