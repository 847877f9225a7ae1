import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// An engine without a handler thread: blocks are made, and what they reported is taken, only when a test says so.
///
/// A handler that blocks for a while, and a race between the two threads, are then a matter of who is asked first.
final class HandRig {
  let feed: OutputFeed
  let console: Console
  let pump: NotificationPump
  let engine: Engine
  let log = EventLog()

  init(settings: RendererSettings = RendererSettings()) throws {
    feed = OutputFeed(
      stage: OutputStage(
        settings: settings, profiles: [.none], map: .allHaptic(channels: 1), rate: 8000, format: .float))
    console = Console(feed: feed, settings: settings)
    pump = NotificationPump(console: console)
    engine = try Engine(console: console, pump: pump)
    console.withState { [log] in $0.observers.append { log.append($0) } }
  }

  /// Makes frames in one block. Nothing is taken of what it reports.
  @discardableResult
  func fill(_ frames: Int) -> [Float] {
    var samples = [Float](repeating: .nan, count: frames)
    samples.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { feed.fill(base, frames: frames) }
    }
    return samples
  }

  /// Takes what has been reported and calls its handlers.
  /// - Returns: Whether more is to be expected.
  @discardableResult
  func drain() -> Bool { pump.drain() }

  /// Makes frames block by block, and takes what each reported.
  @discardableResult
  func turn(_ frames: Int, by size: Int = 400) -> [Float] {
    var samples: [Float] = []
    while samples.count < frames {
      samples += fill(min(size, frames - samples.count))
      drain()
    }
    return samples
  }

  var starvedEvents: Int { console.status.pointee.starvedEvents.load(ordering: .relaxed) }
}
