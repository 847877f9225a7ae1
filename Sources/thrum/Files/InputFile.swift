import Glibc
import ThrumPattern

/// Reads whole files, `-` being standard input.
enum InputFile {
  /// The most that is read: far more than a pattern of a million events, far less than memory.
  static let largestBytes = 512 << 20

  /// Reads a file.
  /// - Throws: A ``Diagnostic`` that says why it cannot be read and what would be right.
  static func read(_ path: String) throws(Diagnostic) -> [UInt8] {
    if path == "-" { return try read(descriptor: STDIN_FILENO, expectedBytes: 0, path: path) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw refusal(errno, path: path) }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw refusal(errno, path: path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw refusal(EISDIR, path: path) }
    return try read(descriptor: descriptor, expectedBytes: Int(status.st_size), path: path)
  }

  private static func read(descriptor: Int32, expectedBytes: Int, path: String) throws(Diagnostic) -> [UInt8] {
    if expectedBytes > largestBytes { throw tooLarge(path) }
    var bytes: [UInt8] = []
    // One byte more than the file has: a full read then also finds its end.
    bytes.reserveCapacity(expectedBytes + 1)
    while true {
      let room = max(bytes.capacity - bytes.count, 64 << 10)
      var code: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        let result = Glibc.read(descriptor, buffer.baseAddress, room)
        count = max(0, result)
        code = result < 0 ? errno : 0
      }
      if code == EINTR { continue }
      if code != 0 { throw refusal(code, path: path) }
      if piece.isEmpty { return bytes }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if bytes.count > largestBytes { throw tooLarge(path) }
    }
  }

  private static func tooLarge(_ path: String) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .invalidPatternData, file: path,
      message: "more than \(largestBytes >> 20) MB; this is not a pattern")
  }

  private static func refusal(_ code: Int32, path: String) -> Diagnostic {
    let (published, message): (PatternErrorCode, String) =
      switch code {
      case ENOENT: (.fileNotFound, "there is no such file")
      case ENOTDIR: (.fileNotFound, "part of the path is a file, not a folder")
      case EISDIR: (.invalidPatternData, "this is a folder; name a file in it")
      case EACCES: (.invalidPatternData, "the file may not be read by this user; check its permissions")
      default: (.invalidPatternData, "the file cannot be read: \(errorText(code))")
      }
    return Diagnostic(severity: .error, code: published, file: path, message: message)
  }
}
