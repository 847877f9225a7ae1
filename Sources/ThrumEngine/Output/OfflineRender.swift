import ThrumRealtime

/// Renders a schedule as fast as it goes, through the same stage that every device is fed from.
public enum OfflineRender {
  /// What came out of a render.
  public struct Result: Sendable, Equatable {
    /// Render frames: the pattern's end or the last tail, whichever is later, and what filter and limiter hold then.
    public var frames: Int64 = 0
    /// Device frames, the kernel's tail included.
    public var deviceFrames: Int64 = 0
    /// Peak and mean square of what was written.
    public var levels = Levels()
    /// Samples that met the last saturation.
    public var saturatedSamples = 0
    /// Device frames written while a limiter turned the bus down.
    public var limitedFrames = 0
    /// What turned the bus down in them.
    public var limits = LimitedFrames()
    /// Voices that were stolen because the pool was full.
    public var stolenVoices = 0
    /// Whether the render was cut at its longest length.
    public var isCut = false

    /// The largest magnitude written, full scale being 1.
    public var peak: Float { levels.peak }
  }

  /// Renders a schedule from its beginning to its last tail and hands the bytes on as they are made.
  /// - Parameters:
  ///   - schedule: The compiled pattern.
  ///   - profile: What is done to the bus.
  ///   - rate: Device frames a second, 8,000 or more.
  ///   - format: The layout of a sample.
  ///   - channels: Channels, all of which carry the one bus; default 1.
  ///   - map: What each channel carries, in place of `channels`.
  ///   - soundOffsetSeconds: As in ``OutputConfiguration/soundOffsetSeconds``; default 0.
  ///   - passes: How often the pattern is played, 1 or more; default 1.
  ///   - blockFrames: Device frames that are made at a time, 1 or more; the bytes do not depend on it.
  ///   - longestFrames: Render frames after which to stop; default never.
  ///   - settings: The renderer's capacities.
  ///   - sink: Takes the bytes of at most `blockFrames` frames; the render ends when it throws.
  ///
  /// Where channels carry sound, call ``Schedule/prepareSounds(atRate:)`` first: a sound that cannot be had has no way to
  /// be refused here.
  ///
  /// Threads: any. Real-time: no. Next: ``Player/start(at:)``
  @discardableResult
  public static func render<Failure: Error>(
    _ schedule: Schedule, profile: BusProfile, rate: Int, format: SampleFormat, channels: Int = 1,
    map: ChannelMap? = nil, soundOffsetSeconds: Double = 0,
    passes: Int = 1, blockFrames: Int = 1024, longestFrames: Int64 = .max,
    settings: RendererSettings = RendererSettings(),
    into sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Result {
    precondition(blockFrames > 0 && channels > 0, "a render has blocks and channels")
    let map = map ?? .allHaptic(channels: channels)
    let channels = map.sources.count
    var run = OfflineRun(
      schedule, profile: profile, rate: rate, format: format, map: map, soundOffset: soundOffsetSeconds,
      passes: passes, settings: settings)
    let longest = run.deviceFrames(forRenderFrames: min(longestFrames, Int64(Timeline.largestFrame)))
    let frameBytes = channels * format.bytesPerSample
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockFrames * frameBytes, alignment: 64)
    defer { block.deallocate() }
    guard let memory = block.baseAddress else { return Result() }

    var result = Result()
    result.isCut = true
    var end = longest
    while result.deviceFrames < end {
      let asked = Int(min(Int64(blockFrames), end - result.deviceFrames))
      run.fill(memory, frames: asked)
      var frames = asked
      if result.isCut, let length = run.finishedLength() {
        // The block in which the last voice ended may reach past the render's end.
        end = min(longest, run.deviceFrames(forRenderFrames: length))
        result.frames = length
        result.isCut = length > longestFrames
        frames = Int(max(0, min(Int64(asked), end - result.deviceFrames)))
      }
      result.levels.measure(memory, sampleCount: frames * channels, format: format)
      result.deviceFrames += Int64(frames)
      try sink(UnsafeRawBufferPointer(start: memory, count: frames * frameBytes))
    }
    if result.isCut { result.frames = longestFrames }
    run.readFigures(into: &result)
    return result
  }

