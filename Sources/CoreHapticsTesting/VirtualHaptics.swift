public import CoreHaptics
internal import ThrumEngine
internal import ThrumRealtime

/// A machine for tests: outputs whose time is turned by hand, and everything that would have been felt and heard.
///
/// Engines made within ``use(_:)-(()->Result)`` play on it, whatever the real machine has. Nothing waits for
/// real time, and equal tests give equal samples.
public final class VirtualHaptics: Sendable {
  /// Samples in a second of ``signal(output:channel:)`` and ``sound(output:side:)``.
  public static let samplesPerSecond = RenderRate.framesPerSecond

  private let clock = HandClock()
  private let outputs: VirtualOutputs
  private let system: HapticSystem
  private let isRecording: Bool
  private let log = Locked<[RecordedRequest]>([])
  private let recordings = Locked<[String?: Recording]>([:])

  /// Samples a channel, from the beginning.
  private struct Recording: Sendable { var channels: [[Float]] }

  /// Makes a machine.
  /// - Parameters:
  ///   - actuators: How many actuators each output drives, on a channel each; default 1.
  ///   - hasLoudspeakers: Whether each output has a left and a right loudspeaker; default true. Without them
  ///     `supportsAudio` is false, and sounds are left out.
  ///   - soundMemory: Bytes that all sounds take at most; default 64 MB.
  ///   - isRecording: Whether requests and what is felt and heard are kept, four bytes a frame and channel;
  ///     default true. Without it ``requests`` stays empty and all signals are zeros.
  public init(
    actuators: Int = 1, hasLoudspeakers: Bool = true, soundMemory: Int = 64_000_000, isRecording: Bool = true
  ) {
    self.isRecording = isRecording
    outputs = VirtualOutputs(actuators: max(1, actuators), hasLoudspeakers: hasLoudspeakers)
    defer { system.ownAssetSettings = HapticAssetSettings() }
    // The time of an engine begins a second ahead of a clock that begins at 0.
    let watcher: @Sendable (PlayerRequest) -> Void = { [log] request in
      log.withLock { $0 += RecordedRequest.requests(request, origin: 1) }
    }
    system = HapticSystem(
      provider: outputs, clock: clock, soundCapacity: soundMemory, watcher: isRecording ? watcher : nil)
  }

  deinit {
    // Nobody turns its time any more, so what still plays would never end, and would keep its output and a thread.
    for name in outputs.names { system.output(named: name).session?.output.close() }
  }

  /// Runs code whose engines and questions about capabilities concern this machine.
  public func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try HapticSystem.$current.withValue(system, operation: body)
  }

  /// Runs code whose engines and questions about capabilities concern this machine.
  public func use<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await HapticSystem.$current.withValue(system, operation: body, isolation: isolation)
  }

  /// Whether there is an output; true at first. Without one engines cannot be made.
  public var hasOutput: Bool {
    get { outputs.isThere }
    set { outputs.isThere = newValue }
  }

  /// What variants of haptic data assets are chosen by; plain and without a language at first.
  public var assetSettings: HapticAssetSettings {
    get { system.ownAssetSettings ?? HapticAssetSettings() }
    set { system.ownAssetSettings = newValue }
  }

  /// Seconds that were turned.
  public var seconds: Double { Double(frame) / Double(Self.samplesPerSecond) }

  /// Everything that players were asked so far, in order.
  public var requests: [RecordedRequest] { log.withLock { $0 } }

  /// What an actuator was given so far, full scale being 1; zeros while the output was closed.
  /// - Parameters:
  ///   - output: The device; nil means the one that the settings choose.
  ///   - channel: The actuator, from 0.
  public func signal(output: String? = nil, channel: Int = 0) -> [Float] {
    precondition((0..<outputs.actuators).contains(channel), "an actuator, from 0 to \(outputs.actuators - 1)")
    return samples(output, channel: channel)
  }

  /// A loudspeaker.
  public enum Side: Sendable, CaseIterable {
    /// The left one.
    case left
    /// The right one.
    case right
  }

  /// What a loudspeaker was given so far, frame by frame beside ``signal(output:channel:)``; zeros while the output
  /// was closed, and on a machine without loudspeakers.
  ///
  /// Sounds are brought to ``samplesPerSecond``, so what of them lies above half of it is not there.
  /// - Parameters:
  ///   - output: The device; nil means the one that the settings choose.
  ///   - side: The loudspeaker.
  public func sound(output: String? = nil, side: Side = .left) -> [Float] {
    samples(output, channel: outputs.actuators + (side == .left ? 0 : 1))
  }

  /// Bytes that all sounds take at present, decoded and converted.
  public var soundBytes: Int { system.soundBytes }

  private func samples(_ output: String?, channel: Int) -> [Float] {
    let frame = frame
    let samples = recordings.withLock { recordings in
      recordings[output].flatMap { channel < $0.channels.count ? $0.channels[channel] : nil }
    }
    return (samples ?? []) + Array(repeating: 0, count: max(0, frame - (samples?.count ?? 0)))
  }

  private var frame: Int { Int(clock.nanoseconds / Self.nanosecondsPerFrame) }
  private static let nanosecondsPerFrame = Int64(1_000_000_000 / RenderRate.framesPerSecond)
  /// Frames that are taken before handlers are called: 5 ms.
  private static let stepFrames = 40
}

