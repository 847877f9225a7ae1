import Glibc
import Synchronization
import ThrumEngine
import ThrumRealtime

/// The log of `play --json`: one object a line on standard output, written as things happen.
///
/// Lives on two threads: the main thread tells of files and of the device, the handler thread of events.
final class PlayLog: Sendable {
  // The lock guards the names and keeps lines whole.
  private let files = Mutex<[Int: String]>([:])

  /// Says which file a player plays from now on.
  func name(player: Int, file: String) { files.withLock { $0[player] = file } }

  /// Writes a line.
  func write(_ kind: String, _ members: [(String, JSONValue)]) {
    files.withLock { _ in Self.put(kind, members) }
  }

  /// Writes the line of an event.
  ///
  /// Threads: handler.
  func write(_ event: OutputEvent) {
    files.withLock { files in
      switch event {
      case .eventStarted(let player, let entryIndex, let kind, let frame, let deviceFrame, let seconds):
        let members: [(String, JSONValue)] = [
          ("file", .optional(files[player])), ("entry", .count(entryIndex)),
          ("kind", .string(kind == .transient ? "transient" : "continuous")),
        ]
        Self.put("started", members + Self.times(frame, deviceFrame, seconds))
      case .looped(let player, let frame, let deviceFrame, let seconds):
        Self.put("looped", [("file", .optional(files[player]))] + Self.times(frame, deviceFrame, seconds))
      case .finished(let player, let frame, let deviceFrame, let seconds, let wasStopped):
        let members: [(String, JSONValue)] = [
          ("file", .optional(files[player])), ("stopped", .bool(wasStopped)),
        ]
        Self.put("finished", members + Self.times(frame, deviceFrame, seconds))
      case .commandApplied: break
      }
    }
  }

  private static func times(
    _ frame: RenderFrame, _ deviceFrame: DeviceFrame, _ seconds: Double
  ) -> [(String, JSONValue)] {
    [
      ("seconds", .number(seconds)), ("renderFrame", .integer(frame.value)),
      ("deviceFrame", .integer(deviceFrame.value)),
    ]
  }

  private static func put(_ kind: String, _ members: [(String, JSONValue)]) {
    let line = JSONValue.object([("event", .string(kind))] + members).text + "\n"
    // Nobody reads on: the output still has to fade and close, so the main thread is asked for the end.
    if StandardOutput.tryWrite(line) != 0 { Interruption.ask(signal: SIGPIPE) }
  }
}

extension OutputDescription {
  /// The device as a person reads it.
  var words: String {
    let milliseconds = NumberText.short(Double(periodFrames) * 1000 / Double(rate))
    let channelWord = NumberText.count(channels, "channel")
    return "\(name): \(rate) Hz, \(format.word), \(channelWord), period \(milliseconds) ms × "
      + "\(bufferFrames / max(1, periodFrames))"
  }

  /// The device as a script reads it.
  var members: [(String, JSONValue)] {
    [
      ("device", .string(name)), ("rate", .count(rate)), ("channels", .count(channels)),
      ("format", .string(format.word)), ("periodFrames", .count(periodFrames)),
      ("bufferFrames", .count(bufferFrames)),
    ]
  }
}
