import Foundation

/// A message bus of a test's own, on which nothing is that the test does not put there, and nothing is started.
package final class PrivateBus: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: what changes is ended by `end`, which one test calls.

  private static let programs = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"]

  /// Where clients find it.
  package let address: String
  private let folder: URL
  private var daemon: pid_t = 0

  /// Starts a bus; nil, with a printed word, where none is installed.
  package static func start() throws -> PrivateBus? {
    guard let program = programs.first(where: FileManager.default.isExecutableFile) else {
      print("skipped: no dbus-daemon (apt package dbus)")
      return nil
    }
    return try PrivateBus(program)
  }

  private init(_ program: String) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let configuration = folder.appendingPathComponent("bus.conf")
    // Without folders of services: the machine's own must neither be started nor in the way.
    try """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(folder.path)/bus</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: configuration, atomically: true, encoding: .utf8)
    address = "unix:path=\(folder.path)/bus"
    daemon = try Self.start([program, "--config-file=\(configuration.path)", "--nofork", "--nopidfile"])
    let limit = Date(timeIntervalSinceNow: 60)
    while !canConnect {
      guard Date() < limit else { throw CocoaError(.executableRuntimeMismatch) }
      usleep(1000)
    }
  }

  /// Runs a program to its end.
  /// - Returns: Its exit status, or the number of the signal that ended it and 128.
  package static func run(_ words: [String]) throws -> Int32 {
    let process = try start(words)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private static func start(_ words: [String]) throws -> pid_t {
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var process: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A bus has much to say about limits that it cannot raise.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    guard posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      throw CocoaError(.executableNotLoadable)
    }
    return process
  }

  /// Whether it takes connections.
  private var canConnect: Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array("\(folder.path)/bus".utf8)) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    } == 0
  }

  /// Ends it, with all connections.
  package func end() {
    guard daemon > 0 else { return }
    // A test runner blocks SIGTERM, and what it starts with it.
    kill(daemon, SIGKILL)
    waitpid(daemon, nil, 0)
    daemon = 0
  }

  deinit {
    end()
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("left behind: \(folder.path)")
    }
  }
}
