import CNcurses
import Glibc
import ThrumALSA
import ThrumActuator
import ThrumEngine
import ThrumIdentification
import ThrumPattern
import ThrumPlot
import ThrumRealtime
import ThrumSettings

/// `thrum calibrate`: finds the resonance of an actuator and writes its profile.
struct CalibrateCommand: Command, ChosenDeviceSettings {
  var operands: [FileName] = []
  var sensor = MotionSensor.accelerometer
  var recording: FileName?
  var sweepFile: FileName?
  var isByEar = false
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: ALSARequest.Period?
  var channels: ChannelChoice?
  var input: String?
  var inputChannel = 1
  var sweeps = 3
  var level = SweepSignal.defaultLevelDecibels
  var range = SweepRange(low: 40, high: 500)
  var resistorShare = 0.0
  var near: Double?
  var output: FileName?
  var name: String?
  var kind: ActuatorProfile.Kind?
  var mounting: String?
  var picture: FileName?
  var seed = 1
  var isYes = false
  var isJSON = false
  var isVerbose = false

  func run() throws(CommandError) -> ExitCode {
    try check()
    if let sweepFile { return try writeSweep(to: sweepFile) }
    let configuration = try Configuration.load()
    ALSADiagnostics.isVerbose = isVerbose
    if isByEar { return try calibrateByEar(configuration) }
    let calibration: Calibration
    if let recording {
      calibration = try calibrate(from: recording)
    } else {
      Interruption.take()
      do throws(MeasurementEnd) {
        calibration = try measure(configuration)
      } catch {
        switch error {
        case .interrupted: return .interrupted(signal: Interruption.caught ?? SIGINT)
        case .failed(let message): throw .failed(message)
        case .command(let error): throw error
        }
      }
    }
    return try report(calibration)
  }

  private func check() throws(CommandError) {
    let ways = [recording != nil, sweepFile != nil, isByEar].filter { $0 }.count
    if ways > 1 { throw .usage("one way at a time: give one of --from, --write-sweep and --by-ear") }
    if let picture { try PictureFormat.named(picture) }
    if isByEar, picture != nil { throw .usage("--by-ear measures no curve that --picture could show") }
    if let name, MeasuredProfile.name(of: FileName(name)) != name {
      throw .usage("--name takes lower-case letters, digits, dashes, underscores and points")
    }
  }

  private func signal(rate: Int) -> SweepSignal {
    SweepSignal(rate: rate, startHz: range.low, endHz: range.high, levelDecibels: level)
  }

  // MARK: Files

  private func writeSweep(to file: FileName) throws(CommandError) -> ExitCode {
    let sweep = signal(rate: rate ?? 48000)
    try SweepFile.write(sweep, count: sweeps, to: file)
    StandardError.note(
      "calibrate",
      "\(NumberText.count(sweeps, "sweep")) at \(NumberText.short(level)) dB of full scale in \(file); play it, record what the sensor hears, and give the recording to --from"
    )
    return .success
  }

  private func calibrate(from file: FileName) throws(CommandError) -> Calibration {
    let recording = try SweepFile.read(file, channel: inputChannel - 1)
    let sweep = signal(rate: recording.rate)
    let parts = SweepFile.split(recording, sweep: sweep)
    let result = ActuatorIdentification(
      sweep: sweep, recordings: parts, sensor: sensor, resistorShare: resistorShare)
    return Calibration(
      result: result, sweep: sweep, source: "\(file), channel \(inputChannel)", sweeps: parts.count)
  }

  // MARK: Devices

