import CALSA
import Glibc
import Synchronization
import ThrumEngine
import ThrumRealtime

/// A sound device of ALSA's as an output: any PCM's name, real cards and plug-ins alike.
///
/// Opened, ended and asked by the control side; while it plays, the render thread has the device and closes
/// it at the end, so that the kernel can forget a card that was unplugged.
public final class ALSAOutput: OutputDevice {
  private let session: Session
  private let parameters: NegotiatedParameters
  private let thread = Mutex(ThreadState())

  // A thread that hangs in a plug-in can neither be ended nor have its stack taken away: it is kept for good.
  private static let hungThreads = Mutex<[RenderThread]>([])

  private struct ThreadState {
    var thread: RenderThread?
    var isClosed = false
  }

  /// What was opened.
  public let output: OutputDescription
  /// What was asked for.
  public let request: ALSARequest
  /// The sound server that the device plays into; nil where it is none that is known.
  public let server: SoundServer?
  /// The control device with its volumes, for ``Mixer/read(name:)``; there need not be one.
  public var mixerName: String { session.pcm.mixerName }
  /// How frames reach the device.
  public var access: PCMAccess { parameters.access }

  /// Opens a PCM for playback and agrees with it on its parameters; waits for nothing, a busy card included.
  /// - Throws: ``OutputError``; nothing stays open.
  ///
  /// Threads: control. Real-time: no.
  public static func open(
    name: String, request: ALSARequest = ALSARequest()
  ) throws(OutputError) -> ALSAOutput {
    try open(name: name, request: request, configuration: nil)
  }

  /// Opens a PCM like ``open(name:request:)``, and tries again where it is busy, not there, or its server does not
  /// answer: about four times a second, for as long as the caller wants to wait.
  /// - Parameter keepsWaiting: Called after every vain attempt with its error.
  /// - Throws: The error of the last attempt; nothing stays open.
  ///
  /// Threads: control. Real-time: no, blocks.
  public static func open(
    name: String, request: ALSARequest = ALSARequest(), keepsWaiting: (OutputError) -> Bool
  ) throws(OutputError) -> ALSAOutput {
    try open(name: name, request: request, configuration: nil, keepsWaiting: keepsWaiting)
  }

  /// The same out of a private ALSA configuration.
  static func open(
    name: String, request: ALSARequest, configuration: String?, keepsWaiting: (OutputError) -> Bool
  ) throws(OutputError) -> ALSAOutput {
    while true {
      var isPassing = false
      do throws(OutputError) {
        return try open(name: name, request: request, configuration: configuration, isPassing: &isPassing)
      } catch {
        guard isPassing, keepsWaiting(error) else { throw error }
      }
      MonotonicClock.sleep(untilNanoseconds: MonotonicClock.nanoseconds + 250_000_000)
    }
  }

  /// Opens a PCM out of a private ALSA configuration, without the system's.
  static func open(
    name: String, request: ALSARequest, configuration: String?
  ) throws(OutputError) -> ALSAOutput {
    var isPassing = false
    return try open(name: name, request: request, configuration: configuration, isPassing: &isPassing)
  }

  /// - Parameter isPassing: Set where an error may pass by itself.
  private static func open(
    name: String, request: ALSARequest, configuration: String?, isPassing: inout Bool
  ) throws(OutputError) -> ALSAOutput {
    let session: Session
    do throws(OutputFault) {
      let pcm = try PCM(name: name, configuration: configuration)
      session = try Session(
        pcm: pcm,
        control: LoopControl(
          awayLimitSeconds: request.awayLimitSeconds, hiddenLimitSeconds: request.hiddenDelayLimitSeconds,
          startPatienceSeconds: pcm.server?.startPatienceSeconds ?? 1))
    } catch {
      isPassing = ALSAError.isPassing(error.code)
      throw ALSAError.message(reading: error, device: name)
    }
    do throws(NegotiationFailure) {
      return ALSAOutput(session, try session.pcm.configure(request), request)
    } catch {
      isPassing = ALSAError.isPassing(error.code)
      throw ALSAError.message(error, device: name)
    }
  }

  private init(_ session: Session, _ parameters: NegotiatedParameters, _ request: ALSARequest) {
    self.session = session
    self.parameters = parameters
    self.request = request
    output = parameters.description(name: session.pcm.name)
    server = session.pcm.server
  }

  deinit { close() }

  /// Figures since the start.
  public var counters: OutputCounters { session.control.counters }
  /// Figures since the start that only ALSA has.
  public var faults: ALSAFaultCounters { session.control.faults }
  /// What the render thread measured of itself since the start; reading begins the levels anew.
  public var statistics: OutputStatistics? { session.control.statistics.read() }
  /// The scheduling that the render thread obtained; nil before the start.
  public var scheduling: String? { thread.withLock { $0.thread?.scheduling } }
  /// Frames between a write and the ear as the device tells them, asked about ten times a second; nil before
  /// the first answer, and from a device that does not know.
  public var reportedDelayFrames: Int? {
    // Ordering: relaxed throughout, see LoopControl: each figure stands alone and none publishes memory.
    let frames = session.control.delayFrames.load(ordering: .relaxed)
    return frames < 0 ? nil : frames
  }
  /// Seconds that a plug-in, a server or the device adds beyond our buffer by its own account, the largest that it told;
  /// nil before the first answer, and from a device that does not know.
  public var hiddenDelaySeconds: Double? {
    let frames = session.control.hiddenFrames.load(ordering: .relaxed)
    return frames < 0 ? nil : Double(frames) / Double(output.rate)
  }
  /// Whether the device has no clock, as ALSA's `null` and files over it, so that the program keeps the time.
  public var isPacedByProgram: Bool { session.control.isPaced.load(ordering: .relaxed) }
  /// How the output ended by itself; nil while it plays, and after ``close()``.
  public var end: OutputEnd? {
    switch session.end.withLock({ $0 }) {
    case .drained: .drained
    case .failed(let code):
      .failed(ALSAError.message(reading: OutputFault(code, .play), device: output.name).message)
    case .closed, nil: nil
    }
  }

