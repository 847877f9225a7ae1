import ThrumLatency
import ThrumPattern
import ThrumPlot

/// Two runs beside each other.
struct RunComparison {
  let first: RunFile
  let second: RunFile
  let comparison: Comparison
  let seed: Int

  /// - Throws: `CommandError.failed` where the runs are too short, or do not measure the same.
  init(_ first: RunFile, _ second: RunFile, seed: Int) throws(CommandError) {
    for run in [first, second] where run.milliseconds.count < Comparison.leastCount {
      throw .failed(
        "\(run.name) has \(NumberText.count(run.milliseconds.count, "trial")), a comparison takes \(Comparison.leastCount) or more"
      )
    }
    guard first.mode == second.mode else {
      throw .failed(
        "\(first.name) was measured with --\(printable(first.mode)), \(second.name) with --\(printable(second.mode)): their "
          + "figures count different things\ncompare two runs of one mode")
    }
    // A frame is what the figures of both are made of.
    let resolution = max(1000 / first.rate, 1000 / second.rate)
    guard
      let comparison = Comparison(
        first.milliseconds, second.milliseconds, resolution: resolution, seed: UInt64(seed))
    else { throw .failed("the runs are too short to be compared") }
    (self.first, self.second, self.comparison, self.seed) = (first, second, comparison, seed)
  }

  private var size: String { "\(NumberText.fixed(abs(comparison.difference), 3)) ms" }
  private var interval: String {
    "\(NumberText.fixed(comparison.interval.lowerBound, 3)) to \(NumberText.fixed(comparison.interval.upperBound, 3)) ms"
  }

  /// The verdict in a sentence.
  var verdict: String {
    switch comparison.verdict {
    case .firstIsFaster: "\(first.name.lastPart) (A) is faster, by \(size)"
    case .secondIsFaster: "\(second.name.lastPart) (B) is faster, by \(size)"
    case .undecided: "no difference can be told from these runs"
    }
  }

  /// For a person.
  func text(_ style: Style) -> String {
    var lines = [style.bold(verdict), ""]
    for (letter, run) in [("A", first), ("B", second)] {
      lines.append(
        "  \(letter)  \(run.name): \(run.mode), \(NumberText.count(run.milliseconds.count, "trial"))")
    }
    lines += ["", style.faint("              A, ms      B, ms   B \u{2212} A, ms")]
    let (one, other) = (Percentiles(first.milliseconds), Percentiles(second.milliseconds))
    for (name, percent) in Percentiles.reported {
      guard one.supports(percent: percent), other.supports(percent: percent) else {
        lines.append(
          "  \(NumberText.left(name, 6))   needs \(Percentiles.leastCount(forPercent: percent)) trials of both"
        )
        continue
      }
      let (here, there) = (one.value(atPercent: percent), other.value(atPercent: percent))
      lines.append(
        "  \(NumberText.left(name, 6))" + NumberText.right(NumberText.fixed(here, 3), 11)
          + NumberText.right(NumberText.fixed(there, 3), 11)
          + NumberText.right(NumberText.fixed(there - here, 3), 12))
    }
    lines += [
      "",
      "  difference of the medians, B \u{2212} A: \(NumberText.fixed(comparison.difference, 3)) ms, 95 % \(interval)",
      "  (bootstrap of blocks of neighbouring trials, \(comparison.resamples) times, seed \(seed); it speaks of these two",
      "  runs: what changes from one start to the next takes several of each)",
    ]
    let differences = second.differences(from: first)
    if !differences.isEmpty {
      lines += ["", style.yellow("  measured with different settings:")]
      for (key, there, here) in differences { lines.append("    \(key): A \(here), B \(there)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// For a script.
  var json: JSONValue {
    func run(_ run: RunFile) -> JSONValue {
      let percentiles = Percentiles(run.milliseconds)
      return .object([
        ("file", .string(run.name.text)), ("mode", .string(run.mode)),
        ("count", .count(run.milliseconds.count)),
        (
          "percentilesMs",
          .object(
            Percentiles.reported.map { name, percent in
              (
                name,
                percentiles.supports(percent: percent)
                  ? .number(percentiles.value(atPercent: percent)) : .null
              )
            })
        ),
      ])
    }
    return .object([
      ("verdict", .string(verdict)), ("conclusion", .string(comparison.verdict.rawValue)),
      ("differenceMs", .number(comparison.difference)), ("lowMs", .number(comparison.interval.lowerBound)),
      ("highMs", .number(comparison.interval.upperBound)), ("confidence", .number(0.95)),
      ("resamples", .count(comparison.resamples)), ("seed", .count(seed)),
      ("first", run(first)), ("second", run(second)),
      (
        "differentSettings",
        .object(
          second.differences(from: first).map {
            ($0.key, .object([("first", .string($0.there)), ("second", .string($0.here))]))
          })
      ),
    ])
  }

  /// Both distributions, and the interval of their difference.
  var picture: DistributionPicture {
    let names = ["p50", "p99"]
    let runs = [("A", first), ("B", second)].map { letter, run in
      DistributionPicture.Series(
        name: "\(letter): \(run.name.lastPart)", values: run.milliseconds,
        marks: Percentiles(run.milliseconds).marks(names).map {
          DistributionPicture.Mark(name: "\(letter) \($0.name)", value: $0.value)
        })
    }
    let differences = second.differences(from: first).map { "\($0.key): A \($0.there), B \($0.here)" }
    return DistributionPicture(
      title: verdict, series: runs, valueTitle: "latency (ms)", thresholds: PerceptionThreshold.marks,
      difference: .init(
        name: "difference of medians, B \u{2212} A (ms)", value: comparison.difference,
        interval: comparison.interval),
      caption: [
        "A: \(first.mode), \(NumberText.count(first.milliseconds.count, "trial")); B: \(second.mode), "
          + "\(NumberText.count(second.milliseconds.count, "trial")). Difference of medians "
          + "\(NumberText.fixed(comparison.difference, 3)) ms, 95 % \(interval)."
      ] + differences + ["\(Machine.date.prefix(10)), thrum \(version)"])
  }
}
