import Glibc
import ThrumEngine
import ThrumPattern

/// A controller's device, or a pipe or file in its place: read without waiting, and looked for while it is away.
///
/// Lives on the main thread.
final class ControlFile {
  /// What happens to it.
  enum Happening {
    /// It is there, by this path.
    case opened(FileName)
    /// Bytes have come.
    case bytes(UnsafeRawBufferPointer)
    /// It has gone, and is looked for. Told where its coming was, but for one that comes and goes all the time.
    case gone(isTold: Bool)
    /// It cannot be opened, which is tried again: in a sentence, once for each reason.
    case absent(String)
  }

  /// How long until it is looked for again, nanoseconds.
  static let lookNanoseconds: Int64 = 1_000_000_000
  /// The most bytes of a turn.
  static let mostBytes = 4096

  /// The device that is open; -1 while it is away.
  private(set) var descriptor: Int32 = -1
  private let find: () -> FileName
  private var nextLook: Int64 = 0
  private var isOver = false
  private var toldReason: Int32 = 0
  private var telling = SparseTelling()
  private var isTold = true
  private var buffer = [UInt8](repeating: 0, count: ControlFile.mostBytes)

  /// - Parameter find: Gives the path that is tried next.
  init(_ find: @escaping () -> FileName) { self.find = find }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// What to poll for.
  var descriptors: [pollfd] {
    descriptor < 0 ? [] : [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
  }

  /// When it is looked for again; nil while it is there, and for a plain file that was read to its end.
  var due: Int64? { descriptor < 0 && !isOver ? nextLook : nil }

  /// Takes what has come.
  func read(_ body: (Happening) -> Void) {
    if descriptor < 0 { look(body) }
    guard descriptor >= 0 else { return }
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 {
      return buffer.withUnsafeBytes { body(.bytes(UnsafeRawBufferPointer(rebasing: $0[..<count]))) }
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    close(descriptor)
    descriptor = -1
    nextLook = MonotonicClock.nanoseconds + Self.lookNanoseconds
    body(.gone(isTold: isTold && !isOver))
  }

  private func look(_ body: (Happening) -> Void) {
    let now = MonotonicClock.nanoseconds
    guard !isOver, now >= nextLook else { return }
    nextLook = now + Self.lookNanoseconds
    let path = find()
    var status = stat()
    var code = path.withPath { stat($0, &status) } == 0 ? 0 : errno
    let kind = status.st_mode & S_IFMT
    if code == 0, kind == S_IFDIR { code = EISDIR }
    if code == 0 {
      // A pipe that is open for writing, too, does not end when its writer does.
      let mode = kind == S_IFIFO ? O_RDWR : O_RDONLY
      descriptor = path.withPath { open($0, mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
      if descriptor < 0 { code = errno }
    }
    guard code == 0 else {
      if code != toldReason { body(.absent(Self.words(path, code))) }
      toldReason = code
      return
    }
    toldReason = 0
    // It ends once and for all.
    isOver = kind == S_IFREG
    // A row that is over begins anew; its sum is nothing that anybody waits for.
    if telling.look(at: now) != nil { telling = SparseTelling() }
    isTold = telling.happened(at: now)
    if isTold { body(.opened(path)) }
  }

  private static func words(_ path: FileName, _ code: Int32) -> String {
    switch code {
    case ENOENT: "\(path) is not there; it is used when it comes"
    case EACCES: "\(path) may not be read by this user; look at its group with ls -l"
    case EBUSY: "\(path) is used by another program; it is tried again"
    default: "\(path) cannot be read: \(errorText(code))"
    }
  }
}
