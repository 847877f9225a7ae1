import Glibc
import Synchronization
import ThrumEngine
import ThrumRealtime

/// A sound device of ALSA's as an output: any PCM's name, real cards and plug-ins alike.
///
/// Lives on two threads: opened, ended and asked by the control side, while the render thread runs the loop and
/// closes the device at its end, so that the kernel can forget a card that was unplugged.
public final class ALSAOutput: OutputDevice, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `pcm` is the render thread's from its start to its end and the control side's
  // before; what both touch is in `control`, which is atomic, in `state`, which is locked, and in `ended`.
  private let pcm: PCM
  private let parameters: NegotiatedParameters
  private let control = LoopControl()
  private let state = Mutex(State())
  // Rings once when the loop has ended, for good.
  private let ended: WakeCall

  private struct State {
    var thread: RenderThread?
    var end: LoopEnd?
    var isClosed = false
    // Whether the render thread closes the device.
    var isStarted = false
  }

  /// What was opened.
  public let output: OutputDescription
  /// What was asked for.
  public let request: ALSARequest
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

  /// Opens a PCM out of a private ALSA configuration, without the system's.
  static func open(
    name: String, request: ALSARequest, configuration: String?
  ) throws(OutputError) -> ALSAOutput {
    let pcm: PCM
    let ended: WakeCall
    do throws(OutputFault) {
      pcm = try PCM(name: name, configuration: configuration)
      ended = try WakeCall()
    } catch {
      throw ALSAError.message(reading: error, device: name)
    }
    do throws(NegotiationFailure) {
      return ALSAOutput(pcm, try pcm.configure(request), request, ended: ended)
    } catch {
      throw ALSAError.message(error, device: name)
    }
  }

  private init(_ pcm: PCM, _ parameters: NegotiatedParameters, _ request: ALSARequest, ended: WakeCall) {
    self.pcm = pcm
    self.parameters = parameters
    self.request = request
    self.ended = ended
    output = OutputDescription(
      name: pcm.name, rate: parameters.rate, channels: parameters.channels, format: parameters.format,
      periodFrames: parameters.periodFrames, bufferFrames: parameters.bufferFrames)
  }

  /// Figures since the start.
  public var counters: OutputCounters { control.counters }
  /// Figures since the start that only ALSA has.
  public var faults: ALSAFaultCounters { control.faults }
  /// The scheduling that the render thread obtained; nil before the start.
  public var scheduling: String? { state.withLock { $0.thread?.scheduling } }
  /// Frames between a write and the ear as the device tells them, asked about ten times a second; nil before the
  /// first answer, and from a device that does not know.
  public var reportedDelayFrames: Int? {
    let frames = control.delayFrames.load(ordering: .relaxed)
    return frames < 0 ? nil : frames
  }
  /// Whether the device has no clock, as ALSA's `null` and files over it, so that the program keeps the time.
  public var isPacedByProgram: Bool { control.isPaced.load(ordering: .relaxed) }
  /// How the output ended by itself; nil while it plays. After ``close()`` it says nothing.
  public var end: OutputEnd? {
    switch state.withLock({ $0.end }) {
    case .drained: .drained
    case .failed(let code): .failed(failure(code))
    case .closed, nil: nil
    }
  }

  /// Begins to pull frames.
  /// - Throws: ``OutputError`` when the output was started or closed before, or there is no thread to be had;
  ///   nothing was started.
  ///
  /// Threads: control. Real-time: no.
  public func start(_ feed: OutputFeed) throws(OutputError) { try start(source: feed) }

  /// Begins to pull frames from any source.
  func start<Source: FrameSource & Sendable>(source: Source) throws(OutputError) {
    let loop = LoopBox(PlaybackLoop(device: pcm, source: source, parameters: parameters, control: control))
    do throws(OutputFault) {
      try state.withLock { state throws(OutputFault) in
        if state.isStarted || state.isClosed { throw OutputFault(-EBADFD, .start) }
        state.thread = try RenderThread.start { [self] in finish(loop.loop.run()) }
        state.isStarted = true
      }
    } catch {
      throw ALSAError.message(error, device: output.name)
    }
  }

  // Safety of `@unchecked Sendable`: made here and handed to the one thread that runs it.
  private struct LoopBox<Source: FrameSource>: @unchecked Sendable {
    let loop: PlaybackLoop<PCM, Source>
    init(_ loop: PlaybackLoop<PCM, Source>) { self.loop = loop }
  }

  /// The render thread's last act.
  private func finish(_ end: LoopEnd) {
    // What a card says that is already gone changes nothing: the handle is closed.
    pcm.close()
    state.withLock { $0.end = end }
    ended.call()
  }

  /// Plays up to and including a device frame, then ends. A frame not made yet is waited for as long as it takes to
  /// become due.
  /// - Parameters:
  ///   - frame: The last timeline frame that has to be heard; silence follows it.
  ///   - timeoutSeconds: How long to wait beyond that and beyond what the buffer holds.
  ///
  /// Threads: control. Real-time: no, blocks.
  public func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd {
    control.endFrame.store(frame.value + 1, ordering: .relaxed)
    pcm.wake()
    let ahead = max(0, frame.value + 1 - control.renderedFrame.load(ordering: .relaxed))
    let frames = Double(ahead + Int64(output.bufferFrames + output.periodFrames))
    let seconds = frames / Double(output.rate) + max(0, timeoutSeconds)
    let deadline = MonotonicClock.nanoseconds() + Int64(min(seconds, 1e9) * 1e9)
    guard ended.wait(untilNanoseconds: deadline) else { return .timedOut }
    return end ?? .timedOut
  }

  /// Ends at once, throwing away what the device still holds, and closes it. Safe to call twice. A device that never
  /// comes back from a call is left behind after a second.
  ///
  /// Threads: control. Real-time: no.
  public func close() {
    control.isClosing.store(true, ordering: .relaxed)
    let (thread, isFirst) = state.withLock { state in
      defer { state.isClosed = true }
      return (state.thread, !state.isClosed)
    }
    guard isFirst else { return }
    guard let thread else {
      // Never started, so still this side's; what it says does not matter to a device nobody played on.
      pcm.close()
      return
    }
    pcm.wake()
    if ended.wait(untilNanoseconds: MonotonicClock.nanoseconds() + 1_000_000_000) { thread.join() }
  }

  private func failure(_ code: Int32) -> String {
    ALSAError.message(reading: OutputFault(code, .play), device: output.name).message
  }
}
