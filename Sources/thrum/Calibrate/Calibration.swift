import Glibc
import ThrumActuator
import ThrumIdentification
import ThrumEngine
import ThrumPattern
import ThrumPlot

/// What `thrum calibrate` found, and all that is told of it.
struct Calibration {
  var result: ActuatorIdentification
  var sweep: SweepSignal
  /// What was listened to, such as `hw:1, channel 1`.
  var source: String
  /// How many sweeps were listened to.
  var sweeps: Int
  /// What was played on; nil for a recording made elsewhere.
  var output: OutputDescription?
  /// The scheduling of the thread that played them; nil for a recording.
  var scheduling: String?
  /// The sweep's part of a line: how many, and how loud where that is known.
  var sweepWords: String {
    let range = "\(NumberText.short(sweep.startHz)) to \(NumberText.short(sweep.endHz)) Hz"
    let level = output == nil ? "" : " at \(NumberText.short(sweep.levelDecibels)) dB"
    return "\(NumberText.count(sweeps, "sweep")) of \(NumberText.short(sweep.seconds)) s, \(range)\(level)"
  }

  /// How it was measured, for the profile and the picture.
  var methodWords: String { "\(placeWords): \(qualityWords)" }

  private var placeWords: String {
    "\(sensorWords), " + (output.map { "\(printable($0.name)) to " } ?? "") + source
  }

  private var qualityWords: String {
    var words = sweepWords
    if let ratio = result.signalToNoise { words += "; \(NumberText.fixed(ratio, 0)) dB over the noise" }
    if !result.fits.isEmpty { words += "; fitted within \(NumberText.short(result.deviation * 100)) %" }
    return words
  }

  private var sensorWords: String {
    switch result.sensor {
    case .accelerometer: "accelerometer"
    case .microphone: "contact microphone"
    case .resistor: "series resistor"
    }
  }

  /// The resonance in words, such as `f0 174.62 Hz ± 0.03 (0.02 %)`.
  private var resonanceLines: [String] {
    guard let hertz = result.resonanceHz, let q = result.q else { return [] }
    func line(_ name: String, _ value: Double, _ spread: Double, _ unit: String) -> String {
      let decimals = spread < 0.1 ? 3 : 2
      let share = NumberText.fixed(spread / value * 100, spread / value < 0.001 ? 3 : 2)
      return
        "  \(name) \(NumberText.fixed(value, decimals))\(unit) ± \(NumberText.fixed(spread, decimals)) (\(share) %)"
    }
    let ring = q / (.pi * hertz) * log(10) * 1000
    return [
      line("f0", hertz, result.resonanceUncertainty, " Hz"), line("Q ", q, result.qUncertainty, ""),
      "  by itself it rings for \(NumberText.fixed(ring, 1)) ms to a tenth",
    ]
  }

  // MARK: Text

