import ThrumLatency
import ThrumPlot

extension MeasuredRun {
  /// The report for a person.
  func text(_ style: Style) -> String {
    let percentiles = percentiles
    var head = NumberText.count(milliseconds.count, "trial")
    if milliseconds.count < wanted { head += " of \(wanted)" }
    var lines = [style.bold("\(mode.title), \(head)")]
    lines += settingLines.map { "  \($0)" }
    for (reason, count) in lost where count > 0 { lines.append("  \(count) without a figure: \(reason)") }
    lines += ["", style.faint("           frames        ms   95 % interval, ms")]
    for (name, percent) in Percentiles.reported { lines.append(row(name, percent, of: percentiles)) }
    for part in parts { lines += [""] + words(of: part) }
    let plot = TerminalPlot.histogram(
      values: milliseconds, columns: 72, unit: "ms", isColoured: style.isColoured)
    lines += [""] + plot.map { "  " + $0 }
    lines += [""] + verdictLines(style)
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ name: String, _ percent: Double, of percentiles: Percentiles) -> String {
    let start = "  \(NumberText.left(name, 6))"
    guard percentiles.supports(percent: percent) else {
      return start + NumberText.right("-", 9) + NumberText.right("-", 10)
        + "   needs \(Percentiles.leastCount(forPercent: percent)) trials"
    }
    let value = percentiles.value(atPercent: percent)
    let decimals = mode == .software || mode == .key ? 0 : 2
    var line = start + NumberText.right(NumberText.fixed(value * framesPerMillisecond, decimals), 9)
    line += NumberText.right(NumberText.fixed(value, 3), 10)
    if let interval = percentiles.interval(atPercent: percent) {
      line += "   \(NumberText.fixed(interval.lowerBound, 3)) to \(NumberText.fixed(interval.upperBound, 3))"
    }
    return line
  }

  private func words(of part: Part) -> [String] {
    let percentiles = Percentiles(part.frames)
    var text = "  \(NumberText.fixed(percentiles.median, 3)) frames"
    text += " (\(NumberText.fixed(percentiles.median / framesPerMillisecond, 4)) ms) \(part.meaning)"
    let low = percentiles.value(atPercent: 0)
    let high = percentiles.value(atPercent: 100)
    var more = "    the trials lie between \(NumberText.fixed(low, 3)) and \(NumberText.fixed(high, 3))"
    if part.commonError > 0 {
      more += "; all of them may be off by \(NumberText.fixed(2 * part.commonError, 3)) (95 %)"
    }
    return [text, more]
  }

  private func verdictLines(_ style: Style) -> [String] {
    var lines: [String] = []
    for threshold in PerceptionThreshold.all {
      guard let standing = threshold.standing(of: percentiles) else { continue }
      let limit = "\(NumberText.short(threshold.milliseconds)) ms"
      let words: String
      switch standing {
      case .below: words = style.green("below \(limit)")
      case .among: words = style.yellow("partly above \(limit)")
      case .above: words = style.red("above \(limit)")
      }
      lines.append("  \(words), \(threshold.meaning)")
      lines.append(style.faint("      \(threshold.source)"))
    }
    lines.append("  \(mode.caveat)")
    return lines
  }

  /// One line a trial.
  var csv: String {
    let names = ["trial", "frames", "ms"] + columns.map(\.name)
    var text = names.joined(separator: ",") + "\n"
    let decimals = mode == .software || mode == .key ? 0 : 3
    for (index, value) in milliseconds.enumerated() {
      text += "\(index + 1),\(NumberText.fixed(value * framesPerMillisecond, decimals))"
      text += ",\(NumberText.fixed(value, 4))"
      for column in columns { text += ",\(NumberText.fixed(column.values[index], column.decimals))" }
      text += "\n"
    }
    return text
  }
}
