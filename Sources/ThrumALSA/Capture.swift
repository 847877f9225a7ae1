import CALSA
import Glibc
import ThrumEngine

/// A sound input of ALSA's, read by its caller: one channel of any card, in samples of full scale 1.
///
/// Threads: one, whichever; every call is on it. Real-time: no.
public final class ALSACapture {
  /// What was opened.
  public let input: CaptureDescription
  /// Frames that were read since the last start.
  public private(set) var readFrames: Int64 = 0
  /// How often frames were lost because they were not read in time, and the input started anew.
  public private(set) var overruns = 0
  /// The largest magnitude of a sample so far.
  public private(set) var peak: Float = 0

  private let handle: OpaquePointer
  private let format: CaptureFormat
  private let isMapped: Bool
  private let frameBytes: Int
  // Safety: allocated here for the input's whole buffer, used by the caller's thread alone, freed by `deinit`.
  private let frames: UnsafeMutableRawPointer

  /// Opens an input and agrees with it on its parameters; waits for nothing.
  /// - Throws: `OutputError` with what to try; nothing stays open.
  public static func open(
    name: String, request: CaptureRequest = CaptureRequest()
  ) throws(OutputError) -> ALSACapture {
    try open(name: name, request: request, configuration: nil)
  }

  /// The same out of a private ALSA configuration.
  static func open(
    name: String, request: CaptureRequest, configuration: String?
  ) throws(OutputError) -> ALSACapture {
    let handle: OpaquePointer
    do throws(OutputFault) {
      try ALSADiagnostics.apply()
      handle = try openHandle(name: name, configuration: configuration)
    } catch {
      throw CaptureError.message(error.code, error.act, input: name)
    }
    do throws(OutputError) {
      let agreed = try CaptureParameters.negotiate(handle, request: request, name: name)
      return ALSACapture(handle, name: name, channel: request.channel, agreed)
    } catch {
      snd_pcm_close(handle)
      throw error
    }
  }

  private static func openHandle(
    name: String, configuration: String?
  ) throws(OutputFault) -> OpaquePointer {
    var handle: OpaquePointer?
    var code: Int32
    if let configuration {
      var tree: OpaquePointer?
      code = snd_config_load_string(&tree, configuration, 0)
      if code >= 0 {
        code = snd_pcm_open_lconf(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK, tree)
        let deleted = snd_config_delete(tree)
        if deleted < 0 { code = deleted }
      }
    } else {
      code = snd_pcm_open(
        &handle, try CardIdentity.resolve(name), SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
    }
    guard code >= 0, let handle else { throw OutputFault(code < 0 ? code : -EINVAL, .open) }
    return handle
  }

  private init(_ handle: OpaquePointer, name: String, channel: Int, _ agreed: CaptureParameters.Agreed) {
    self.handle = handle
    format = agreed.format
    isMapped = agreed.isMapped
    frameBytes = agreed.format.bytes * agreed.channels
    frames = .allocate(byteCount: max(frameBytes * agreed.bufferFrames, 1), alignment: 16)
    input = CaptureDescription(
      name: name, rate: agreed.rate, channels: agreed.channels, channel: channel, format: agreed.format.name,
      periodFrames: agreed.periodFrames, bufferFrames: agreed.bufferFrames)
  }

  deinit {
    snd_pcm_close(handle)
    frames.deallocate()
  }

  /// The handle, to be linked with an output's.
  var rawHandle: OpaquePointer { handle }

  /// Prepares the input to start from frame 0.
  func prepare() throws(OutputError) {
    let code = snd_pcm_prepare(handle)
    if code < 0 { throw CaptureError.message(code, .start, input: input.name) }
    readFrames = 0
  }

  /// Starts the input from frame 0, unless something it is linked with has.
  /// - Throws: `OutputError`; nothing was started.
  public func start() throws(OutputError) {
    if snd_pcm_state(handle) == SND_PCM_STATE_RUNNING { return }
    try prepare()
    try startPrepared()
  }

  /// The same for an input that has been prepared.
  func startPrepared() throws(OutputError) {
    if snd_pcm_state(handle) == SND_PCM_STATE_RUNNING { return }
    let code = snd_pcm_start(handle)
    if code < 0 { throw CaptureError.message(code, .start, input: input.name) }
  }

  /// What a call of ``read(into:timeoutMilliseconds:)`` met.
  public enum Reading: Sendable, Equatable {
    /// So many frames came; none where the device woke for nothing.
    case frames(Int)
    /// The time was up first.
    case timedOut
    /// Frames were lost; the input has to be started anew, and counts from 0.
    case overrun
  }

  /// Waits for a period and reads everything there is, the buffer at most.
  /// - Parameter samples: Gets the channel's samples at its end.
  /// - Throws: `OutputError` where the input is gone.
  public func read(into samples: inout [Float], timeoutMilliseconds: Int32) throws(OutputError) -> Reading {
    let ready = snd_pcm_wait(handle, timeoutMilliseconds)
    if ready == 0 { return .timedOut }
    let available = ready < 0 ? Int(ready) : snd_pcm_avail(handle)
    if available == 0 { return .frames(0) }
    let wanted = UInt(min(max(available, 0), input.bufferFrames))
    let count =
      available < 0
      ? available
      : isMapped ? snd_pcm_mmap_readi(handle, frames, wanted) : snd_pcm_readi(handle, frames, wanted)
    if count < 0 {
      switch Int32(-count) {
      case EAGAIN, EINTR: return .frames(0)
      case EPIPE, ESTRPIPE:
        overruns += 1
        return .overrun
      default: throw CaptureError.message(Int32(count), .play, input: input.name)
      }
    }
    let offset = input.channel * format.bytes
    samples.reserveCapacity(samples.count + count)
    for frame in 0..<count {
      let sample = format.sample(at: frames + frame * frameBytes + offset)
      peak = max(peak, sample.magnitude)
      samples.append(sample)
    }
    readFrames += Int64(count)
    return .frames(count)
  }

  /// Frames that have been captured and not read, by the device's own account (`snd_pcm_delay`); nil where it does not know.
  public func delayFrames() -> Int? {
    var frames = 0
    return snd_pcm_delay(handle, &frames) < 0 ? nil : frames
  }

  /// The frame that is captured at this moment, and the moment: the middle of the call that told it. Nil where the device
  /// does not know, or the call was held up.
  public func position() -> (frame: Int64, nanoseconds: Int64)? {
    let before = MonotonicClock.nanoseconds
    guard let delay = delayFrames() else { return nil }
    let after = MonotonicClock.nanoseconds
    if after - before > 200_000 { return nil }
    return (readFrames + Int64(delay), (before + after) / 2)
  }
}