  private func measure(_ configuration: Configuration) throws(MeasurementEnd) -> Calibration {
    let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
    guard case .alsa(let played) = choice.target else {
      throw .command(
        .usage("a measurement needs a sound card: the virtual actuator does not move. Name one with --device")
      )
    }
    var wanted = CaptureRequest()
    wanted.channel = inputChannel - 1
    let duplex: ALSADuplex
    do throws(OutputError) {
      let asked = rate ?? configuration.rate
      do throws(OutputError) {
        duplex = try open(played, rate: asked ?? 48000, configuration, wanted)
      } catch {
        if asked != nil { throw error }
        // A card without 48 kHz does as well at what it has.
        duplex = try open(played, rate: nil, configuration, wanted)
      }
    } catch {
      throw .command(error.cause == .request ? .usage(error.message) : .failed(error.message))
    }
    let sweep = signal(rate: duplex.output.rate)
    let source = "\(printable(duplex.capture.input.name)), channel \(inputChannel)"
    try explain(sweep, duplex.output, source)
    Interruption.askFirst()
    let measurement = SweepMeasurement(duplex: duplex, sweep: sweep, sweeps: sweeps) { [sensor] recording in
      // Where the first one hears nothing, or too much, the others would not help.
      let faults = ActuatorIdentification(sweep: sweep, recordings: [recording], sensor: sensor).faults
      return !faults.contains(where: \.isHopeless)
    }
    try measurement.run()
    let result = ActuatorIdentification(
      sweep: sweep, recordings: measurement.recordings, sensor: sensor, resistorShare: resistorShare)
    return Calibration(
      result: result, sweep: sweep, source: source, sweeps: measurement.recordings.count,
      output: duplex.output, scheduling: measurement.scheduling)
  }

  private func open(
    _ played: String, rate: Int?, _ configuration: Configuration, _ wanted: CaptureRequest
  ) throws(OutputError) -> ALSADuplex {
    var request = DeviceRequest(
      format: format, period: period, channels: channels, configuration: configuration)
    request.rate = rate
    return try ALSADuplex.open(
      output: played, request.alsa, channels: request.channels?.haptic.map { $0 - 1 }, input: input ?? played,
      wanted)
  }

  /// Tells a person at a terminal what is about to happen, and waits for the word.
  private func explain(
    _ sweep: SweepSignal, _ output: OutputDescription, _ source: String
  ) throws(MeasurementEnd) {
    guard !isYes, isatty(STDIN_FILENO) == 1, StandardError.isTerminal else { return }
    let place =
      switch sensor {
      case .accelerometer: "Fix the accelerometer onto the actuator, its axis along the motion"
      case .microphone: "Clamp or glue the contact microphone onto the actuator"
      case .resistor: "Put the resistor in series with the coil, and the input across the resistor"
      }
    let share = linearGain(decibels: level) / 0.5 * 100
    StandardError.write(
      """
      \(place);
      the actuator where it will be used, as it will be held. The amplifier at its usual volume.
      \(printable(output.name)) plays \(NumberText.count(sweeps, "sweep")) of 2 s from \(NumberText.short(sweep.startHz)) to \(NumberText.short(sweep.endHz)) Hz at \(NumberText.short(level)) dB of full scale: \
      \(NumberText.fixed(share, 0)) % of the rated amplitude, through ramps.
      \(source) listens.
      Enter begins, ctrl-C silences and ends.

      """)
    var byte: UInt8 = 0
    repeat {
      let ready = waitForReading([STDIN_FILENO, Interruption.descriptor], milliseconds: -1)
      if Interruption.caught != nil { throw .interrupted }
      if ready[0], read(STDIN_FILENO, &byte, 1) == 0 { throw .interrupted }
    } while byte != 10 && byte != 13
  }

  // MARK: By ear

  private func calibrateByEar(_ configuration: Configuration) throws(CommandError) -> ExitCode {
    let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
    let request = DeviceRequest(
      rate: rate, format: format, period: period, channels: channels, configuration: configuration)
    Interruption.take()
    let opened = try OpenedDevice.open(choice, request, act: "playing")
    if let notice = opened.notice { StandardError.note("calibrate", notice) }
    let ear = try EarMeasurement(
      device: opened.device,
      map: request.channels?.map(channels: opened.device.output.channels),
      range: max(range.low, 50)...min(range.high, 400))
    let isRaw = isatty(STDIN_FILENO) == 1
    if isRaw, !thrum_terminal_take_keys() {
      throw .failed("the terminal does not let its line editing be switched off")
    }
    Interruption.askFirst()
    defer { thrum_terminal_restore() }
    let staircase = try ear.run(near: near, seed: seed)
    thrum_terminal_restore()
    return try report(staircase, opened.device.output)
  }

