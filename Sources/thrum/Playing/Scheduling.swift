import ThrumALSA
import ThrumEngine

/// The scheduling of a render thread on this machine, and how to grant more.
enum Scheduling {
  /// One line for a person whose system refuses SCHED_FIFO.
  static let howToGrant =
    "to grant it: echo '@audio - rtprio 20' | sudo tee /etc/security/limits.d/thrum.conf, join the group audio, log in again"

  /// Whether a render thread's scheduling, in its words, is real-time.
  static func isRealTime(_ words: String) -> Bool {
    words.hasPrefix("SCHED_FIFO") || words.hasPrefix("SCHED_RR")
  }

  /// Starts a render thread that does nothing, and tells what it obtained.
  static func tell(json: Bool) throws(CommandError) -> ExitCode {
    let obtained: String
    do throws(OutputError) {
      obtained = try ALSAOutput.obtainableScheduling()
    } catch {
      throw .failed(error.message)
    }
    let isRealTime = isRealTime(obtained)
    if json {
      let answer = JSONValue.object([
        ("scheduling", .string(obtained)), ("isRealTime", .bool(isRealTime)),
        ("defaultPriority", .count(Int(RenderThread.defaultPriority))),
      ])
      StandardOutput.write(answer.text + "\n")
    } else {
      StandardOutput.write("a render thread has \(obtained)\n" + (isRealTime ? "" : howToGrant + "\n"))
    }
    return .success
  }
}
