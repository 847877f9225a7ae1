import Glibc
import ThrumALSA
import ThrumActuator
import ThrumIdentification
import ThrumEngine
import ThrumPattern

/// Plays sweeps on an output and records what an input hears of them.
final class SweepMeasurement: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: made by the main thread, then the measuring thread's, then the main thread's again, which
  // waits for that one's end.

  private let duplex: ALSADuplex
  private let sweep: SweepSignal
  private let samples: [Float]
  private let wanted: Int
  /// Looks at the first recording; whether there is any use in another one.
  private let isWorthGoingOn: ([Float]) -> Bool
  private var progress = ProgressLine()
  private var shown: Int64 = 0

  private var sweepStart: Int64 = .max
  private var fadeStart: Int64?
  private var heard: [Float] = []
  private(set) var recordings: [[Float]] = []
  /// The scheduling of the measuring thread, in words.
  private(set) var scheduling = ""
  private var end: MeasurementEnd?

  /// What is recorded before a sweep and after it, seconds: noise first, then what devices delay and the actuator rings.
  static let leadSeconds = 0.5
  static let tailSeconds = 0.8
  /// How long it takes to be silent when a signal asks for the end, seconds.
  private static let fadeSeconds = 0.02
  /// Sweeps that are begun again after an xrun before there is no use in going on.
  private static let mostStops = 5

  init(
    duplex: ALSADuplex, sweep: SweepSignal, sweeps: Int, isWorthGoingOn: @escaping ([Float]) -> Bool
  ) {
    self.duplex = duplex
    self.sweep = sweep
    samples = sweep.samples
    wanted = sweeps
    self.isWorthGoingOn = isWorthGoingOn
  }

  /// Plays them all, on a thread that has the right to be on time where there is one to be had.
  /// - Throws: `MeasurementEnd`; the output is silent.
  func run() throws(MeasurementEnd) {
    do throws(OutputError) {
      scheduling = try ALSADuplex.onRenderThread { Interruption.withoutSignals { self.playAll() } }
    } catch {
      throw .failed(error.message)
    }
    progress.clear()
    if let end { throw end }
  }

  private func playAll() {
    do throws(MeasurementEnd) {
      var stops = 0
      try start()
      while recordings.count < wanted {
        guard let recording = try playOne() else {
          stops += 1
          if stops == Self.mostStops {
            throw .failed("the devices kept running dry or overrunning; give a longer --period")
          }
          try start()
          continue
        }
        recordings.append(recording)
        if recordings.count == 1, !isWorthGoingOn(recording) { return }
      }
    } catch {
      end = error
    }
  }

  private func start() throws(MeasurementEnd) {
    heard = []
    sweepStart = .max
    do throws(OutputError) { try duplex.start() } catch { throw .failed(error.message) }
  }

  /// One sweep; nil where a device ran dry, and everything begins from frame 0.
  private func playOne() throws(MeasurementEnd) -> [Float]? {
    let rate = Double(sweep.rate)
    let lead = Int64(Self.leadSeconds * rate)
    // Both count from one start, so that an input's frame is captured within a period of when the same one is heard.
    sweepStart = duplex.writtenFrames + lead
    let first = Int(sweepStart - lead)
    let count = Int(lead) + samples.count + Int(Self.tailSeconds * rate)
    while heard.count < first + count {
      let turn: ALSADuplex.Turn
      do throws(OutputError) {
        turn = try duplex.turn(into: &heard, sample: sample) { _, _ in }
      } catch {
        throw .failed(error.message)
      }
      if turn == .xrun { return nil }
      if Interruption.caught != nil {
        // Down through a ramp, then until the device has played the silence behind it.
        let from = fadeStart ?? duplex.writtenFrames
        fadeStart = from
        let silent = from + Int64(Self.fadeSeconds * rate) + Int64(duplex.output.bufferFrames)
        if duplex.writtenFrames > silent { throw .interrupted }
      }
      show()
    }
    return Array(heard[first..<first + count])
  }

  private func sample(_ frame: Int64) -> Float {
    let index = frame - sweepStart
    guard index >= 0, index < samples.count else { return 0 }
    guard let fadeStart else { return samples[Int(index)] }
    let place = min(Float(frame - fadeStart) / Float(Self.fadeSeconds * Double(sweep.rate)), 1)
    if place <= 0 { return samples[Int(index)] }
    return samples[Int(index)] * (1 - place * place * place * (10 + place * (6 * place - 15)))
  }

  private func show() {
    let now = MonotonicClock.nanoseconds
    guard progress.isVisible, now - shown > 50_000_000 else { return }
    shown = now
    let index = duplex.writtenFrames - sweepStart
    let share = Double(index) / Double(max(samples.count, 1))
    let state =
      share < 0
      ? "listening to the noise"
      : share > 1
        ? "listening to what rings"
        : "\(NumberText.fixed(sweep.startHz * pow(sweep.endHz / sweep.startHz, share), 0)) Hz"
    progress.show(
      name: "calibrate",
      state: "sweep \(recordings.count + 1) of \(wanted): \(state); ctrl-C silences and ends")
  }
}