  /// What happened to the device, in ALSA's words, and what to do about it.
  public func describe(_ cause: OutageCause, code: Int32, isFinal: Bool) -> String {
    // What does not come back takes other advice than what does.
    isFinal
      ? ALSAError.message(OutputFault(code, .play), device: output.name).message
      : ALSAError.outage(cause, code: code, device: output.name).message
  }

  /// Begins to pull frames.
  /// - Throws: ``OutputError`` when the output was started or closed before, or there is no thread to be had;
  ///   nothing was started.
  ///
  /// Threads: control. Real-time: no.
  public func start(_ feed: OutputFeed) throws(OutputError) { try start(source: feed) }

  /// Begins to pull frames from any source.
  func start<Source: FrameSource & Sendable>(source: Source) throws(OutputError) {
    let session = session
    let parameters = parameters
    try thread.withLock { state throws(OutputError) in
      if state.thread != nil || state.isClosed {
        throw ALSAError.message(OutputFault(-EBADFD, .start), device: output.name)
      }
      let thread = RenderThread(
        name: "thrum-alsa", grant: RealtimeKit.grant,
        placement: request.processor.map(ALSAOutput.placement))
      // What the thread holds on to is its own end of the output, so that it never has to wait for itself.
      try thread.start { session.run(source: source, parameters: parameters) }
      state.thread = thread
    }
  }

  /// The scheduling that a render thread of this process obtains now, in the words of ``scheduling``.
  /// - Throws: ``OutputError`` where there is no thread to be had.
  ///
  /// Threads: control. Real-time: no, waits for the system's bus where it is needed.
  public static func obtainableScheduling() throws(OutputError) -> String {
    let thread = RenderThread(name: "thrum-alsa", grant: RealtimeKit.grant)
    try thread.start {}
    thread.join()
    return thread.scheduling ?? "unknown scheduling"
  }

  private static func placement(on processor: Int) -> RenderThread.Placement {
    {
      let code = thrum_keep_on_processor(Int32(clamping: processor))
      let words = "processor \(processor)"
      return code == 0 ? words : "not on \(words) (\(ALSAError.text(of: -code)))"
    }
  }

  /// Plays up to and including a device frame, then ends. A frame not made yet is waited for as long as it
  /// takes to become due.
  /// - Parameters:
  ///   - frame: The last timeline frame that has to be heard; silence follows it.
  ///   - timeoutSeconds: How long to wait beyond that and beyond what the buffer holds.
  ///
  /// Threads: control. Real-time: no, blocks.
  public func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd {
    let control = session.control
    control.endFrame.store(frame.value + 1, ordering: .relaxed)
    session.pcm.wake()
    let ahead = max(0, frame.value + 1 - control.renderedFrame.load(ordering: .relaxed))
    // The silence that follows the last frame is part of what the device is given to play.
    let tail = max(output.rate / 20, output.periodFrames) + 2 * output.periodFrames
    let frames = Double(ahead + Int64(output.bufferFrames + tail))
    let seconds = frames / Double(output.rate) + max(0, timeoutSeconds)
    let deadline = MonotonicClock.nanoseconds + Int64(min(seconds, 1e9) * 1e9)
    guard session.ended.wait(untilNanoseconds: deadline) else { return .timedOut }
    return end ?? .timedOut
  }

  /// Ends at once, throwing away what the device still holds, and closes it. Safe to call twice. A device
  /// that never comes back from a call is left behind after a second.
  ///
  /// Threads: control. Real-time: no, blocks.
  public func close() {
    session.control.isClosing.store(true, ordering: .relaxed)
    let (thread, isFirst) = thread.withLock { state in
      defer { state.isClosed = true }
      return (state.thread, !state.isClosed)
    }
    guard isFirst else { return }
    guard let thread else {
      session.pcm.close()
      return
    }
    session.pcm.wake()
    if session.ended.wait(untilNanoseconds: MonotonicClock.nanoseconds + 1_000_000_000) {
      thread.join()
    } else {
      ALSAOutput.hungThreads.withLock { $0.append(thread) }
    }
  }
}

/// What the render thread and the control side of an output share.
final class Session: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `pcm` is the control side's until the thread starts, and the thread's
  // from then on; the rest is atomic, locked or never changes.
  let pcm: PCM
  let control: LoopControl
  let end = Mutex<LoopEnd?>(nil)
  /// Rings when the loop has ended, for good.
  let ended: WakeCall

  init(pcm: PCM, control: LoopControl) throws(OutputFault) {
    self.pcm = pcm
    self.control = control
    ended = try WakeCall()
  }

  /// All that the render thread does.
  func run<Source: FrameSource>(source: Source, parameters: NegotiatedParameters) {
    let result = PlaybackLoop(device: pcm, source: source, parameters: parameters, control: control).run()
    pcm.close()
    end.withLock { $0 = result }
    ended.call()
  }
}
