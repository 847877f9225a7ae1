import CNcurses
import Glibc
import ThrumALSA
import ThrumEngine
import ThrumLatency
import ThrumPattern
import ThrumPlot
import ThrumRealtime
import ThrumSettings

/// `thrum latency`: how long a command takes to be heard, or felt.
struct LatencyCommand: Command, ChosenDeviceSettings {
  var operands: [FileName] = []
  var isSoftware = false
  var isLoopback = false
  var isSensor = false
  var isKey = false
  var isComparison = false
  var trials: Int?
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: ALSARequest.Period?
  var channels: ChannelChoice?
  var actuator: ActuatorName?
  var input: String?
  var inputChannel = 1
  var signal = Probe.Kind.mls
  var level = -12.0
  var search = 500.0
  var threshold = 6.0
  var rest = 400.0
  var keyDevice: String?
  var histogram: FileName?
  var seed = 1
  var isJSON = false
  var isCSV = false
  var isVerbose = false

  func run() throws(CommandError) -> ExitCode {
    if isJSON && isCSV { throw .usage("--json and --csv both write to standard output; choose one") }
    if let histogram { try PictureFormat.named(histogram) }
    if isComparison { return try compare() }
    if let extra = operands.first {
      throw .usage("takes files with --compare only, but was given \"\(extra)\"")
    }
    let mode = try askedMode
    let configuration = try Configuration.load()
    ALSADiagnostics.isVerbose = isVerbose
    Interruption.take()
    let measured: (run: MeasuredRun, isInterrupted: Bool)
    do throws(MeasurementEnd) {
      measured = try measure(mode, configuration)
    } catch {
      switch error {
      case .interrupted: return .interrupted(signal: Interruption.caught ?? SIGINT)
      case .failed(let message): throw .failed(message)
      case .command(let error): throw error
      }
    }
    try report(measured.run)
    return measured.isInterrupted ? .interrupted(signal: Interruption.caught ?? SIGINT) : .success
  }

  private var askedMode: MeasuredRun.Mode {
    get throws(CommandError) {
      let asked: [(Bool, MeasuredRun.Mode)] = [
        (isSoftware, .software), (isLoopback, .loopback), (isSensor, .sensor),
        (isKey || keyDevice != nil, .key),
      ]
      let modes = asked.filter(\.0).map(\.1)
      if modes.count > 1 {
        throw .usage("one thing at a time: give one of --software, --loopback, --sensor and --key")
      }
      guard let mode = modes.first else {
        throw .usage(
          "say what to measure: --software needs no wires, --loopback a cable, --sensor a sensor, --key a person"
        )
      }
      return mode
    }
  }

  private func report(_ run: MeasuredRun) throws(CommandError) {
    StandardOutput.write(isJSON ? run.json.text + "\n" : isCSV ? run.csv : run.text(Style.output))
    if let histogram { try run.picture.write(to: histogram) }
  }

  private func compare() throws(CommandError) -> ExitCode {
    if isSoftware || isLoopback || isSensor || isKey || keyDevice != nil {
      throw .usage("--compare reads two runs and measures nothing; leave the other mode out")
    }
    if isCSV { throw .usage("--compare has no --csv; it has --json") }
    guard operands.count == 2 else {
      throw .usage("--compare takes two files that --json wrote, and was given \(operands.count)")
    }
    let comparison = try RunComparison(RunFile.read(operands[0]), RunFile.read(operands[1]), seed: seed)
    StandardOutput.write(isJSON ? comparison.json.text + "\n" : comparison.text(Style.output))
    if let histogram { try comparison.picture.write(to: histogram) }
    return .success
  }

  // MARK: Measuring

