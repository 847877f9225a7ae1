import Glibc
import Synchronization
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// The device of the service: opened when something is first played, closed when nothing has been for two
/// minutes.
///
/// Lives on the main thread; the end of a run rings ``bell``.
final class ServiceOutput: LiveOutput {
  /// Nothing has played for so long that the device is given back, nanoseconds.
  static let idleNanoseconds: Int64 = 120_000_000_000
  /// Feedbacks, and what OSC plays.
  private static let playerCapacity =
    FeedbackService.maximumRunning.all + OSCVoices.most.taps + OSCVoices.most.continuous
    + OSCVoices.most.fading + OSCVoices.most.patterns
  /// How long a drain may take beyond what the device holds, seconds.
  private static let drainLimitSeconds = 2.0

  /// Rings when a run has ended.
  let bell = Bell()
  private let choice: DeviceChoice
  private let fallback: String?
  private let request: DeviceRequest
  private let profile: BusProfile
  private let sounds: SoundSettings
  private var open: (output: Output, engine: Engine)?
  private let news = News()
  /// How often is looked for what there is to tell of a device, nanoseconds.
  private static let newsNanoseconds: Int64 = 250_000_000
  private static let refusalNanoseconds: Int64 = 500_000_000
  private var refusal: (words: String, nanoseconds: Int64)?
  private var lastUse = MonotonicClock.nanoseconds
  /// Called when a device that is gone for good is about to be let go of: its players end no more by themselves.
  var onLoss: () -> Void = {}

  init(
    choice: DeviceChoice, fallback: String?, request: DeviceRequest, profile: BusProfile
  ) {
    self.choice = choice
    self.fallback = fallback
    self.request = request
    self.profile = profile
    sounds = SoundSettings(isWanted: request.channels?.audio.isEmpty == false)
  }

  /// Whether the device is gone for good; what played on it is over.
  var hasFailed: Bool { open?.output.device.end != nil }
  /// The device that is open.
  var deviceName: String? { open?.output.device.output.name }
  /// The xruns of the device that is open.
  var xruns: Int { open?.output.device.counters.xruns ?? 0 }

  /// The render frame that is heard at a time of CLOCK_MONOTONIC; nil while no device tells its time.
  func frame(atNanoseconds nanoseconds: Int64) -> RenderFrame? {
    open?.output.timeline.frame(atNanoseconds: nanoseconds)
  }

  /// Why the device could not be opened a moment ago; nil after that moment. For who asks so often that trying again each time
  /// would keep the rest from its time.
  var recentRefusal: String? {
    guard let refusal, MonotonicClock.nanoseconds - refusal.nanoseconds < Self.refusalNanoseconds else {
      return nil
    }
    return refusal.words
  }

  /// Keeps the device from being given back for a while.
  func use() { lastUse = MonotonicClock.nanoseconds }

  /// When the device is to be given back if nothing uses it; nil where none is open.
  var idleDue: Int64? { open == nil ? nil : lastUse + Self.idleNanoseconds }

  /// Starts a pattern, or has it ready to be started.
  /// - Returns: Its player, whose runs ring the bell when they end.
  /// - Throws: A message for whoever asked.
  func play(_ pattern: NamedPattern, isStarted: Bool = true) throws(CommandError) -> Player {
    let player = try makePlayer(pattern)
    player.onFinish = { [bell] _ in bell.ring() }
    guard isStarted else { return player }
    do throws(EngineError) {
      try player.start()
    } catch {
      throw .failed(error.message)
    }
    return player
  }

  /// Makes a pattern ready.
  /// - Returns: Its player, which rings nothing by itself.
  /// - Throws: A message for whoever asked.
  func makePlayer(_ pattern: NamedPattern) throws(CommandError) -> Player {
    use()
    try prepare()
    guard let (output, engine) = open else { throw .failed("the device has gone") }
    let schedule = try sounds.schedule(of: pattern, rate: output.soundRate, command: "serve")
    do throws(EngineError) {
      return try engine.makePlayer(for: schedule)
    } catch {
      throw .failed(error.message)
    }
  }

  /// Opens the device where it is not.
  /// - Throws: A message for whoever asked.
  func prepare() throws(CommandError) {
    if hasFailed {
      onLoss()
      close()
    }
    if open == nil {
      do throws(CommandError) {
        open = try makeOutput()
      } catch {
        refusal = (error.words, MonotonicClock.nanoseconds)
        throw error
      }
    }
  }

  private func makeOutput() throws(CommandError) -> (output: Output, engine: Engine) {
    let device = try OpenedDevice.open(choice, request, act: "playing", fallback: fallback)
    if let notice = device.notice { StandardError.note("serve", notice) }
    var configuration = OutputConfiguration()
    configuration.profiles = [profile]
    configuration.settings.playerCapacity = Self.playerCapacity
    configuration.map = request.channels?.map(channels: device.device.output.channels)
    let output = Output(device: device.device, configuration: configuration)
    tellOutages(of: output)
    return (output, try output.started())
  }

  /// What is told of the device: noted by the handler thread, written by the main thread.
  private final class News: Sendable {
    let state = Mutex((device: DeviceNews(), lines: [String]()))
  }

  private func tellOutages(of output: Output) {
    let (news, bell, device) = (news, bell, output.device)
    output.onOutage { outage in
      news.state.withLock { news in
        guard !outage.isFinal else {
          // Told however often it was lost before, and there is nothing more to come.
          news.device = DeviceNews()
          return news.lines.append(outage.message)
        }
        if let line = news.device.began(
          outage.message, frame: outage.frame, at: MonotonicClock.nanoseconds)
        {
          news.lines.append(line)
        }
      }
      bell.ring()
    }
    output.onReturn { back in
      news.state.withLock { news in
        let (now, skipped) = (MonotonicClock.nanoseconds, device.counters.skippedFrames)
        if let line = news.device.returned(frame: back.frame, skipped: skipped, at: now) {
          news.lines.append(line)
        }
      }
      bell.ring()
    }
  }

  /// Tells what has come up about the device since it was last looked at.
  func tellNews() {
    let device = open?.output.device
    let lines = news.state.withLock { news in
      var lines = news.lines
      news.lines = []
      if let device {
        lines += news.device.look(
          skipped: device.counters.skippedFrames, rate: device.output.rate, at: MonotonicClock.nanoseconds)
      }
      return lines
    }
    for line in lines { StandardError.note("serve", line) }
  }

  /// When ``tellNews()`` is to be called though nothing rings; nil for never.
  var newsDue: Int64? {
    guard open != nil, news.state.withLock({ $0.device.isActive }) else { return nil }
    return MonotonicClock.nanoseconds + Self.newsNanoseconds
  }

  /// Lets the device play what it holds, and closes it.
  func finish() {
    guard let open else { return }
    let device = open.output.device.output
    let held = Double(device.bufferFrames + device.periodFrames) / Double(device.rate)
    if case .failed(let message) = open.output.drain(timeoutSeconds: held + Self.drainLimitSeconds) {
      StandardError.note("serve", message)
    }
    close()
  }

  private func close() {
    open?.output.close()
    tellNews()
    open = nil
    // Another device begins with frames and outages of its own.
    news.state.withLock { $0.device = DeviceNews() }
  }
}
