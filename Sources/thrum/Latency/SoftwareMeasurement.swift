import ThrumEngine
import ThrumLatency

/// Starts taps at times that have nothing to do with the device, and reads from the output's clock when each is heard.
struct SoftwareMeasurement {
  let measurement: SoftwareLatency
  let wanted: Int
  let profile: String
  let seed: Int

  /// Does the trials.
  func run(on output: OutputDescription) throws(MeasurementEnd) -> (run: MeasuredRun, isInterrupted: Bool) {
    var random = SeededRandom(seed: UInt64(seed))
    var progress = TrialProgress()
    defer { progress.clear() }
    var seconds: [Double] = []
    var lost = SoftwareLatency.Lost()
    var isInterrupted = false
    do throws(SoftwareLatency.Failure) {
      // The clock has to settle on the device's pace before it can tell fractions of a period.
      try measurement.pause(seconds: 0.3)
      while seconds.count < wanted {
        do throws(SoftwareLatency.Failure) {
          seconds.append(try measurement.measure())
          lost.noteFigure()
        } catch {
          try lost.note(error)
        }
        progress.show(seconds.count, of: wanted, lost: lost.count)
        try measurement.pause(seconds: 0.002 + 0.012 * random.unit())
      }
    } catch {
      guard case .interrupted = error else { throw error.end }
      isInterrupted = true
    }
    if seconds.isEmpty { throw .interrupted }
    var run = MeasuredRun(
      mode: .software, milliseconds: seconds.map { $0 * 1000 }, wanted: wanted, output: output,
      scheduling: "render thread: \(measurement.scheduling ?? "unknown")", profile: profile, seed: seed)
    run.lost = [lost.words]
    run.noteFaults(measurement.counters)
    return (run, isInterrupted)
  }
}

extension MeasuredRun {
  /// Tells of what befell the device meanwhile.
  mutating func noteFaults(_ counters: OutputCounters) {
    members.append("xruns", .count(counters.xruns))
    if counters.xruns > 0 {
      facts.append("\(NumberText.count(counters.xruns, "xrun")): trials near one are too long")
    }
  }
}
