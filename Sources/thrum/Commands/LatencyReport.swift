import ThrumEngine
import ThrumPlot

/// The figures of `thrum latency`, with what somebody needs to know to compare them.
struct LatencyReport {
  /// The latency of each trial, in order.
  let seconds: [Double]
  let device: OutputDescription
  let scheduling: String
  let profile: String
  let seed: Int

  private var rate: Double { Double(device.rate) }
  private var percentiles: Percentiles { Percentiles(seconds) }

  /// The report for a person.
  func text(_ style: Style) -> String {
    let percentiles = percentiles
    var lines = [
      style.bold("Command to device frame, \(NumberText.count(seconds.count, "trial"))"), "  \(device.words)",
      "  actuator \(profile), render thread: \(scheduling)", "  \(Machine.words)", "",
      style.faint("           frames        ms"),
    ]
    for (name, percent) in Percentiles.reported {
      let value = percentiles.value(atPercent: percent)
      lines.append(
        "  \(NumberText.left(name, 6))\(NumberText.right(NumberText.fixed(value * rate, 0), 9))"
          + NumberText.right(NumberText.fixed(value * 1000, 3), 10))
    }
    let plot = TerminalPlot.histogram(
      values: seconds.map { $0 * 1000 }, columns: 72, unit: "ms", isColoured: style.isColoured)
    lines += [""] + plot.map { "  " + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One line a trial.
  var csv: String {
    seconds.enumerated().reduce(into: "trial,frames,ms\n") { text, trial in
      text += "\(trial.offset + 1),\(NumberText.fixed(trial.element * rate, 0)),"
      text += "\(NumberText.fixed(trial.element * 1000, 4))\n"
    }
  }

  /// The report for a script.
  var json: JSONValue {
    let percentiles = percentiles
    let figures = Percentiles.reported.map { name, percent in
      let value = percentiles.value(atPercent: percent)
      return (name, JSONValue.object([("frames", frames(value)), ("ms", .number(value * 1000))]))
    }
    return .object(
      device.members + [
        ("actuator", .string(profile)), ("scheduling", .string(scheduling)),
        ("machine", .string(Machine.words)),
        ("seed", .count(seed)), ("count", .count(seconds.count)), ("percentiles", .object(figures)),
        ("frames", .array(seconds.map(frames))),
      ])
  }

  private func frames(_ value: Double) -> JSONValue { .integer(Int64((value * rate).rounded())) }
}
