import CALSA
import Glibc
import ThrumEngine
import ThrumRealtime

/// An output and an input that run together, driven a period at a time by their caller.
///
/// Both count frames from their common start. Where the cards can be linked (`snd_pcm_link`) they start at one instant and stay
/// together; in any case both are asked for their delay at one moment, again and again, which tells which input frame is
/// captured while which output frame is heard.
///
/// Threads: one, whichever; every call is on it. Real-time: no: frames that come late are an xrun, which is told.
public final class ALSADuplex {
  /// The output that was opened.
  public let output: OutputDescription
  /// The input.
  public let capture: ALSACapture
  /// Whether the two were linked.
  public let isLinked: Bool
  /// Frames that the output has taken since the last start.
  public private(set) var writtenFrames: Int64 = 0
  /// How often the output ran dry or the input overran.
  public private(set) var xruns = 0

  private let pcm: PCM
  private let channels: [Int]
  private var isPlaybackAskedFirst = false
  private let frameBytes: Int
  // Safety: allocated here for the output's buffer, used by the caller's thread alone, freed by `deinit`.
  private let frames: UnsafeMutableRawPointer

  /// Opens both; waits for nothing.
  /// - Parameters:
  ///   - channels: The output's channels that carry the signal, from 0; nil for all.
  /// - Throws: `OutputError` with what to try; nothing stays open.
  public static func open(
    output: String, _ request: ALSARequest, channels: [Int]?, input: String, _ inputRequest: CaptureRequest
  ) throws(OutputError) -> ALSADuplex {
    try open(
      output: output, request, channels: channels, input: input, inputRequest, configuration: nil)
  }

  /// The same out of a private ALSA configuration.
  static func open(
    output: String, _ request: ALSARequest, channels: [Int]?, input: String, _ inputRequest: CaptureRequest,
    configuration: String?
  ) throws(OutputError) -> ALSADuplex {
    let pcm: PCM
    do throws(OutputFault) {
      pcm = try PCM(name: output, configuration: configuration)
    } catch {
      throw ALSAError.message(reading: error, device: output)
    }
    let agreed: NegotiatedParameters
    do throws(NegotiationFailure) {
      agreed = try pcm.configure(request)
    } catch {
      throw ALSAError.message(error, device: output)
    }
    var inputRequest = inputRequest
    inputRequest.rate = agreed.rate
    inputRequest.periodFrames = agreed.periodFrames
    let capture = try ALSACapture.open(name: input, request: inputRequest, configuration: configuration)
    return ALSADuplex(pcm, agreed, channels ?? Array(0..<agreed.channels), capture)
  }

  private init(_ pcm: PCM, _ agreed: NegotiatedParameters, _ channels: [Int], _ capture: ALSACapture) {
    self.pcm = pcm
    self.channels = channels.filter { $0 < agreed.channels }
    self.capture = capture
    output = OutputDescription(
      name: pcm.name, rate: agreed.rate, channels: agreed.channels, format: agreed.format,
      periodFrames: agreed.periodFrames, bufferFrames: agreed.bufferFrames)
    frameBytes = agreed.format.bytesPerSample * agreed.channels
    frames = .allocate(byteCount: frameBytes * agreed.bufferFrames, alignment: 16)
    // Two cards that cannot be linked say so; the delays tell where they are.
    isLinked = pcm.rawHandle.map { snd_pcm_link($0, capture.rawHandle) >= 0 } ?? false
  }

  deinit { frames.deallocate() }

  /// Does something on a thread of its own with the scheduling of a render thread, and waits for its end.
  /// - Returns: The scheduling that it obtained, in words.
  /// - Throws: `OutputError` where there is no thread to be had; nothing was done.
  public static func onRenderThread(_ body: @escaping @Sendable () -> Void) throws(OutputError) -> String {
    let thread = RenderThread(name: "thrum-duplex", grant: RealtimeKit.grant)
    try thread.start(body)
    thread.join()
    return thread.scheduling ?? "unknown scheduling"
  }

  /// Starts both from frame 0, the output on a buffer of silence.
  /// - Throws: `OutputError`; nothing runs.
  public func start() throws(OutputError) {
    try capture.prepare()
    // Linked streams are prepared together, and once is enough.
    let code = pcm.state() == .prepared ? 0 : pcm.prepare()
    if code < 0 { throw ALSAError.message(OutputFault(code, .start), device: pcm.name) }
    writtenFrames = 0
    frames.initializeMemory(as: UInt8.self, repeating: 0, count: frameBytes * output.bufferFrames)
    let count = pcm.write(frames, count: output.periodFrames)
    if count < 0 { throw ALSAError.message(OutputFault(Int32(count), .start), device: pcm.name) }
    writtenFrames += Int64(count)
    if pcm.state() == .prepared {
      let started = pcm.start()
      if started < 0 { throw ALSAError.message(OutputFault(started, .start), device: pcm.name) }
    }
    try capture.startPrepared()
    // The input comes a period after its start at the earliest: until then the output lives on this.
    while pcm.avail() >= output.periodFrames {
      let more = pcm.write(frames, count: output.periodFrames)
      if more <= 0 { break }
      writtenFrames += Int64(more)
    }
  }

  /// What a turn met.
  public enum Turn: Sendable, Equatable {
    /// Both went on.
    case went
    /// One of them stopped and frames were lost: ``start()`` begins anew, from frame 0.
    case xrun
  }

