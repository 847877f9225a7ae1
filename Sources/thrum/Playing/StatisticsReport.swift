import ThrumEngine

/// What `play --stats` and `play --json` tell of the render thread.
enum StatisticsReport {
  /// For a person, some lines.
  static func text(_ statistics: OutputStatistics?, _ output: Output) -> String {
    let status = output.status
    var lines = [
      "xruns \(status.device.xruns), skipped frames \(status.device.skippedFrames), voices "
        + "\(status.activeVoices), stolen \(status.stolenVoices), late commands \(status.lateCommands)"
    ]
    guard let statistics else { return lines[0] + "\n" }
    let share = NumberText.fixed(statistics.worstRenderShare * 100, 1)
    lines.append(
      "longest render \(NumberText.fixed(statistics.worstRenderSeconds * 1000, 3)) ms, \(share) % of a period"
    )
    let late = [0.5, 0.99, 0.999].map { part in
      "\(NumberText.short(part * 100)) % under \(words(statistics.lateness(ofShare: part)))"
    }
    lines.append("wake-ups late: " + late.joined(separator: ", "))
    let peaks = statistics.peaks.map { NumberText.level($0) }
    lines.append("peaks: " + peaks.joined(separator: ", "))
    return lines.joined(separator: "\n") + "\n"
  }

  /// For a script.
  static func members(_ statistics: OutputStatistics, _ status: OutputStatus) -> [(String, JSONValue)] {
    let classes = statistics.wakeUps.enumerated().map { index, count in
      let limit = OutputStatistics.limit(ofClass: index)
      return JSONValue.object([
        ("underSeconds", limit.isFinite ? .number(limit) : .null), ("count", .count(count)),
      ])
    }
    return [
      ("xruns", .count(status.device.xruns)), ("lateCommands", .count(status.lateCommands)),
      ("voices", .count(status.activeVoices)), ("stolenVoices", .count(status.stolenVoices)),
      ("worstRenderSeconds", .number(statistics.worstRenderSeconds)),
      ("worstRenderShare", .number(statistics.worstRenderShare)), ("wakeUps", .array(classes)),
      ("peaks", .array(statistics.peaks.map(JSONValue.number))),
    ]
  }

  private static func words(_ seconds: Double) -> String {
    seconds.isFinite ? "\(NumberText.short(seconds * 1000)) ms" : "any time"
  }
}