  private func report(
    _ staircase: StrengthStaircase, _ device: OutputDescription
  ) throws(CommandError) -> ExitCode {
    let share = staircase.uncertaintyHz / staircase.resonanceHz
    let method =
      "by ear, \(NumberText.count(staircase.answered, "pair")) of tones on \(printable(device.name))"
    // An amplitude cannot be told by ear well enough for Q: the usual one of the kind, and no word on how sure it is.
    let resonance = ActuatorProfile.Resonance(
      hz: (staircase.resonanceHz * 10).rounded() / 10, q: 12,
      hzUncertainty: (share * 1000).rounded(.up) / 1000)
    if isJSON {
      StandardOutput.write(
        JSONValue.object([
          ("thrum", .string(version)), ("date", .string(Machine.date)), ("sensor", .string("ear")),
          ("device", .string(device.name)), ("pairs", .count(staircase.answered)),
          ("usable", .bool(staircase.isTrustworthy)), ("braking", .bool(false)),
          ("f0Hz", .number(staircase.resonanceHz)), ("f0UncertaintyHz", .number(staircase.uncertaintyHz)),
          ("profile", .optional(staircase.isTrustworthy ? output?.text : nil)),
        ]).text + "\n")
    } else {
      StandardOutput.write(
        "f0 \(NumberText.fixed(staircase.resonanceHz, 1)) Hz ± \(NumberText.fixed(staircase.uncertaintyHz, 1)) "
          + "(\(NumberText.fixed(share * 100, 1)) %), \(method)\n"
          + "not good enough for braking, which takes f0 within 1 %: that takes a sensor\n")
    }
    guard staircase.isTrustworthy else {
      throw .failed(
        "the answers led nowhere: they never turned around, or went to the end of the range\n"
          + "Touch the actuator where it is felt best, and try again; or use a sensor.")
    }
    guard let output else { return .success }
    let profile = MeasuredProfile.make(
      name: name ?? MeasuredProfile.name(of: output), kind: kind ?? .lra, resonance: resonance, brakes: false,
      method: method + "; Q assumed", mounting: mounting)
    try MeasuredProfile.write(profile, to: output)
    if !isJSON { StandardOutput.write(MeasuredProfile.voltsWords) }
    return .success
  }

  // MARK: The result

  private func report(_ calibration: Calibration) throws(CommandError) -> ExitCode {
    let result = calibration.result
    let resonance = result.isUsable ? result.profileResonance : nil
    if let picture { try calibration.picture.write(to: picture) }
    if let output, let resonance {
      let profile = MeasuredProfile.make(
        name: name ?? MeasuredProfile.name(of: output), kind: kind, resonance: resonance,
        brakes: result.allowsBraking, method: calibration.methodWords, mounting: mounting)
      try MeasuredProfile.write(profile, to: output)
    }
    let written = resonance == nil ? nil : output
    StandardOutput.write(
      isJSON ? calibration.json(profile: written).text + "\n" : calibration.text(Style.output))
    if resonance == nil {
      for fault in result.faults.prefix(1) {
        StandardError.note("calibrate", fault.words(on: calibration.source, sensor))
      }
      throw .reported
    }
    if let written {
      if !isJSON {
        StandardOutput.write("  written to \(written); --actuator takes it\n\(MeasuredProfile.voltsWords)")
      }
    } else if output == nil, !isJSON {
      StandardOutput.write("  no profile written; --output FILE writes one\n")
    }
    return .success
  }
}

/// The frequencies of a sweep, Hz.
struct SweepRange: Equatable {
  var low: Double
  var high: Double
}
