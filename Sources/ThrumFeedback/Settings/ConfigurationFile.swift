import Glibc
package import ThrumPattern

/// The configuration file, of which the command line and programs each read their own keys.
package enum ConfigurationFile {
  /// Why a file was not read.
  package struct Problem: Error {
    /// The reason, to be put behind the file's name.
    package let text: String
  }

  /// The text of a file of at most 1 MiB, without a byte order mark; nil where there is none.
  /// - Parameter noun: What the file is, for the messages.
  /// - Throws: ``Problem``.
  package static func text(
    of path: FileName, noun: String = "configuration"
  ) throws(Problem) -> String? {
    let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    if descriptor < 0 {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(errno)
    }
    defer { close(descriptor) }
    // A pipe would hold up every program for as long as nobody writes to it.
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
      throw Problem(text: "is a pipe; a \(noun) is a file")
    }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw unreadable(errno) }
      if count == 0 {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        return String(decoding: hasMark ? bytes[3...] : bytes[...], as: UTF8.self)
      }
      bytes += block[..<count]
      // A configuration is some lines; this is something else under its name.
      if bytes.count > 1 << 20 { throw Problem(text: "larger than 1 MiB, which is no \(noun)") }
    }
  }

  private static func unreadable(_ code: Int32) -> Problem {
    Problem(text: "cannot be read: \(String(cString: strerror(code)))")
  }

  /// A line that says something.
  package struct Line {
    /// From 1.
    package var number: Int
    /// All of it, without the space around.
    package var content: String
    /// What is before the first `=` and behind it; nil without one.
    package var setting: (key: String, word: String)?
  }

  /// The lines of a text that say something: `#` begins a comment line, blank lines are free.
  package static func lines(of text: String) -> [Line] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.enumerated().compactMap { index, line in
      let content = trimmed(line)
      if content.isEmpty || content.hasPrefix("#") { return nil }
      let setting = content.firstIndex(of: "=").map { equals in
        (key: trimmed(content[..<equals]), word: trimmed(content[content.index(after: equals)...]))
      }
      return Line(number: index + 1, content: content, setting: setting)
    }
  }

  /// A text without the space around it.
  static func trimmed(_ text: some StringProtocol) -> String {
    var content = text[...]
    while content.first?.isWhitespace == true { content = content.dropFirst() }
    while content.last?.isWhitespace == true { content = content.dropLast() }
    return String(content)
  }
}
