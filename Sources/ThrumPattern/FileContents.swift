import Glibc

/// A file that is read from its beginning to its end.
///
/// It is not mapped: an editor that truncates the file in place while it is read would end a process that looks at a
/// mapping. What is not a file with a length and places to go back to, such as a pipe, is kept: in memory, or where it is
/// longer in a file without a name.
final class FileContents: TextSource {
  /// The most of a pipe that is kept in memory, bytes.
  static let largestInMemory = 16 << 20

  private let path: String
  // Closed with this object, but for standard input.
  private var descriptor: Int32
  private let isStandardInput: Bool
  private var kind: mode_t = 0
  /// Where in the file the text begins.
  private var origin: off_t = 0
  private var size = 0
  /// Bytes read so far.
  private var position = 0
  /// What came through a pipe, where it is short.
  private var kept: [UInt8]?

  /// Opens a file.
  /// - Parameters:
  ///   - file: The file, `-` for standard input.
  ///   - largestInMemory: The most of a pipe that is kept in memory.
  init(_ file: FileName, largestInMemory: Int = FileContents.largestInMemory) throws(Diagnostic) {
    path = file.text
    isStandardInput = file == "-"
    // Without O_NONBLOCK the opening of a pipe waits for somebody to write to it, for ever if need be.
    descriptor =
      isStandardInput ? STDIN_FILENO : file.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      let number = errno
      throw number == ENXIO ? Self.refusalWithoutReader(file) : Self.refusalToOpen(path, number)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.refusalToOpen(path, errno) }
    kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw Self.refusal(of: path, "this is a folder; name a file in it", .fileNotFound) }
    if kind == S_IFREG {
      // Standard input may have been read by somebody else before.
      if isStandardInput { origin = max(0, lseek(descriptor, 0, SEEK_CUR)) }
      size = max(0, status.st_size - origin)
      if size > AHAPDecoder.maximumBytes { throw Self.refusalOfSize(path) }
    } else {
      if !isStandardInput, kind != S_IFIFO, kind != S_IFSOCK { throw Self.refusalOfKind("a device", path) }
      try keep(inMemory: largestInMemory)
    }
  }

  deinit { if descriptor >= 0, descriptor != STDIN_FILENO { close(descriptor) } }

  /// The file's text, a part at a time.
  var feed: TextFeed {
    // One more than a file says it has, so that its end shows with the same read.
    TextFeed(self, capacity: min(1 << 18, kind == S_IFREG ? size + 1 : kept?.count ?? size) + 1)
  }

  // MARK: - Reading

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
    let got: Int
    if let kept {
      got = copy(kept, from: position, to: buffer)
    } else {
      got = try readNext(into: buffer)
    }
    position += got
    if position > AHAPDecoder.maximumBytes { throw Self.refusalOfSize(path) }
    return got
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let kept { return copy(kept, from: offset, to: buffer) }
    while true {
      let got = pread(descriptor, buffer.baseAddress, buffer.count, origin + offset)
      if got >= 0 || errno != EINTR { return max(0, got) }
    }
  }

  private func copy(_ bytes: [UInt8], from offset: Int, to buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = max(0, min(bytes.count - offset, buffer.count))
    buffer.copyBytes(from: bytes[min(offset, bytes.count)...].prefix(count))
    return count
  }

  /// Reads on from the descriptor; waits for what is not there yet.
  private func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
    while true {
      let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if got >= 0 { return got }
      if errno == EAGAIN, kind == S_IFREG {
        // A file of the kernel's that would be waited for, maybe for ever.
        throw Self.refusal(
          of: path, "this is no ordinary file: it has nothing to read at present; name a file or a pipe",
          .fileNotFound)
      } else if errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, -1) >= 0 || errno == EINTR else { throw Self.refusalToRead(path, errno) }
      } else if errno != EINTR {
        throw Self.refusalToRead(path, errno)
      }
    }
  }

  // MARK: - Pipes

  /// Reads a pipe to its end and keeps what came.
  private func keep(inMemory limit: Int) throws(Diagnostic) {
    var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { memory.deallocate() }
    var count = 0
    while count < limit {
      if count == memory.count {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(memory))
        memory.deallocate()
        memory = larger
      }
      let got = try readNext(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
      count += got
      guard got == 0 else { continue }
      if count == 0, kind == S_IFIFO, !isStandardInput {
        throw Self.refusal(of: path, "this is a pipe that nobody writes to", .fileNotFound)
      }
      kept = Array(memory[..<count])
      return
    }
    try spool(memory, count: count)
  }

  /// Puts a pipe into a file, which takes its place.
  /// - Parameters:
  ///   - memory: Begins with what has been read of it, and is used for the rest.
  ///   - count: How many bytes have been read.
  private func spool(_ memory: UnsafeMutableRawBufferPointer, count: Int) throws(Diagnostic) {
    let file = try SpoolFile(for: path)
    var count = count
    while count > 0 {
      try file.write(UnsafeRawBufferPointer(rebasing: memory[..<count]))
      size += count
      if size > AHAPDecoder.maximumBytes { throw Self.refusalOfSize(path) }
      count = try readNext(into: memory)
    }
    if descriptor != STDIN_FILENO { close(descriptor) }
    descriptor = try file.rewound()
    kind = S_IFREG
  }
}

/// A file that loses its name at once, and goes with its last descriptor.
private final class SpoolFile {
  private let path: String
  private let folder: FileName
  private var descriptor: Int32

  /// - Parameter path: What is to be kept, for messages.
  init(for path: String) throws(Diagnostic) {
    self.path = path
    let named = getenv("TMPDIR").map { FileName(String(cString: $0)) }
    folder = named.flatMap { $0.bytes.isEmpty ? nil : $0 } ?? "/tmp"
    // The six X are mkstemp's, which puts a name of its own in their place.
    var template = folder.appending("thrum-XXXXXX").bytes + [0]
    descriptor = template.withUnsafeMutableBytes { bytes in
      guard let name = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
      let made = mkstemp(name)
      if made >= 0, unlink(name) != 0 || fcntl(made, F_SETFD, FD_CLOEXEC) != 0 {
        close(made)
        return -1
      }
      return made
    }
    guard descriptor >= 0 else { throw FileContents.refusalToSpool(path, folder, errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    var rest = bytes
    while !rest.isEmpty {
      let put = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if put > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(put))
      } else if errno != EINTR {
        throw FileContents.refusalToSpool(path, folder, errno)
      }
    }
  }

  /// Gives the descriptor away, at the beginning of the file.
  func rewound() throws(Diagnostic) -> Int32 {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileContents.refusalToSpool(path, folder, errno) }
    defer { descriptor = -1 }
    return descriptor
  }
}
