import Glibc
import ThrumEngine
import ThrumLatency

/// Plays a tap at each key, and reads from the output's clock when it is heard.
struct KeyMeasurement {
  let measurement: SoftwareLatency
  let source: KeySource
  let wanted: Int
  let profile: String

  /// Does as many trials as keys are pressed.
  func run(on output: OutputDescription) throws(MeasurementEnd) -> (run: MeasuredRun, isInterrupted: Bool) {
    var progress = TrialProgress()
    progress.showsAll = true
    var seconds: [Double] = []
    var isInterrupted = false
    var lost = SoftwareLatency.Lost()
    do throws(MeasurementEnd) {
      defer { progress.clear() }
      progress.show("press keys, one for each trial")
      while seconds.count < wanted {
        guard let pressed = try nextPress() else {
          isInterrupted = seconds.count < wanted
          break
        }
        do throws(SoftwareLatency.Failure) {
          seconds.append(try measurement.measure(from: pressed))
          lost.noteFigure()
        } catch {
          do throws(SoftwareLatency.Failure) { try lost.note(error) } catch { throw error.end }
        }
        // Keys that came while the last one was measured would count from too late a time.
        if waitForReading([source.descriptor], milliseconds: 0)[0], source.take().isOver { break }
        progress.show(seconds.count, of: wanted, "next key, or ctrl-C for the results")
      }
    } catch {
      guard case .interrupted = error else { throw error }
      isInterrupted = true
    }
    if seconds.isEmpty {
      if Interruption.caught != nil { throw .interrupted }
      throw .failed("no key was pressed before the input ended")
    }
    var run = MeasuredRun(
      mode: .key, milliseconds: seconds.map { $0 * 1000 }, wanted: wanted, output: output,
      scheduling: "render thread: \(measurement.scheduling ?? "unknown")", profile: profile, seed: 0)
    run.facts = [source.words]
    run.lost = [lost.words]
    run.members = ["keys": .string(source.words)]
    run.noteFaults(measurement.counters)
    return (run, isInterrupted && Interruption.caught != nil)
  }

  private func nextPress() throws(MeasurementEnd) -> Int64? {
    while true {
      let isReadable = waitForReading([source.descriptor, Interruption.descriptor], milliseconds: -1)
      if Interruption.caught != nil { throw .interrupted }
      guard isReadable[0] else { continue }
      let (pressed, isOver) = source.take()
      if let pressed { return pressed }
      if isOver { return nil }
    }
  }
}