// Time.
extension VirtualHaptics {
  /// Turns time on: plays, and calls the handlers of all that happens within 5 ms of it.
  /// - Parameter seconds: Rounded to the nearest of 8,000 frames a second.
  public func advance(seconds: Double) {
    var left = Int((seconds * Double(Self.samplesPerSecond)).rounded())
    settle()
    while left > 0 {
      let step = min(left, nextStep)
      // Or a handler would be called before the clock has moved on, or behind it, as threads happen to run.
      system.handlers.hold { take(frames: step) }
      left -= step
      settle()
    }
  }

  /// Calls every handler that is due, those of what they start included.
  public func settle() {
    repeat {
      system.settle()
      for name in outputs.names { system.output(named: name).session?.output.flushHandlers() }
      system.handlers.flush()
    } while clock.callDue()
  }

  /// Frames until something may be due.
  private var nextStep: Int {
    let isPlaying = outputs.names.contains { name in
      let output = system.output(named: name).session?.output
      return output.map { $0.isBusy } ?? false
    }
    if isPlaying { return Self.stepFrames }
    guard let next = clock.nextCall else { return .max }
    let wait = next - clock.nanoseconds
    return max(1, Int((wait + Self.nanosecondsPerFrame - 1) / Self.nanosecondsPerFrame))
  }

  private func take(frames: Int) {
    for name in outputs.names {
      guard let device = system.output(named: name).session?.output.device as? VirtualOutput else { continue }
      var left = frames
      while left > 0 {
        let count = min(left, 4096)
        defer { left -= count }
        guard isRecording else {
          device.discard(frames: count)
          continue
        }
        record(
          device.advance(frames: count), channels: device.output.channels, output: name,
          from: frame + frames - left)
      }
    }
    clock.advance(nanoseconds: Int64(frames) * Self.nanosecondsPerFrame)
  }

  private func record(_ bytes: [UInt8], channels: Int, output: String?, from frame: Int) {
    let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    recordings.withLock { recordings in
      var recording =
        recordings[output] ?? Recording(channels: Array(repeating: [], count: channels))
      for channel in 0..<channels {
        let gap = max(0, frame - recording.channels[channel].count)
        recording.channels[channel] += Array(repeating: 0, count: gap)
        recording.channels[channel] += stride(from: channel, to: samples.count, by: channels).map {
          samples[$0]
        }
      }
      recordings[output] = recording
    }
  }
}

// Faults.
extension VirtualHaptics {
  /// What takes an output away.
  public enum Fault: Sendable, CaseIterable {
    /// It is unplugged.
    case unplugged
    /// The system is suspended.
    case suspended
    /// It fails.
    case failed
  }

  /// Takes an open output away, from the next frame on; nothing happens to one that is closed.
  public func beginOutage(_ fault: Fault, output: String? = nil) {
    let cause: OutageCause =
      switch fault {
      case .unplugged: .unplugged
      case .suspended: .suspended
      case .failed: .error
      }
    device(output)?.beginOutage(cause)
  }

  /// Gives an output back, from the next frame on.
  public func endOutage(output: String? = nil) { device(output)?.endOutage() }

  private func device(_ name: String?) -> VirtualOutput? {
    system.output(named: name).session?.output.device as? VirtualOutput
  }
}

/// Virtual actuators that are turned by hand.
private final class VirtualOutputs: OutputProvider {
  let actuators: Int
  private let hasLoudspeakers: Bool
  private let state = Locked(State())

  private struct State {
    var isThere = true
    var names: [String?] = []
  }

  init(actuators: Int, hasLoudspeakers: Bool) {
    self.actuators = actuators
    self.hasLoudspeakers = hasLoudspeakers
  }

  var isThere: Bool {
    get { state.withLock { $0.isThere } }
    set { state.withLock { $0.isThere = newValue } }
  }

  /// The outputs that were opened.
  var names: [String?] { state.withLock { $0.names } }

  func support(of name: String?) -> OutputSupport {
    OutputSupport(
      problem: isThere ? nil : "This machine has no output.", actuators: actuators,
      carriesSound: hasLoudspeakers)
  }

  func open(_ name: String?) throws -> OpenedDevice {
    state.withLock { state in
      if !state.names.contains(name) { state.names.append(name) }
    }
    let sources =
      (0..<Int32(actuators)).map(ChannelSource.haptic) + (hasLoudspeakers ? [.soundLeft, .soundRight] : [])
    let device = VirtualOutput(channels: sources.count, isTurnedByHand: true)
    let configuration = OutputConfiguration(
      settings: OutputLimits.rendererSettings, profiles: Array(repeating: .none, count: actuators),
      map: ChannelMap(sources))
    return OpenedDevice(device: device, configuration: configuration)
  }
}