  /// The report for a person.
  func text(_ style: Style) -> String {
    let title = result.isUsable ? "Actuator measured" : "Actuator not measured well enough"
    var lines = [style.bold(title), "  " + placeWords, "  " + qualityWords]
    lines += resonanceLines
    let curve = plot(style)
    if !curve.isEmpty { lines += [""] + curve.map { "  " + $0 } }
    if result.isUsable {
      lines.append("")
      lines.append(
        result.allowsBraking
          ? "  " + style.green("good enough for braking") + ", which takes f0 within 1 %"
          : "  " + style.yellow("not good enough for braking") + ", which takes f0 within 1 %")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func plot(_ style: Style) -> [String] {
    let measured = result.measuredCurve
    let fitted = result.fittedCurve
    guard !measured.isEmpty else { return [] }
    let mark = result.resonanceHz.map { (place: $0, word: "\(NumberText.fixed($0, 1)) Hz") }
    var lines = TerminalPlot.curves(
      measured: .init(x: measured.map(\.hertz), y: measured.map(\.level)),
      fitted: fitted.isEmpty ? nil : .init(x: fitted.map(\.hertz), y: fitted.map(\.level)), columns: 74,
      rows: 11, mark: mark, isColoured: style.isColoured)
    if !fitted.isEmpty {
      lines.append(style.faint("        dots: measured; o: fitted, where it is elsewhere"))
    }
    return lines
  }

  /// The measured and the fitted curve.
  var picture: LineChart {
    let measured = result.measuredCurve
    let fitted = result.fittedCurve
    var series = [
      LineChart.Series(name: "measured", x: measured.map(\.hertz), y: measured.map(\.level))
    ]
    if !fitted.isEmpty {
      series.append(.init(name: "fitted", x: fitted.map(\.hertz), y: fitted.map(\.level)))
    }
    var subtitle = [methodWords]
    if let hertz = result.resonanceHz, let q = result.q {
      subtitle.append(
        "f0 \(NumberText.fixed(hertz, 2)) Hz ± \(NumberText.fixed(result.resonanceUncertainty, 2)), "
          + "Q \(NumberText.fixed(q, 2)) ± \(NumberText.fixed(result.qUncertainty, 2))")
    }
    subtitle.append("\(Machine.date.prefix(10)), thrum \(version)")
    let quantity =
      switch result.sensor {
      case .accelerometer: "Acceleration over drive (dB)"
      case .microphone: "Velocity over drive (dB)"
      case .resistor: "Current over drive (dB)"
      }
    return LineChart(
      title: "An actuator's resonance", subtitle: subtitle, acrossTitle: "Frequency (Hz)", upTitle: quantity,
      series: series, isLogarithmic: true)
  }

  // MARK: JSON

  /// The report for a script.
  func json(profile: FileName?) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("thrum", .string(version)), ("date", .string(Machine.date)),
      ("sensor", .string(result.sensor.rawValue)), ("source", .string(source)),
      ("device", .optional(output?.name)),
    ]
    members += output?.members ?? []
    members += [
      ("scheduling", .optional(scheduling)), ("sweeps", .count(sweeps)), ("startHz", .number(sweep.startHz)),
      ("endHz", .number(sweep.endHz)), ("sweepSeconds", .number(sweep.seconds)),
      ("level", output == nil ? .null : .number(sweep.levelDecibels)), ("usable", .bool(result.isUsable)),
      ("braking", .bool(result.allowsBraking)),
      (
        "faults",
        .array(
          result.faults.map { fault in
            .object([
              ("fault", .string(fault.name)), ("message", .string(fault.words(on: source, result.sensor))),
            ])
          })
      ), ("f0Hz", .optional(result.resonanceHz)), ("f0UncertaintyHz", .number(result.resonanceUncertainty)),
      ("q", .optional(result.q)), ("qUncertainty", .number(result.qUncertainty)),
      ("signalToNoise", .optional(result.signalToNoise)), ("deviation", .number(result.deviation)),
      (
        "fits",
        .array(
          result.fits.map { .object([("f0Hz", .number($0.resonanceHz)), ("q", .number($0.q))]) })
      ), ("profile", .optional(profile?.text)),
    ]
    return .object(members + curveMembers)
  }

  private var curveMembers: [(String, JSONValue)] {
    let measured = result.measuredCurve
    let fitted = result.fittedCurve
    // A point in 0.5 % of the frequency: no curve of an actuator has more to it.
    var kept: [Int] = []
    for index in measured.indices
    where kept.last.map({ measured[index].hertz > measured[$0].hertz * 1.005 }) ?? true {
      kept.append(index)
    }
    func rounded(_ value: Double) -> JSONValue { .number((value * 1000).rounded() / 1000) }
    return [
      ("hertz", .array(kept.map { rounded(measured[$0].hertz) })),
      ("measuredDecibels", .array(kept.map { rounded(measured[$0].level) })),
      ("fittedDecibels", .array(fitted.isEmpty ? [] : kept.map { rounded(fitted[$0].level) })),
    ]
  }
}

extension LineChart {
  /// Writes the chart into a file of the type that its name ends in.
  /// - Throws: `CommandError.usage` for another ending; `CommandError.failed`.
  func write(to file: FileName) throws(CommandError) {
    let format = try PictureFormat.named(file)
    try PictureFormat.write(to: file) { () throws(PlotError) in try bytes(as: format) }
  }
}
