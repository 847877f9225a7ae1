import ThrumRealtime

/// A sound at one rate, in memory that never changes.
///
/// Shared by reference: the render thread is lent ``view`` by a player, which holds the object until the render thread has
/// handed the player back. The memory is freed with the last reference, on the control side.
public final class SoundSamples: Sendable {
  /// Frames a second.
  public let rate: Int
  /// Frames; 1 or more.
  public let frames: Int
  /// Channels, interleaved; 1 or more.
  public let channels: Int
  /// A copy of the samples, `frames` × `channels` of them.
  public var samples: [Float] { withSamples { Array($0) } }

  /// Calls a closure with the samples, which are valid for as long as it runs.
  public func withSamples<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(UnsafeBufferPointer(memory)) }
  }

  // Safety: written before the object exists, only read afterwards, freed when it ends.
  nonisolated(unsafe) private let memory: UnsafeMutableBufferPointer<Float>
  // Ends with the memory; nil where nobody counts it.
  private let account: (any Sendable)?

  /// Takes over memory.
  /// - Parameters:
  ///   - memory: Allocated by the caller, `frames` × `channels` samples, written in full; freed by this object.
  ///   - account: Held as long as the memory is, for whoever counts it.
  ///
  /// Threads: any. Real-time: no.
  public init(
    takingOver memory: UnsafeMutableBufferPointer<Float>, rate: Int, channels: Int,
    account: (any Sendable)? = nil
  ) {
    precondition(channels > 0 && memory.count % channels == 0, "whole frames")
    self.memory = memory
    self.rate = rate
    self.channels = channels
    frames = memory.count / channels
    self.account = account
  }

  deinit { memory.deallocate() }

  /// What the render thread sees of it; nil for more than two channels, which no output has.
  var view: SoundView? {
    guard channels <= 2, let base = memory.baseAddress else { return nil }
    return SoundView(samples: UnsafePointer(base), frames: Int64(frames), channels: Int32(channels))
  }
}

/// Where an output gets a sound from when a player that needs it is made.
public protocol SoundSource: AnyObject, Sendable {
  /// Its length.
  var seconds: Double { get }

  /// The sound at a rate, in one or two channels; made when it is not there yet.
  /// - Throws: `soundUnavailable`, with the reason.
  ///
  /// Threads: control, any; may take as long as converting the whole sound does. Real-time: no.
  func samples(atRate rate: Int) throws(EngineError) -> SoundSamples
}
