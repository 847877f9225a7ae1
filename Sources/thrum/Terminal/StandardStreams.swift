import Glibc
import ThrumEngine
import ThrumPattern

/// Standard output: what a command was asked for.
enum StandardOutput {
  /// Whether a person reads it as it comes.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes text, all of it.
  ///
  /// A reader that has gone ends the process quietly, as it ends `cat`; any other failure ends it with a message,
  /// because half an answer must not look like a whole one.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes, all of them; see the text form for failures.
  static func write(_ bytes: UnsafeRawBufferPointer) {
    let code = writeAll(bytes, to: STDOUT_FILENO)
    if code != 0 { exit(tell(failure: code).status) }
  }

  /// Says why standard output could not be written, unless its reader has gone.
  /// - Returns: What the process has to end with.
  static func tell(failure code: Int32) -> ExitCode {
    if code == EPIPE { return .interrupted(signal: SIGPIPE) }
    StandardError.write("thrum: cannot write to standard output: \(errorText(code))\n")
    return .failure
  }

  /// Writes text and tells of a failure instead of ending the process: for a thread that may not.
  /// - Returns: 0, or the error number.
  static func tryWrite(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
  }
}

/// Standard error: what a person should know beside the answer.
enum StandardError {
  /// Whether a person reads it as it comes.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes text; there is nobody to tell when that fails.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard writeAll(UnsafeRawBufferPointer(bytes), to: STDERR_FILENO) == 0 else { return }
    }
  }

  /// Writes a message that says which command it comes from; nothing in its lines acts on a terminal.
  static func note(_ command: String, _ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
    write("thrum \(command): \(lines.joined(separator: "\n"))\n")
  }
}

/// Writes all bytes to a descriptor, through interruptions, short writes and waits for room.
/// - Returns: 0, or the error number.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count < 0 {
      if errno == EINTR { continue }
      // Another program that has the same pipe or terminal has set it not to block; an error of the wait shows at the
      // next write.
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if errno == EAGAIN, poll(&room, 1, -1) >= 0 || errno == EINTR { continue }
      return errno
    }
    rest = rest.dropFirst(count)
  }
  return 0
}

/// A variable of the environment, nil where it is not set or empty.
func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}

/// A variable of the environment that is the name of a file, nil where it is not set or empty.
func fileName(inEnvironment name: String) -> FileName? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return FileName(bytes: UnsafeRawBufferPointer(start: value, count: strlen(value)))
}

/// Takes the numbers of standard streams that the caller has closed, so that no file and no device is opened under them and
/// gets what was meant for a stream. Using one of these fails as if it were closed.
func holdStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
    // The lowest free number is given out, which is this one.
    let direction = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
    if open("/dev/null", direction) != descriptor { return }
  }
}
