import ThrumActuator
import ThrumIdentification
import ThrumEngine
import ThrumPattern
import ThrumSound

/// Sweeps in files: written to be played elsewhere, and read as they were recorded there.
enum SweepFile {
  /// Writes sweeps, each with the silence around it, as a mono WAV file of 16 bits.
  static func write(_ sweep: SweepSignal, count: Int, to path: FileName) throws(CommandError) {
    let rate = Double(sweep.rate)
    let lead = [Float](repeating: 0, count: Int(SweepMeasurement.leadSeconds * rate))
    let tail = [Float](repeating: 0, count: Int(SweepMeasurement.tailSeconds * rate))
    let one = lead + sweep.samples + tail
    let layout: WAVWriter
    do throws(WAVError) {
      layout = try WAVWriter(format: .s16, channels: 1, rate: sweep.rate, frames: Int64(one.count * count))
    } catch {
      throw .failed(error.message)
    }
    var bytes: [UInt8] = []
    for sample in one {
      let value = UInt16(bitPattern: Int16((sample * 32767).rounded()))
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    var whole = layout.header
    for _ in 0..<count { whole += bytes }
    try OutputFile.write(whole + layout.trailer, to: path)
  }

  /// A recording's samples and its rate.
  struct Recording {
    var samples: [Float]
    var rate: Int
  }

  /// Reads one channel of a sound file.
  /// - Throws: `CommandError.failed`.
  static func read(_ path: FileName, channel: Int) throws(CommandError) -> Recording {
    let sound: Sound
    do throws(SoundError) {
      sound = try SoundLibrary().sound(named: path.text, rules: SoundPaths(baseFolder: "."))
    } catch {
      throw .failed(error.message)
    }
    let original = sound.original
    guard channel < original.channels else {
      throw .failed(
        "\(path) has \(NumberText.count(original.channels, "channel")); --input-channel asks for \(channel + 1)"
      )
    }
    let samples = original.withSamples { samples in
      (0..<original.frames).map { samples[$0 * original.channels + channel] }
    }
    return Recording(samples: samples, rate: original.rate)
  }

  /// The recordings of single sweeps within a longer one.
  static func split(_ recording: Recording, sweep: SweepSignal) -> [[Float]] {
    let rate = Double(sweep.rate)
    let samples = recording.samples
    let period = Int((SweepMeasurement.leadSeconds + SweepMeasurement.tailSeconds + sweep.seconds) * rate)
    guard samples.count > period, let strongest = SweepSearch.strongestPlace(of: sweep, in: samples) else {
      return [samples]
    }
    let lead = Int(SweepMeasurement.leadSeconds * rate)
    var found: [[Float]] = []
    var place = strongest % period
    while place + sweep.count <= samples.count {
      let first = max(place - lead, 0)
      let last = min(place + sweep.count + Int(SweepMeasurement.tailSeconds * rate), samples.count)
      let part = Array(samples[first..<last])
      // Where only one was played the other stretches hold nothing of it.
      if place == strongest || SweepSearch.holds(sweep, part) { found.append(part) }
      place += period
    }
    return found
  }
}
