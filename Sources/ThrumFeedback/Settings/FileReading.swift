import Glibc
import ThrumPattern

extension FileName {
  /// Whether something is there by this name.
  var isThere: Bool { withPath { access($0, F_OK) } == 0 }

  /// The text of a file of at most 1 MiB; nil where there is none.
  /// - Throws: ``FileProblem``.
  func readText() throws(FileProblem) -> String? {
    // Without O_NONBLOCK a pipe of this name would hold up the program for as long as nobody writes to it.
    let descriptor = withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileProblem(text: "cannot be read (system error \(errno))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileProblem(text: "cannot be read (system error \(errno))") }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += block[..<count]
      if bytes.count > 1 << 20 { throw FileProblem(text: "larger than 1 MiB, which is no configuration") }
    }
  }
}

/// Why a file was not read.
struct FileProblem: Error {
  /// The reason, to be put behind the file's name.
  let text: String
}

/// The process's environment.
enum ProcessEnvironment {
  /// All of it, as text.
  static var values: [String: String] {
    var values: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        values[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return values
  }

  /// What the running program is called: the last part of its path.
  static var programName: String {
    let path = CommandLine.arguments.first ?? ""
    return String(path.split(separator: "/").last ?? "")
  }
}
