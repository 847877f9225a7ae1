import Foundation

/// A run of the real binary, the one built beside these tests.
final class ThrumProcess {
  /// How a run ended and what it wrote.
  struct Outcome {
    /// The exit code; 128 and the number of a signal that killed it, as a shell tells it.
    var status: Int32
    var output: String { String(decoding: outputBytes, as: UTF8.self) }
    var outputBytes: [UInt8]
    var errors: String
    /// The most memory that was seen to be resident, in bytes.
    var peakBytes: Int
    var errorLines: [Substring] { errors.split(separator: "\n") }
  }

  /// Where a process reads and writes.
  enum Wiring {
    /// Files for all three; a person is nowhere.
    case files
    /// A terminal of its own for all three.
    case terminal
  }

  /// The binary.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let tests = String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("thrum").path
  }()

  let pid: pid_t
  /// The tests' end of the terminal; -1 where there is none.
  let terminal: Int32
  private let folder: TemporaryFolder
  private var isReaped = false

  /// Runs `thrum` to its end.
  static func run(
    _ arguments: [String], input: [UInt8] = [], in directory: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try ThrumProcess(arguments, input: input, in: directory, environment: environment).wait()
  }

  /// Starts `thrum`, or another program.
  /// - Parameter environment: Added to a small one that knows no configuration and no device.
  init(
    _ arguments: [String], input: [UInt8] = [], in directory: String? = nil,
    environment: [String: String] = [:], wiring: Wiring = .files, program: String = ThrumProcess.path
  ) throws {
    folder = try TemporaryFolder()
    try Data(input).write(to: folder.url("input"))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch wiring {
    case .files:
      terminal = -1
      posix_spawn_file_actions_addopen(&actions, 0, folder.path("input"), O_RDONLY, 0)
      let flags = O_WRONLY | O_CREAT | O_TRUNC
      posix_spawn_file_actions_addopen(&actions, 1, folder.path("output"), flags, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, folder.path("errors"), flags, 0o600)
    case .terminal:
      terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // The kernel's own requests, TIOCSPTLCK and TIOCGPTN: Glibc's module leaves their wrappers out.
      var (lock, number): (Int32, Int32) = (0, 0)
      guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0,
        ioctl(terminal, 0x8004_5430, &number) == 0
      else { throw ProcessFailure("no terminal: \(String(cString: strerror(errno)))") }
      let name = "/dev/pts/\(number)"
      // The first terminal a new session opens becomes its own, and ctrl-C typed there reaches the process.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if wiring == .terminal { flags |= 0x80 }  // POSIX_SPAWN_SETSID, which Glibc's module leaves out
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var variables = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path(""), "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
    ]
    // The build's tools for finding memory faults are told their options this way.
    for name in ["ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "LD_LIBRARY_PATH"] {
      variables[name] = ProcessInfo.processInfo.environment[name]
    }
    variables.merge(environment) { $1 }
    // `env -C` changes the folder and then becomes the program.
    let command = (directory.map { ["/usr/bin/env", "-C", $0] } ?? []) + [program] + arguments
    let words = CStrings(command)
    let settings = CStrings(variables.map { "\($0)=\($1)" })
    var pid: pid_t = 0
    let code = posix_spawn(&pid, command[0], &actions, &attributes, words.pointers, settings.pointers)
    guard code == 0 else { throw ProcessFailure("cannot run \(program): \(String(cString: strerror(code)))") }
    self.pid = pid
  }

  deinit {
    if !isReaped {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if terminal >= 0 { close(terminal) }
  }

  /// What was written to standard output so far.
  var outputSoFar: String { soFar("output") }
  /// What was written to standard error so far.
  var errorsSoFar: String { soFar("errors") }

  private func soFar(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: folder.path(name)) ?? Data(), as: UTF8.self)
  }

  /// How long is waited for anything, seconds. Only ends a test that has failed: no machine is so slow or so busy.
  static let patienceSeconds = 300.0

  /// Waits until something is true, looking at it again and again.
  func wait(until isTrue: () -> Bool, _ what: String) throws {
    let end = Date(timeIntervalSinceNow: Self.patienceSeconds)
    while !isTrue() {
      if Date() > end { throw ProcessFailure("waited in vain for \(what); errors: \(errorsSoFar)") }
      usleep(5000)
    }
  }

  /// Sends a signal.
  func send(signal: Int32) { kill(pid, signal) }

  /// Types into the terminal.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    precondition(write(terminal, bytes, bytes.count) == bytes.count, "the terminal takes no key")
  }

  /// Reads the terminal until a text has appeared.
  func screen(until text: String) throws -> String {
    var screen = ""
    let end = Date(timeIntervalSinceNow: Self.patienceSeconds)
    while !screen.contains(text) {
      if Date() > end { throw ProcessFailure("\"\(text)\" did not appear in: \(screen)") }
      guard let more = readTerminal(milliseconds: 200) else { break }
      screen += more
    }
    return screen
  }

  /// What comes to the terminal within so many seconds, or until a text has come.
  func screen(seconds: Double, until text: String) -> String {
    var screen = ""
    let end = Date(timeIntervalSinceNow: seconds)
    while !screen.contains(text), Date() < end, let more = readTerminal(milliseconds: 200) { screen += more }
    return screen
  }

  /// Waits for the end; a run that does not end is killed, which shows as status 137.
  func wait(seconds: Double = ThrumProcess.patienceSeconds) throws -> Outcome {
    var status: Int32 = 0
    var screen = ""
    var peakBytes = 0
    let end = Date(timeIntervalSinceNow: seconds)
    while true {
      peakBytes = max(peakBytes, residentPeak)
      let result = waitpid(pid, &status, WNOHANG)
      if result == pid { break }
      if result < 0 { throw ProcessFailure("waitpid: \(String(cString: strerror(errno)))") }
      if Date() > end { kill(pid, SIGKILL) }
      if terminal >= 0 { screen += readTerminal(milliseconds: 5) ?? "" } else { usleep(2000) }
    }
    isReaped = true
    while terminal >= 0, let more = readTerminal(milliseconds: 0), !more.isEmpty { screen += more }
    let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    let output = terminal >= 0 ? Array(screen.utf8) : Array(try Data(contentsOf: folder.url("output")))
    let errors =
      terminal >= 0 ? "" : String(decoding: try Data(contentsOf: folder.url("errors")), as: UTF8.self)
    return Outcome(status: code, outputBytes: output, errors: errors, peakBytes: peakBytes)
  }

  /// The most memory that has been resident so far, in bytes; 0 once the process has ended. What `wait4` tells is of no use:
  /// it counts the memory of the tests themselves, from before the program was there.
  private var residentPeak: Int { status("VmHWM").flatMap { Int($0) }.map { $0 * 1024 } ?? 0 }

  /// Whether a signal has been sent that nothing has taken yet.
  func isPending(signal: Int32) -> Bool {
    let pending = [status("SigPnd"), status("ShdPnd")].compactMap { $0 }.compactMap { UInt64($0, radix: 16) }
    return pending.contains { $0 >> UInt64(signal - 1) & 1 == 1 }
  }

  /// A value that the kernel tells of the process; nil once it has ended.
  private func status(_ name: String) -> String? {
    guard let file = fopen("/proc/\(pid)/status", "r") else { return nil }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let line {
      let words = String(cString: line).split(whereSeparator: \.isWhitespace)
      if words.first.map(String.init) == "\(name):", words.count > 1 { return String(words[1]) }
    }
    return nil
  }

  /// What the terminal shows next: empty when nothing came in time, nil when the other end is closed.
  private func readTerminal(milliseconds: Int32) -> String? {
    var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return "" }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}

/// A test's own machinery did not work.
struct ProcessFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A folder that goes away with its owner.
final class TemporaryFolder {
  private let root: String

  init() throws {
    var template = Array("\(NSTemporaryDirectory())thrum-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw ProcessFailure("no temporary folder") }
    root = String(cString: made)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: root)
    } catch {
      print("left behind: \(root): \(error)")
    }
  }

  /// The path of a name in the folder; the folder's own for the empty name.
  func path(_ name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }
  /// The same as a URL.
  func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }
  /// Makes a folder in it.
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
  }
  /// Writes a file into it and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try text.write(to: url(name), atomically: false, encoding: .utf8)
    return path(name)
  }
}

/// Words in the shape `posix_spawn` wants them.
private final class CStrings {
  private(set) var pointers: [UnsafeMutablePointer<CChar>?]
  init(_ words: [String]) { pointers = words.map { strdup($0) } + [nil] }
  deinit { for pointer in pointers { free(pointer) } }
}
