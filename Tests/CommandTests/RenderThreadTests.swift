import Foundation
import Testing

/// What the kernel says of the threads of a `play` that runs: where they may run, and what they keep in memory.
@Suite("The render thread, as the kernel sees it")
struct RenderThreadTests {
  private static let sustained = """
    {"Pattern": [{"Event": {"EventType": "HapticContinuous", "Time": 0, "EventDuration": 30}}]}
    """

  /// A line of a status file of the kernel's.
  private static func value(_ name: String, of path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  /// The processors that each thread may run on, by the name of the thread.
  private static func processors(of pid: pid_t) throws -> [String: String] {
    let tasks = "/proc/\(pid)/task"
    var all: [String: String] = [:]
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      let file = "\(tasks)/\(task)/status"
      if let name = value("Name", of: file) { all[name] = value("Cpus_allowed_list", of: file) }
    }
    return all
  }

  /// Runs `body` while a pattern plays on ALSA's null, then ends it.
  private static func whilePlaying(
    _ words: [String], through prefix: [String] = [], _ body: (pid_t) throws -> Void
  ) throws -> ThrumProcess.Outcome {
    let command = ["play", "-d", "null", "--json", "-v", "-"] + words
    let process = try ThrumProcess(
      prefix.dropFirst() + (prefix.isEmpty ? [] : [ThrumProcess.path]) + command,
      input: Array(sustained.utf8), program: prefix.first ?? ThrumProcess.path)
    try process.wait(until: { process.outputSoFar.contains("\"event\":\"started\"") }, "the first event")
    try body(process.pid)
    process.send(signal: SIGINT)
    return try process.wait()
  }

  @Test("--cpu keeps the render thread on its processor, and no other thread")
  func processor() throws {
    let allowed = try #require(Self.value("Cpus_allowed_list", of: "/proc/self/status"))
    // The last one of a list such as "0-3" or "0,2".
    let last = try #require(allowed.split { $0 == "," || $0 == "-" }.last.map(String.init))
    let outcome = try Self.whilePlaying(["--cpu", last]) { pid in
      let processors = try Self.processors(of: pid)
      #expect(processors["thrum-alsa"] == last, "\(processors)")
      #expect(processors["thrum"] == allowed && processors["thrum-handlers"] == allowed, "\(processors)")
    }
    #expect(outcome.status == 130, "\(outcome.errors)")
    #expect(outcome.errors.contains(", processor \(last)"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("not kept on processor"), "\(outcome.errors)")
    let free = try Self.whilePlaying([]) { pid in
      let processors = try Self.processors(of: pid)
      #expect(processors["thrum-alsa"] == allowed, "\(processors)")
    }
    #expect(free.status == 130, "\(free.errors)")
  }

  @Test(
    "The stack of the render thread and what it works in are locked into memory, or it is told that they are not"
  )
  func locked() throws {
    var kibibytes = 0
    let outcome = try Self.whilePlaying([]) { pid in
      kibibytes =
        Self.value("VmLck", of: "/proc/\(pid)/status").flatMap { Int($0.split(separator: " ")[0]) } ?? 0
    }
    #expect(outcome.status == 130, "\(outcome.errors)")
    let isRefused = outcome.errors.contains("not locked")
    // The stack alone is 512 KiB.
    #expect(isRefused ? kibibytes < 512 : kibibytes > 512, "\(kibibytes) KiB; \(outcome.errors)")
  }

  @Test("Without a right to lock memory it plays all the same, and says so")
  func refused() throws {
    // The limit binds those without the capability; root, who has it, gives it away.
    let isRoot = geteuid() == 0
    let prefix =
      ["/usr/bin/prlimit", "--memlock=0:0"]
      + (isRoot ? ["/usr/bin/setpriv", "--bounding-set=-ipc_lock"] : [])
    var locked: String?
    let outcome = try Self.whilePlaying([], through: prefix) { pid in
      locked = Self.value("VmLck", of: "/proc/\(pid)/status")
    }
    #expect(outcome.status == 130, "\(outcome.errors)")
    #expect(locked == "0 kB")
    #expect(outcome.errors.contains("stack not locked"), "\(outcome.errors)")
  }
}
