import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// A render on its way into a WAV file or a pipe, a block at a time: the memory it takes does not grow with its length.
///
/// The header comes first and tells the length, which a render knows last. In a file it is laid over its own place at the
/// end. Into a pipe goes what was held back, where that is the whole; a longer render is done twice, for its length and
/// for its bytes, which come out equal.
struct WaveFile {
  let schedule: Schedule
  let profile: BusProfile
  let rate: Int
  let format: SampleFormat
  /// What each channel carries.
  let map: ChannelMap
  /// How much later sound comes than the haptics of its time, seconds.
  let soundOffset: Double
  let passes: Int
  let blockFrames: Int
  /// The pattern's name, for the progress line.
  let name: String

  /// What is held back for a pipe, in bytes: some minutes at 8000 Hz.
  private static let heldBytes = 8 << 20

  /// Refuses what no WAV file can hold, before time is spent on it.
  /// - Throws: `CommandError.failed`.
  func check() throws(CommandError) {
    if try header(frames: leastFrames).header.isEmpty { return }
  }

  /// Renders into a file or a pipe.
  /// - Throws: `CommandError.failed` or `.interrupted`.
  func write(to sink: OutputSink) throws(CommandError) -> OfflineRender.Result {
    var progress = RenderProgress(name: name, frames: leastFrames)
    defer { progress.end() }
    let empty = try header(frames: 0)
    if sink.isTemporary {
      try sink.write(empty.header)
      let result = try render { (bytes) throws(CommandError) in
        if let signal = Interruption.caught { throw .interrupted(signal: signal) }
        progress.add(frames: bytes.count / (format.bytesPerSample * map.sources.count))
        try sink.write(bytes)
      }
      let whole = try header(frames: result.deviceFrames)
      try sink.write(whole.trailer)
      try sink.overwriteStart(whole.header)
      return result
    }
    var held: [UInt8] = []
    var count = 0
    let result = try render { (bytes) throws(CommandError) in
      progress.add(frames: bytes.count / (format.bytesPerSample * map.sources.count))
      count += bytes.count
      if count <= Self.heldBytes { held += bytes } else { held = [] }
    }
    let whole = try header(frames: result.deviceFrames)
    try sink.write(whole.header)
    if count <= Self.heldBytes {
      try sink.write(held)
    } else {
      progress.end()
      let again = try render { (bytes) throws(CommandError) in try sink.write(bytes) }
      // A reader that counts on the header would be misled.
      if again != result { throw .failed("two renders of one pattern differ; what was written is worthless") }
    }
    try sink.write(whole.trailer)
    return result
  }

  /// Device frames of the pattern itself; the tail comes on top. The largest number where there is no counting them.
  private var leastFrames: Int64 {
    let perPass = min(schedule.durationFrames, 1 << 40) * Int64(rate) / Int64(RenderRate.framesPerSecond)
    let (frames, overflow) = perPass.multipliedReportingOverflow(by: Int64(passes))
    return overflow ? .max : frames
  }

  private func render(
    into sink: (UnsafeRawBufferPointer) throws(CommandError) -> Void
  ) throws(CommandError) -> OfflineRender.Result {
    try OfflineRender.render(
      schedule, profile: profile, rate: rate, format: format, map: map, soundOffsetSeconds: soundOffset,
      passes: passes, blockFrames: blockFrames, into: sink)
  }

  private func header(frames: Int64) throws(CommandError) -> WAVWriter {
    do throws(WAVError) {
      return try WAVWriter(format: format, channels: map.sources.count, rate: rate, frames: frames)
    } catch {
      throw .failed(error.message)
    }
  }
}

/// Tells a person at a terminal how far a render is that takes longer than a moment.
private struct RenderProgress {
  private static let firstNanoseconds: Int64 = 500_000_000
  private static let periodNanoseconds: Int64 = 100_000_000

  private let name: String
  private let frames: Int64
  private var line = ProgressLine()
  private var done: Int64 = 0
  private var nextNanoseconds = MonotonicClock.nanoseconds + Self.firstNanoseconds

  init(name: String, frames: Int64) {
    self.name = name
    self.frames = max(1, frames)
  }

  mutating func add(frames count: Int) {
    done += Int64(count)
    guard line.isVisible, MonotonicClock.nanoseconds >= nextNanoseconds else { return }
    nextNanoseconds = MonotonicClock.nanoseconds + Self.periodNanoseconds
    // The tail is not known beforehand.
    let percent = min(100, Int(Double(done) / Double(frames) * 100))
    line.show(name: name, state: "rendered \(percent) %, ctrl-C ends")
  }

  mutating func end() { line.clear() }
}