  /// Frames that were handed over in one call, and what the device told of its delay right before it.
  public struct Block: Sendable, Equatable {
    /// The first of the frames.
    public var first: Int64
    /// How many.
    public var count: Int
    /// Frames that were waiting: to be heard, or to be read. Nil where the device does not know.
    public var delayFrames: Int?
  }

  /// Reads what there is and writes as much as there is room for.
  /// - Parameters:
  ///   - samples: Gets the samples that were heard at its end.
  ///   - sample: The sample of an output frame.
  ///   - blocks: Called for what was read, then for each period that was written.
  /// - Throws: `OutputError` where a card is gone, or tells nothing for a second.
  public func turn(
    into samples: inout [Float], sample: (Int64) -> Float, blocks: (_ read: Block?, _ written: Block?) -> Void
  ) throws(OutputError) -> Turn {
    try checkPresence()
    let first = capture.readFrames
    switch try capture.read(into: &samples, timeoutMilliseconds: 1000) {
    case .overrun: return try lost()
    case .timedOut:
      if pcm.state() == .xrun { return try lost() }
      throw CaptureError.message(-ETIMEDOUT, .play, input: capture.input.name)
    case .frames(let count):
      // As many more were waiting right before.
      let waited = capture.delayFrames().map { $0 + count }
      if count > 0 { blocks(Block(first: first, count: count, delayFrames: waited), nil) }
    }
    while true {
      try checkPresence()
      let room = pcm.avail()
      if room == -Int(EPIPE) || room == -Int(ESTRPIPE) { return try lost() }
      if room < 0 { throw ALSAError.message(OutputFault(Int32(room), .play), device: pcm.name) }
      if room < output.periodFrames { return try pcm.state() == .xrun ? lost() : .went }
      let told = pcm.delay()
      makeFrames(sample)
      let count = pcm.write(frames, count: output.periodFrames)
      if count == -Int(EPIPE) || count == -Int(ESTRPIPE) { return try lost() }
      if count == -Int(EAGAIN) { return .went }
      if count < 0 { throw ALSAError.message(OutputFault(Int32(count), .play), device: pcm.name) }
      blocks(nil, Block(first: writtenFrames, count: count, delayFrames: told < 0 ? nil : told))
      writtenFrames += Int64(count)
    }
  }

  private func lost() throws(OutputError) -> Turn {
    try checkPresence()
    xruns += 1
    return .xrun
  }

  // Asked before anything else, by way of poll: a card that is gone may answer its other calls as if it had run dry, and be
  // prepared as if it were there.
  private func checkPresence() throws(OutputError) {
    let told = pcm.wait(timeoutNanoseconds: 0)
    if pcm.state() == .disconnected || told > 0 && told & Int32(POLLNVAL) != 0 {
      throw ALSAError.message(OutputFault(-ENODEV, .play), device: pcm.name)
    }
  }

  private func makeFrames(_ sample: (Int64) -> Float) {
    let bytes = output.format.bytesPerSample
    frames.initializeMemory(as: UInt8.self, repeating: 0, count: frameBytes * output.periodFrames)
    for frame in 0..<output.periodFrames {
      let value = sample(writtenFrames + Int64(frame))
      if value == 0 { continue }
      for channel in channels {
        output.format.store(value, to: frames + frame * frameBytes + channel * bytes)
      }
    }
  }

  /// The input frame that is captured at this moment, and by how many frames it is ahead of the output frame that is heard:
  /// by the delays that both tell. The one asked later is set back by the time between the two calls' beginnings, and the
  /// order changes from call to call. Nil where one does not know, or the calls were held up.
  public func offset() -> (frame: Double, ahead: Double)? {
    isPlaybackAskedFirst.toggle()
    let start = MonotonicClock.nanoseconds
    let first = isPlaybackAskedFirst ? pcm.delay() : capture.delayFrames() ?? -1
    let middle = MonotonicClock.nanoseconds
    let second = isPlaybackAskedFirst ? capture.delayFrames() ?? -1 : pcm.delay()
    let end = MonotonicClock.nanoseconds
    let (played, heard) = isPlaybackAskedFirst ? (first, second) : (second, first)
    // While it is being filled for the first time a delay may be anything.
    guard end - start < 200_000, heard >= 0, played >= 0 else { return nil }
    let between = Double(middle - start) * Double(output.rate) / 1e9 * (isPlaybackAskedFirst ? 1 : -1)
    let captured = Double(capture.readFrames) + Double(heard) - between
    return (captured, captured - (Double(writtenFrames) - Double(played)))
  }
}

extension SampleFormat {
  /// Stores a sample of full scale 1, little-endian; beyond full scale it is cut off.
  func store(_ sample: Float, to destination: UnsafeMutableRawPointer) {
    let scale: Double =
      switch self {
      case .s16: 32768
      case .s24, .s24in3: 8_388_608
      case .s32: 2_147_483_648
      case .float: 1
      }
    var bits = sample.bitPattern
    if self != .float {
      let whole = min(max((Double(sample) * scale).rounded(), -scale), scale - 1)
      bits = UInt32(bitPattern: Int32(whole))
    }
    for index in 0..<bytesPerSample {
      destination.storeBytes(
        of: UInt8(truncatingIfNeeded: bits >> (8 * UInt32(index))), toByteOffset: index, as: UInt8.self)
    }
  }
}
