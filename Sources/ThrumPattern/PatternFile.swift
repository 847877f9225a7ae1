import Glibc

/// Reads pattern files by path.
///
/// A path of `-` is standard input, whose patterns have no folder to look for sounds in. Folders, devices and
/// files that are missing, may not be read or are larger than ``AHAPDecoder/maximumBytes`` are each refused
/// with one diagnostic. A pipe is read to its end; one that nobody writes to is refused at once instead of
/// waited for.
public enum PatternFile {
  /// Reads and decodes a file.
  /// - Parameter path: The file, `-` for standard input.
  /// - Throws: A ``Diagnostic`` of severity error that names the path as given.
  ///
  /// Threads: any; waits for the file. Real-time: no. Next: ``AHAPDecoder/decode(_:file:soundFolder:)``.
  public static func read(path: String) throws(Diagnostic) -> AHAPDecoder.Result {
    guard !path.utf8.contains(0) else { throw FileContents.refusalOfZero(path) }
    return try read(FileName(path))
  }

  /// Reads and decodes a file whose name need not be UTF-8.
  /// - Parameter file: The file, `-` for standard input.
  /// - Throws: A ``Diagnostic`` of severity error that names the file as text.
  ///
  /// Threads: any; waits for the file. Real-time: no.
  public static func read(_ file: FileName) throws(Diagnostic) -> AHAPDecoder.Result {
    let contents = try FileContents(file)
    return try AHAPDecoder.decode(contents.bytes, file: file.text, soundFolder: folder(of: file))
  }

  /// Reads a file and lists everything there is to say about it; never throws, so that a run over many files
  /// goes on.
  /// - Parameter path: The file, `-` for standard input.
  ///
  /// Threads: any; waits for the file. Real-time: no.
  public static func check(path: String) -> AHAPDecoder.Report {
    if path.utf8.contains(0) {
      return AHAPDecoder.Report(pattern: nil, diagnostics: [FileContents.refusalOfZero(path)])
    }
    return check(FileName(path))
  }

  /// Reads a file whose name need not be UTF-8 and lists everything there is to say about it; never throws.
  /// - Parameter file: The file, `-` for standard input.
  ///
  /// Threads: any; waits for the file. Real-time: no.
  public static func check(_ file: FileName) -> AHAPDecoder.Report {
    do throws(Diagnostic) {
      let contents = try FileContents(file)
      return AHAPDecoder.check(contents.bytes, file: file.text, soundFolder: folder(of: file))
    } catch {
      return AHAPDecoder.Report(pattern: nil, diagnostics: [error])
    }
  }

  /// The folder of a file, nil for standard input.
  private static func folder(of file: FileName) -> FileName? { file == "-" ? nil : file.folder }
}

/// The bytes of a file.
///
/// They are copied, not mapped: an editor that truncates the file in place while it is read would end a
/// process that looks at a mapping.
final class FileContents {
  // Safety: allocated by this object, which alone frees it, and lent out only as long as it lives.
  private var storage: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0

  /// The contents; valid as long as the object.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: storage, count: count) }

  /// Reads a file to its end.
  /// - Parameter file: The file, `-` for standard input.
  init(_ file: FileName) throws(Diagnostic) {
    let path = file.text
    capacity = 1 << 16
    storage = .allocate(byteCount: capacity, alignment: 16)
    guard file != "-" else {
      try read(from: STDIN_FILENO, path: path)
      return
    }
    // Without O_NONBLOCK the opening of a pipe waits for somebody to write to it, for ever if need be.
    let descriptor = file.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      let number = errno
      throw number == ENXIO ? Self.refusalWithoutReader(file) : Self.refusalToOpen(path, number)
    }
    defer { close(descriptor) }
    try read(from: descriptor, path: path)
  }

  deinit { storage.deallocate() }

  private func read(from descriptor: Int32, path: String) throws(Diagnostic) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.refusalToOpen(path, errno) }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw Self.refusal(of: path, "this is a folder; name a file in it", .fileNotFound) }
    if kind == S_IFREG {
      // One more, so that the end shows without a second buffer; a file may still be longer than it said.
      if status.st_size > AHAPDecoder.maximumBytes { throw Self.refusalOfSize(path) }
      grow(to: max(capacity, status.st_size + 1))
    } else if path != "-", kind != S_IFIFO, kind != S_IFSOCK {
      throw Self.refusalOfKind("a device", path)
    }
    while true {
      if count == capacity { grow(to: capacity * 2) }
      let got = Glibc.read(descriptor, storage + count, capacity - count)
      if got > 0 {
        count += got
        if count > AHAPDecoder.maximumBytes { throw Self.refusalOfSize(path) }
      } else if got == 0 {
        if count == 0, kind == S_IFIFO, path != "-" {
          throw Self.refusal(of: path, "this is a pipe that nobody writes to", .fileNotFound)
        }
        return
      } else if errno == EAGAIN, kind == S_IFREG {
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

  private func grow(to size: Int) {
    guard size > capacity else { return }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    larger.copyMemory(from: storage, byteCount: count)
    storage.deallocate()
    storage = larger
    capacity = size
  }

  // MARK: - Refusals

  private static func refusal(of path: String, _ message: String, _ code: PatternErrorCode) -> Diagnostic {
    Diagnostic(severity: .error, code: code, file: path, message: message)
  }

  static func refusalOfZero(_ path: String) -> Diagnostic {
    refusal(of: path, "the name holds a zero byte; no file can have it", .fileNotFound)
  }

  private static func refusalOfSize(_ path: String) -> Diagnostic {
    refusal(of: path, "larger than 1 GiB, the most that is read", .invalidPatternData)
  }

  private static func refusalOfKind(_ kind: String, _ path: String) -> Diagnostic {
    refusal(of: path, "this is \(kind); a file, a pipe or `-` is needed", .fileNotFound)
  }

  /// What has no contents to be opened: a socket, or a device that is not there, such as the terminal of a process
  /// without one.
  private static func refusalWithoutReader(_ file: FileName) -> Diagnostic {
    var status = stat()
    let isSocket = file.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFSOCK
    return refusalOfKind(isSocket ? "a socket" : "a device", file.text)
  }

  private static func refusalToOpen(_ path: String, _ number: Int32) -> Diagnostic {
    let message =
      switch number {
      case ENOENT: "no such file; check the path"
      case ENOTDIR: "no such file; a part of the path is not a folder"
      case EACCES, EPERM: "this file may not be read; check its permissions"
      case ELOOP: "too many symbolic links; check the path"
      case ENAMETOOLONG: "the name is too long; no file can have it"
      case EMFILE, ENFILE: "too many files are open; close some"
      default: "cannot be opened (system error \(number)); check the path"
      }
    return refusal(of: path, message, .fileNotFound)
  }

  private static func refusalToRead(_ path: String, _ number: Int32) -> Diagnostic {
    refusal(of: path, "cannot be read (system error \(number)); check the file", .fileNotFound)
  }
}
