import Synchronization

/// The frames at which passes begin, some of them ahead of what is heard; from the handler thread to the main thread.
final class PassStarts: Sendable {
  let latest = Mutex(Latest(first: 0))

  /// The latest of them, and how many there were before.
  struct Latest {
    /// Far more than a device holds back of passes of a millisecond.
    static let most = 4096

    private var before = 0
    private var frames: [Int64]

    /// - Parameter first: Where the first pass begins.
    init(first: Int64) { frames = [first] }

    mutating func append(_ frame: Int64) {
      frames.append(frame)
      guard frames.count > Self.most else { return }
      frames.removeFirst(Self.most / 2)
      before += Self.most / 2
    }

    /// The pass that a frame is in, from 0, and where it began.
    func pass(at frame: Int64) -> (number: Int, start: Int64) {
      let place = frames.lastIndex { $0 <= frame } ?? 0
      return (before + place, frames[place])
    }
  }
}
