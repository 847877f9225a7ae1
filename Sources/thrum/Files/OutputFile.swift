import Glibc
import ThrumEngine
import ThrumPattern

/// Writes a whole file or none: a temporary file beside it takes the bytes and then its name.
enum OutputFile {
  /// Writes a file; a file of that name stays as it was until all bytes are there.
  /// - Throws: `CommandError.failed`; the temporary file is gone.
  static func write(_ bytes: [UInt8], to path: FileName) throws(CommandError) {
    try write(to: path) { (sink) throws(CommandError) in try sink.write(bytes) }
  }

  /// Writes a file as its bytes are made; a file of that name stays as it was until all of them are there.
  /// - Throws: What the maker throws, or `CommandError.failed`; the temporary file is gone.
  static func write<Value>(
    to path: FileName, _ make: (OutputSink) throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    // What is not a regular file, such as a pipe or /dev/null, has no contents to protect and must keep its place.
    var status = stat()
    if path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw .failed("\(path) is a folder; name a file in it") }
      return try writeInPlace(path, make)
    }
    // Through a link, the file it points at is replaced, not the link.
    let target = path.withPath { realpath($0, nil) }.map { pointer in
      defer { free(pointer) }
      return FileName(bytes: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }
    let destination = target ?? path
    // mkstemp puts letters of its own in the place of six X.
    let placeholder = [UInt8](repeating: UInt8(ascii: "X"), count: 6)
    var template = (destination.bytes + ".".utf8 + placeholder).map { CChar(bitPattern: $0) } + [0]
    var (descriptor, number): (Int32, Int32) = (-1, 0)
    // A signal must not leave it behind.
    Interruption.take()
    Interruption.begin {
      descriptor = mkstemp(&template)
      number = errno
      return descriptor < 0 ? nil : FileName(bytes: template.lazy.map { UInt8(bitPattern: $0) })
    }
    if descriptor < 0 { throw refusal(path, number) }
    let temporary = FileName(bytes: template.lazy.map { UInt8(bitPattern: $0) })
    defer { Interruption.finish() }
    var isOpen = true
    do throws(CommandError) {
      // mkstemp makes a private file; a result has the permissions of any other new file.
      let mask = umask(0)
      umask(mask)
      let mode = target == nil ? 0o666 & ~mask : status.st_mode & 0o7777
      if fchmod(descriptor, mode) != 0 { throw refusal(path, errno) }
      let sink = OutputSink(descriptor: descriptor, path: path, isTemporary: true)
      let value = try make(sink)
      try sink.flush()
      // A network file system tells of a full disk only here.
      isOpen = false
      if close(descriptor) != 0 { throw refusal(path, errno) }
      if temporary.withPath({ old in destination.withPath { rename(old, $0) } }) != 0 {
        throw refusal(path, errno)
      }
      return value
    } catch {
      if isOpen { close(descriptor) }
      temporary.withPath { name in if unlink(name) != 0 { return } }
      throw error
    }
  }

  /// Whether two paths lead to one file.
  static func isSame(_ left: FileName, _ right: FileName) -> Bool {
    var (a, b) = (stat(), stat())
    return left.withPath { stat($0, &a) } == 0 && right.withPath { stat($0, &b) } == 0 && a.st_dev == b.st_dev
      && a.st_ino == b.st_ino
  }

  private static func writeInPlace<Value>(
    _ path: FileName, _ make: (OutputSink) throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    let descriptor = path.withPath { open($0, O_WRONLY | O_CLOEXEC) }
    if descriptor < 0 { throw refusal(path, errno) }
    defer { close(descriptor) }
    let sink = OutputSink(descriptor: descriptor, path: path, isTemporary: false)
    let value = try make(sink)
    try sink.flush()
    return value
  }

  /// Why a file was not written.
  fileprivate static func refusal(_ path: FileName, _ code: Int32) -> CommandError {
    let advice =
      switch code {
      case ENOENT: "; its folder does not exist"
      case EACCES, EROFS: "; choose a folder that may be written to"
      case ENOSPC, EDQUOT: "; nothing was left behind"
      default: ""
      }
    return .failed("cannot write \(path): \(errorText(code))\(advice)")
  }
}

/// Takes the bytes of an output as they are made, some of them at a time.
final class OutputSink {
  /// Whether it is a temporary file, whose first bytes may be written last and which must not be left behind.
  let isTemporary: Bool
  /// What is held back, so that small pieces do not cost a call each.
  private static let heldBytes = 1 << 16
  private let descriptor: Int32
  private let path: FileName?
  private var held: [UInt8] = []

  /// The sink of an open file; without a path, of standard output.
  init(descriptor: Int32, path: FileName?, isTemporary: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.isTemporary = isTemporary
    held.reserveCapacity(Self.heldBytes)
  }

  /// Standard output, where a failure ends the process as any other there does.
  static func standardOutput() -> OutputSink {
    OutputSink(descriptor: STDOUT_FILENO, path: nil, isTemporary: false)
  }

  /// Takes bytes behind those that it has.
  func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
    if held.count + bytes.count > Self.heldBytes { try flush() }
    if bytes.count > Self.heldBytes { try check(put(bytes)) } else { held += bytes }
  }

  /// Takes an array of bytes.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    try flush()
    try check(bytes.withUnsafeBytes(put))
  }

  /// Passes on what it holds back.
  func flush() throws(CommandError) {
    try check(held.withUnsafeBytes(put))
    held.removeAll(keepingCapacity: true)
  }

  /// Lays bytes over the first ones of a temporary file.
  func overwriteStart(_ bytes: [UInt8]) throws(CommandError) {
    try flush()
    if lseek(descriptor, 0, SEEK_SET) < 0 { try check(errno) }
    try check(bytes.withUnsafeBytes(put))
    if lseek(descriptor, 0, SEEK_END) < 0 { try check(errno) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    if path != nil { return writeAll(bytes, to: descriptor) }
    StandardOutput.write(bytes)
    return 0
  }

  private func check(_ code: Int32) throws(CommandError) {
    if code != 0 { throw OutputFile.refusal(path ?? "standard output", code) }
  }
}
