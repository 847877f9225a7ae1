import Glibc
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumLatency

/// Plays probes on an output and finds them on an input, again and again.
final class LoopbackMeasurement: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: made by the main thread, then the measuring thread's, then the main thread's again, which
  // waits for that one's end.

  /// What was found in a trial.
  private struct Trial {
    var stretch: Int
    var start: Int64
    var arrival: Arrival
    var heardFrame: Double
    var reportedPlayback: Double
    var reportedCapture: Double
  }

  private let duplex: ALSADuplex
  private let wanted: Int
  private let level: Float
  private let searchFrames: Int
  private let probe: Probe
  private let longProbe: Probe
  private var random: SeededRandom
  private var progress = TrialProgress()

  // What is played: probes by the frame they start on.
  private var emissions: [(start: Int64, probe: Probe)] = []
  // What was heard since `heardFirst`, on the input's count.
  private var heard: [Float] = []
  private var heardFirst: Int64 = 0
  private var reads: [ALSADuplex.Block] = []
  private var writes: [ALSADuplex.Block] = []
  // One line for each stretch between two xruns.
  private var lines: [ClockLine] = [ClockLine()]
  private var roughOffset = 0.0
  private var trials: [Trial] = []
  private var unheard = 0
  private var ambiguous = 0
  private var cut = 0

  /// How long a probe lasts at least, seconds: long enough for 20 dB of processing gain, short enough for thousands.
  private static let probeSeconds = 0.01
  /// The one by which the delay is found at first.
  private static let longProbeSeconds = 0.1
  /// Trials in a row without a figure after which the delay is looked for anew.
  private static let mostMissing = 8
  /// Xruns in one search for the delay after which there is no use in going on.
  private static let mostStops = 20
  /// Delays in a row that were found without a trial after them, after which there is no use in going on.
  private static let mostVain = 10

  init(
    duplex: ALSADuplex, trials: Int, kind: Probe.Kind, level: Double, searchMilliseconds: Double, seed: Int
  ) {
    self.duplex = duplex
    wanted = trials
    self.level = Float(linearGain(decibels: level))
    let rate = duplex.output.rate
    searchFrames = Int(searchMilliseconds / 1000 * Double(rate))
    probe = kind == .click ? .click : .sequence(seconds: Self.probeSeconds, rate: rate)
    longProbe = kind == .click ? .click : .sequence(seconds: Self.longProbeSeconds, rate: rate)
    random = SeededRandom(seed: UInt64(seed))
  }

  private var end: MeasurementEnd?
  private var scheduling = ""

  /// Does the trials, on a thread that has the right to be on time where there is one to be had.
  /// - Returns: What it has by the end, by the signal, or by the fault that ended it.
  func run() throws(MeasurementEnd) -> (run: MeasuredRun, isInterrupted: Bool) {
    do throws(OutputError) {
      // Signals stay with the main thread, which waits meanwhile and has nothing to lose.
      scheduling = try ALSADuplex.onRenderThread { Interruption.withoutSignals { self.measureAll() } }
    } catch {
      throw .failed(error.message)
    }
    progress.clear()
    var result = result
    switch end {
    case .interrupted where !trials.isEmpty: return (result, true)
    case .failed(let message) where !trials.isEmpty:
      result.facts.append("ended early: \(message.split(separator: "\n").first ?? "")")
    case let end?: throw end
    case nil: break
    }
    return (result, false)
  }

  private func measureAll() {
    do throws(MeasurementEnd) {
      try startAgain(isFirst: true)
      var vain = 0
      while trials.count < wanted {
        let (before, cutBefore) = (trials.count, cut)
        try measure(around: try locate())
        vain = trials.count > before ? 0 : vain + 1
        if vain == Self.mostVain { throw .failed(cut > cutBefore ? words(of: .tooShort) : tooFaint) }
      }
    } catch {
      end = error
    }
  }

  // MARK: Running

  private func startAgain(isFirst: Bool) throws(MeasurementEnd) {
    if !isFirst { lines.append(ClockLine()) }
    (emissions, heard, heardFirst, reads, writes, roughOffset) = ([], [], 0, [], [], 0)
    do throws(OutputError) { try duplex.start() } catch { throw .failed(error.message) }
  }

  /// One period of both.
  /// - Returns: Whether it went on; if not, everything starts from frame 0.
  private func turn() throws(MeasurementEnd) -> Bool {
    if Interruption.caught != nil { throw .interrupted }
    let result: ALSADuplex.Turn
    do throws(OutputError) {
      result = try duplex.turn(into: &heard, sample: sample) { read, written in
        if let read { reads.append(read) }
        if let written { writes.append(written) }
      }
    } catch {
      throw .failed(error.message)
    }
    if result == .xrun {
      try startAgain(isFirst: false)
      return false
    }
    for _ in 0..<2 {
      // Somewhere within a frame, which neither card chose.
      usleep(UInt32(20 + random.below(200)))
      guard let (frame, ahead) = duplex.offset() else { continue }
      lines[lines.count - 1].add(frame, ahead)
      let count = Double(lines[lines.count - 1].count)
      roughOffset += (ahead - roughOffset) / min(count, 50)
    }
    return true
  }

  private func sample(_ frame: Int64) -> Float {
    for emission in emissions where frame >= emission.start {
      let index = Int(frame - emission.start)
      if index < emission.probe.samples.count { return level * emission.probe.samples[index] }
    }
    return 0
  }

  /// What was heard from a frame on; nil where it is not all there yet, or no longer.
  private func recording(from first: Int64, count: Int) -> [Float]? {
    let index = Int(first - heardFirst)
    guard index >= 0, index + count <= heard.count else { return nil }
    return Array(heard[index..<index + count])
  }

  /// Forgets what nobody asks for any more.
  private func forget(before frame: Int64) {
    let count = Int(frame - heardFirst)
    // In large steps: what remains is moved.
    guard count > 65536 else { return }
    heard.removeFirst(min(count, heard.count))
    heardFirst += Int64(count)
    reads.removeAll { $0.first + Int64($0.count) < frame }
    writes.removeAll { $0.first + Int64($0.count) < frame - Int64(duplex.output.bufferFrames + searchFrames) }
  }

  // MARK: Finding

  /// Finds the delay beyond what the devices tell, to be looked around: with a long probe, and wherever it may be.
  private func locate() throws(MeasurementEnd) -> Double {
    progress.show("listening for the probe")
    let guardFrames = duplex.output.periodFrames + 64
    let count = guardFrames + searchFrames + longProbe.samples.count
    guard let correlator = Correlator(probe: longProbe, capacity: count) else {
      throw .failed("there is no memory to look for a probe in \(count) frames")
    }
    var last = Unheard.tooShort
    // A sound server may sleep through the first; the second and third decide. A program that was held up decides nothing.
    var (attempts, stops) = (0, 0)
    attempts: while attempts < 3 && stops < Self.mostStops {
      let start = duplex.writtenFrames + Int64(duplex.output.rate / 4)
      emissions = [(start, longProbe)]
      while true {
        if !(try turn()) {
          stops += 1
          continue attempts
        }
        let first = start + Int64(roughOffset.rounded()) - Int64(guardFrames)
        guard let recording = recording(from: first, count: count) else { continue }
        // Without these nothing can be taken off, nor would the trials that follow be looked for in the right place.
        if lines[lines.count - 1].count < 2 { throw .failed(untold) }
        do throws(Unheard) {
          let arrival = try correlator.find(in: recording)
          return arrival.position + Double(first - start) - roughOffset
        } catch {
          last = error
          attempts += 1
          continue attempts
        }
      }
    }
    throw .failed(words(of: last))
  }

  /// Does trials around a delay, until there are enough or they come no longer.
  private func measure(around delay: Double) throws(MeasurementEnd) {
    let rate = duplex.output.rate
    let margin = max(48, rate / 400)
    let count = probe.samples.count + 2 * margin
    guard let correlator = Correlator(probe: probe, capacity: count) else {
      throw .failed("there is no memory to look for a probe in \(count) frames")
    }
    var next = duplex.writtenFrames + Int64(rate / 20)
    emissions = []
    var missing = 0
    while trials.count < wanted && missing < Self.mostMissing {
      // Probes stand ready before their frames are made.
      while next < duplex.writtenFrames + Int64(2 * duplex.output.bufferFrames) {
        emissions.append((next, probe))
        next += Int64(count + random.below(max(rate / 200, 1)))
      }
      if !(try turn()) {
        cut += 1
        return
      }
      while let emission = emissions.first, trials.count < wanted {
        let expected = Double(emission.start) + roughOffset + delay
        let first = Int64(expected.rounded()) - Int64(margin)
        if first < heardFirst {
          emissions.removeFirst()
          continue
        }
        guard let recording = recording(from: first, count: count) else { break }
        emissions.removeFirst()
        forget(before: first)
        do throws(Unheard) {
          let arrival = try correlator.find(in: recording)
          missing = keep(arrival, from: first, start: emission.start) ? 0 : missing + 1
        } catch {
          missing += 1
          if case .ambiguous = error { ambiguous += 1 } else { unheard += 1 }
        }
      }
      if !trials.isEmpty { progress.show(trials.count, of: wanted, lost: unheard + ambiguous) }
    }
  }

  private var untold: String {
    "\(printable(duplex.output.name)) or \(printable(duplex.capture.input.name)) does not tell its delay "
      + "(snd_pcm_delay), so there is nothing to take off\nName the cards themselves, such as hw:1."
  }

  // The long probe stands out of a noise in which the short ones are lost.
  private var tooFaint: String {
    "the probe is too faint on \(printable(duplex.capture.input.name)), channel \(duplex.capture.input.channel + 1), for "
      + "its trials to be told from the noise\n"
      + "Turn the input's volume up (alsamixer, F4), give a higher --level, or look for hum."
  }

  /// - Returns: Whether both devices told what it takes to make a trial of it.
  private func keep(_ arrival: Arrival, from first: Int64, start: Int64) -> Bool {
    let heardFrame = Double(first) + arrival.position
    // Frames that waited before this one when it was handed over, and those that came after it until it was read.
    let write = writes.last { $0.first <= start }
    let read = reads.last { Double($0.first) <= heardFrame }
    let playback = write.flatMap { block in block.delayFrames.map { Double($0) + Double(start - block.first) }
    }
    let capture = read.flatMap { block in
      block.delayFrames.map { Double(block.first) + Double($0) - heardFrame }
    }
    guard let playback, let capture else {
      unheard += 1
      return false
    }
    trials.append(
      Trial(
        stretch: lines.count - 1, start: start, arrival: arrival, heardFrame: heardFrame,
        reportedPlayback: playback, reportedCapture: capture))
    return true
  }

  private func words(of error: Unheard) -> String {
    let input = duplex.capture.input
    let rate = Double(duplex.output.rate)
    switch error {
    case .tooShort: return "the devices kept running dry; give a longer --period"
    case .ambiguous(let first, let second):
      return
        "the probe was heard twice, \(NumberText.fixed((second - first) / rate * 1000, 2)) ms apart and about "
        + "equally loud: two paths, or an echo\n"
        + "Switch off monitoring in the mixer (alsamixer), or use a cable in place of the air."
    case .nothing(let level):
      let heard = level > -150 ? "all there is are \(NumberText.fixed(level, 0)) dB of noise" : "it is silent"
      return
        "nothing was heard of the probe on \(printable(input.name)), channel \(input.channel + 1): \(heard)\n"
        + "Look at the cable, the input's switch and volume (alsamixer, F4), --input-channel, and --level.\n"
        + "A delay of more than \(NumberText.short(Double(searchFrames) / rate * 1000)) ms takes a larger --search."
    }
  }

  // MARK: The result

  private var result: MeasuredRun {
    let rate = Double(duplex.output.rate)
    let fits = lines.map { $0.fit(isLevel: duplex.isLinked) }
    let trials = trials.filter { fits[$0.stretch] != nil }
    var (remains, errors, totals): ([Double], [Double], [Double]) = ([], [], [])
    for trial in trials {
      guard let fit = fits[trial.stretch] else { continue }
      remains.append(trial.heardFrame - Double(trial.start) - fit.value(at: trial.heardFrame))
      errors.append(fit.standardError(at: trial.heardFrame))
      totals.append(trial.reportedPlayback + (remains.last ?? 0) + trial.reportedCapture)
    }
    let input = duplex.capture.input
    let ratio = Percentiles(trials.map(\.arrival.signalToNoise)).median
    let gain = Percentiles(trials.map { Double(abs($0.arrival.gain)) / Double(level) }).median
    let isInverted = trials.count { $0.arrival.gain < 0 } * 2 > trials.count
    let clocks =
      duplex.isLinked
      ? "one clock (snd_pcm_link)"
      : "two clocks, by \(lines.reduce(0) { $0 + $1.count }) pairs of their delays"
    var run = MeasuredRun(
      mode: .loopback, milliseconds: totals.map { $0 / rate * 1000 }, wanted: wanted, output: duplex.output,
      scheduling: "measuring thread: \(scheduling)", seed: 0)
    run.lost = [
      ("the probe was not heard", unheard), ("it was heard twice", ambiguous),
      ("the devices ran dry or overran", cut),
    ]
    run.facts = [
      "input \(printable(input.name)) channel \(input.channel + 1): \(input.rate) Hz, \(input.format), "
        + "period \(NumberText.short(Double(input.periodFrames) / rate * 1000)) ms; \(clocks)",
      "\(probe.kind.rawValue) of \(probe.samples.count) frames at \(NumberText.level(Double(level))), heard "
        + "\(NumberText.level(gain))\(isInverted ? ", inverted" : ""), \(NumberText.fixed(ratio, 1)) dB over the noise",
    ]
    if duplex.capture.peak >= 0.99 { run.facts.append("the input clipped: give a lower --level") }
    run.members = [
      "input": .string(input.name), "inputChannel": .count(input.channel + 1),
      "inputFormat": .string(input.format), "clocks": .string(clocks), "linked": .bool(duplex.isLinked),
      "signal": .string(probe.kind.rawValue), "signalFrames": .count(probe.samples.count),
      "level": .number(20 * log10(Double(level))), "heardGain": .number(20 * log10(gain)),
      "inverted": .bool(isInverted), "signalToNoise": .number(ratio),
      "clipped": .bool(duplex.capture.peak >= 0.99),
    ]
    run.parts = [
      MeasuredRun.Part(
        name: "remains", meaning: "beyond what ALSA tells: converters, wires, what drivers leave out",
        frames: remains, commonError: Percentiles(errors).median)
    ]
    run.columns = [
      .init(name: "playbackDelay", values: trials.map(\.reportedPlayback), decimals: 2),
      .init(name: "captureDelay", values: trials.map(\.reportedCapture), decimals: 2),
      .init(name: "remainsFrames", values: remains, decimals: 4),
      .init(name: "signalToNoiseDecibels", values: trials.map(\.arrival.signalToNoise), decimals: 1),
    ]
    return run
  }
}
