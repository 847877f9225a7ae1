package import ThrumEngine
internal import ThrumRealtime
internal import Synchronization

/// An output while it is open, and where its timeline lies on the scale of `currentTime`.
package final class OutputSession: Sendable {
  /// The output.
  package let output: Output
  /// The frame of `currentTime` on which the output's timeline begins.
  let origin: Int64
  /// How many haptic buses it has.
  let busCount: Int
  private let lost = Atomic<Bool>(false)

  init(output: Output, origin: Int64, busCount: Int) {
    self.output = output
    self.origin = origin
    self.busCount = busCount
  }

  /// Whether the output does not sound at present, or never will again.
  var isLost: Bool {
    // Ordering: pairs with the store of whoever lost it, which comes before it tells the engines.
    get { lost.load(ordering: .acquiring) }
    set { lost.store(newValue, ordering: .releasing) }
  }

  /// The earliest frame that a command can still reach.
  var nextFrame: RenderFrame { output.status.playhead }

  /// A frame that no command misses although another one is sent first: a period of the device on.
  var soonFrame: RenderFrame {
    let description = output.device.output
    let period = description.periodFrames * RenderRate.framesPerSecond / description.rate
    return RenderFrame((nextFrame.value + Int64(period) + 15) & ~7)
  }
}