  private func measure(
    _ mode: MeasuredRun.Mode, _ configuration: Configuration
  ) throws(MeasurementEnd) -> (run: MeasuredRun, isInterrupted: Bool) {
    let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
    let actuators: ActuatorSetup
    let profile: BusProfile
    do throws(CommandError) {
      actuators = try ActuatorSetup(actuator, channels: channels, configuration: configuration)
      profile = try actuators.only("latency")
    } catch {
      throw .command(error)
    }
    let request = DeviceRequest(
      rate: rate, format: format, period: period, channels: actuators.channels, configuration: configuration)
    if mode == .loopback { return try measureLoop(choice, request) }
    let capture = mode == .sensor ? try openInput(rate: nil, choice) : nil
    let source = mode == .key ? try openKeys() : nil
    let opened: OpenedDevice
    do throws(CommandError) {
      opened = try OpenedDevice.open(choice, request, act: "measuring")
    } catch {
      throw .command(error)
    }
    if let notice = opened.notice { StandardError.note("latency", notice) }
    let measurement: SoftwareLatency
    do throws(SoftwareLatency.Failure) {
      measurement = try SoftwareLatency(
        device: opened.device, profile: profile,
        map: request.channels?.map(channels: opened.device.output.channels))
    } catch {
      throw error.end
    }
    Interruption.askFirst()
    defer { measurement.close() }
    let output = opened.device.output
    if let capture {
      let sensor = SensorMeasurement(
        measurement: measurement, capture: capture, trials: trials ?? 100, threshold: threshold,
        restMilliseconds: rest, seed: seed)
      return try sensor.run(on: output, profile: profile.name)
    }
    if let source {
      let isRaw = source.isTerminal && isatty(STDIN_FILENO) == 1
      if isRaw, !thrum_terminal_take_keys() {
        throw .failed("the terminal does not let its line editing be switched off")
      }
      defer { thrum_terminal_restore() }
      return try KeyMeasurement(
        measurement: measurement, source: source, wanted: trials ?? 50, profile: profile.name
      ).run(on: output)
    }
    return try SoftwareMeasurement(
      measurement: measurement, wanted: trials ?? 200, profile: profile.name, seed: seed
    ).run(on: output)
  }

  private func measureLoop(
    _ choice: DeviceChoice, _ request: DeviceRequest
  ) throws(MeasurementEnd) -> (run: MeasuredRun, isInterrupted: Bool) {
    guard case .alsa(let name) = choice.target else {
      throw .command(
        .usage("--loopback needs a sound card: the virtual actuator has no wire. Name one with --device"))
    }
    var wanted = CaptureRequest()
    wanted.channel = inputChannel - 1
    let duplex: ALSADuplex
    do throws(OutputError) {
      duplex = try ALSADuplex.open(
        output: name, request.alsa, channels: request.channels?.haptic.map { $0 - 1 }, input: input ?? name,
        wanted)
    } catch {
      throw .command(error.cause == .request ? .usage(error.message) : .failed(error.message))
    }
    Interruption.askFirst()
    var measured = try LoopbackMeasurement(
      duplex: duplex, trials: trials ?? 1000, kind: signal, level: level, searchMilliseconds: search,
      seed: seed
    ).run()
    measured.run.seed = seed
    return measured
  }

  /// The input: what was named, else the card that is played on, else ALSA's default.
  private func openInput(rate: Int?, _ choice: DeviceChoice) throws(MeasurementEnd) -> ALSACapture {
    var wanted = CaptureRequest()
    wanted.rate = rate
    wanted.channel = inputChannel - 1
    var name = input ?? "default"
    if input == nil, case .alsa(let output) = choice.target { name = output }
    do throws(OutputError) {
      return try ALSACapture.open(name: name, request: wanted)
    } catch {
      throw .failed(error.message)
    }
  }

  private func openKeys() throws(MeasurementEnd) -> KeySource {
    guard let keyDevice else {
      if isatty(STDIN_FILENO) == 1 { return .terminal }
      throw .command(
        .usage(
          "--key reads keys from a terminal, which standard input is not; name a keyboard with --key-device"))
    }
    do throws(CommandError) { return try KeySource.open(node: keyDevice) } catch { throw .command(error) }
  }
}