  /// Renders a schedule into a WAV file's bytes.
  /// - Throws: ``WAVError`` when the format is not one of WAV's or the file would pass 4 GiB.
  ///
  /// Threads: any. Real-time: no.
  public static func wav(
    _ schedule: Schedule, profile: BusProfile, rate: Int, format: SampleFormat, channels: Int = 1,
    map: ChannelMap? = nil, passes: Int = 1, blockFrames: Int = 1024,
    settings: RendererSettings = RendererSettings()
  ) throws(WAVError) -> [UInt8] {
    let channels = map?.sources.count ?? channels
    // Refused before minutes are spent on it: a render is no shorter than its pattern.
    let least = OutputTiming(rate: rate, isLimited: false).leastDeviceFrames(of: schedule)
    var writer = try WAVWriter(format: format, channels: channels, rate: rate, frames: least)
    // The length comes first and is known last: the header is laid over its own bytes.
    var bytes = writer.header
    bytes.reserveCapacity(bytes.count + Int(least) * channels * format.bytesPerSample)
    let result = render(
      schedule, profile: profile, rate: rate, format: format, channels: channels, map: map, passes: passes,
      blockFrames: blockFrames, settings: settings
    ) { bytes += $0 }
    writer = try WAVWriter(format: format, channels: channels, rate: rate, frames: result.deviceFrames)
    bytes.replaceSubrange(0..<writer.header.count, with: writer.header)
    return bytes + writer.trailer
  }
}

extension OutputTiming {
  /// Render frames that so many device frames hold, give or take what filters and kernel hold.
  fileprivate func renderFrames(inDeviceFrames count: Int64) -> Int64 {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: rate)
    return whole * Int64(RenderRate.framesPerSecond) + rest * Int64(RenderRate.framesPerSecond) / rate
  }

  /// An offset in device frames, at most a second either way.
  static func frames(ofSeconds seconds: Double, rate: Int) -> Int64 {
    Int64((min(max(seconds.isNaN ? 0 : seconds, -1), 1) * Double(rate)).rounded())
  }

  /// Device frames that a schedule takes at least; the largest number where there is no counting them.
  fileprivate func leastDeviceFrames(of schedule: Schedule) -> Int64 {
    let (product, overflow) = schedule.durationFrames.multipliedReportingOverflow(by: rate)
    return overflow ? .max : product / Int64(RenderRate.framesPerSecond)
  }
}

/// One player on a renderer without a device or a handler thread, whose pages are there before it comes to them: no event
/// ever waits for its page, however many fall due in one block.
private struct OfflineRun {
  private let feed: OutputFeed
  private let console: Console
  private let pump: NotificationPump
  private let player: Player
  private let pages: ProvidedPages?
  private var deviceFrames: Int64 = 0

  init(
    _ schedule: Schedule, profile: BusProfile, rate: Int, format: SampleFormat, map: ChannelMap,
    soundOffset: Double, passes: Int, settings: RendererSettings
  ) {
    feed = OutputFeed(
      stage: OutputStage(
        settings: settings, profiles: [profile], map: map, rate: rate, format: format,
        soundOffset: OutputTiming.frames(ofSeconds: soundOffset, rate: rate)),
      isLocked: false)
    console = Console(feed: feed, settings: settings)
    pump = NotificationPump(console: console)
    let schedule = schedule.provided
    pages = ProvidedPages(schedule, isLooping: passes > 1)
    do {
      player = try Engine(console: console, pump: pump).makePlayer(for: schedule)
      if passes > 1 { try player.play(passes: passes) } else { try player.start() }
    } catch {
      preconditionFailure("a renderer has room for one player: \(error)")
    }
  }

  /// Makes the next frames.
  mutating func fill(_ memory: UnsafeMutableRawPointer, frames: Int) {
    pages?.provide(
      from: console.timing.renderFrames(inDeviceFrames: deviceFrames),
      through: console.timing.renderFrames(inDeviceFrames: deviceFrames + Int64(frames)))
    feed.fill(memory, frames: frames)
    deviceFrames += Int64(frames)
  }

  /// The length of the render in render frames, once everything has ended. Takes what the renderer reported.
  func finishedLength() -> Int64? {
    pump.drain()
    if console.withState({ $0.hasPlayersUnderWay }) { return nil }
    return console.endOfSound
  }

  /// Device frames that carry so many render frames; frames that nobody can count are the largest number.
  func deviceFrames(forRenderFrames count: Int64) -> Int64 {
    let largest = Int64.max / console.timing.rate - RenderRate.paddingFrames
    return console.timing.deviceFrames(forRenderFrames: min(count, largest))
  }

  func readFigures(into result: inout OfflineRender.Result) {
    // Ordering: none needed, there is one thread.
    let status = console.status
    result.saturatedSamples = status.pointee.saturatedSamples.load(ordering: .relaxed)
    result.limitedFrames = status.pointee.limitedFrames.load(ordering: .relaxed)
    result.limits = LimitedFrames(status.pointee)
    result.stolenVoices = status.pointee.stolenVoices.load(ordering: .relaxed)
  }
}

extension RenderRate {
  /// Head-room for what `deviceFrames(forRenderFrames:)` adds before it divides.
  fileprivate static var paddingFrames: Int64 { Int64(framesPerSecond) }
}
