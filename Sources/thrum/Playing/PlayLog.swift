import Glibc
import Synchronization
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// The log of `play --json`: one object a line on standard output, written as things happen.
///
/// Lives on two threads: the main thread tells of files and of the device, the handler thread of events.
final class PlayLog: Sendable {
  // The lock guards the names and keeps lines whole.
  private let files = Mutex<[Int: String]>([:])
  private let firstFailure = Atomic<Int32>(0)

  /// The error number of the first line that could not be written; 0 as long as all could.
  // Ordering: relaxed, the number is the whole message.
  var failure: Int32 { firstFailure.load(ordering: .relaxed) }

  /// Says which file a player plays from now on.
  func name(player: Int, file: String) { files.withLock { $0[player] = file } }

  /// Writes a line.
  func write(_ kind: String, _ members: [(String, JSONValue)]) {
    files.withLock { _ in put(kind, members) }
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
          ("kind", .string(kind.word)),
        ]
        put("started", members + Self.times(frame, deviceFrame, seconds))
      case .looped(let player, let frame, let deviceFrame, let seconds):
        put("looped", [("file", .optional(files[player]))] + Self.times(frame, deviceFrame, seconds))
      case .finished(let player, let frame, let deviceFrame, let seconds, let wasStopped):
        let members: [(String, JSONValue)] = [
          ("file", .optional(files[player])), ("stopped", .bool(wasStopped)),
        ]
        put("finished", members + Self.times(frame, deviceFrame, seconds))
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

  private func put(_ kind: String, _ members: [(String, JSONValue)]) {
    // A log with a hole in it would look like a whole one.
    if failure != 0 { return }
    let line = JSONValue.object([("event", .string(kind))] + members).text + "\n"
    let code = StandardOutput.tryWrite(line)
    if code == 0 { return }
    firstFailure.store(code, ordering: .relaxed)
    // The output still has to fade and close, so the main thread is asked for the end.
    Interruption.ask(signal: SIGPIPE)
  }
}

extension OutputDescription {
  /// The device as a person reads it.
  var words: String {
    let channelWord = NumberText.count(channels, "channel")
    return "\(printable(name)): \(rate) Hz, \(format.word), \(channelWord), \(bufferWords)"
  }

  /// Period and buffer as a person reads them, such as `period 5 ms × 3`.
  var bufferWords: String {
    let milliseconds = NumberText.short(Double(periodFrames) * 1000 / Double(rate))
    return "period \(milliseconds) ms × \(bufferFrames / max(1, periodFrames))"
  }

  /// What was agreed on, as a script reads it.
  var members: [(String, JSONValue)] {
    [
      ("rate", .count(rate)), ("channels", .count(channels)), ("format", .string(format.word)),
      ("periodFrames", .count(periodFrames)), ("bufferFrames", .count(bufferFrames)),
    ]
  }
}

extension OutputDevice {
  /// The sound server that it plays into, as people call it.
  private var serverName: String? { (self as? ALSAOutput)?.server?.rawValue }

  /// The device as a person reads it.
  var words: String { output.words + (serverName.map { ", the sound server \($0)" } ?? "") }

  /// The device as a script reads it.
  var members: [(String, JSONValue)] {
    [("device", .string(output.name))] + output.members + [("server", .optional(serverName))]
  }
}

extension ScheduledEventKind {
  /// As the log has it.
  fileprivate var word: String {
    switch self {
    case .transient: "transient"
    case .continuous: "continuous"
    case .tone: "tone"
    case .sound: "sound"
    }
  }
}
