import Glibc
import ThrumEngine
import ThrumPattern

/// Where keys come from, and when they were pressed.
enum KeySource {
  /// The terminal: a press counts from when its byte could be read.
  case terminal
  /// A keyboard's event node: a press counts from the kernel's own time stamp.
  case node(descriptor: Int32, name: String)

  /// What the kernel tells of a key.
  struct Event: Equatable {
    var nanoseconds: Int64
    var code: UInt16
    /// 0 released, 1 pressed, 2 repeated.
    var value: Int32
  }

  /// The bytes of one event: a time, a type, a code and a value.
  static let eventBytes = 24
  private static let keyType: UInt16 = 1
  // EVIOCSCLOCKID: _IOW('E', 0xa0, int).
  private static let setClock: UInt = 0x4004_45A0

  /// Opens an event node and sets its time stamps to CLOCK_MONOTONIC.
  /// - Throws: `CommandError.failed` with what to try.
  static func open(node: String) throws(CommandError) -> KeySource {
    let descriptor = Glibc.open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 {
      let advice =
        errno == EACCES
        ? "Event nodes are for root and the group input: sudo usermod -aG input $USER, then log in again."
        : "\"ls -l /dev/input/by-id/*kbd\" lists keyboards."
      throw .failed("cannot open the keyboard \(printable(node)): \(errorText(errno))\n\(advice)")
    }
    var clock = Int32(CLOCK_MONOTONIC)
    if ioctl(descriptor, setClock, &clock) != 0 {
      close(descriptor)
      throw .failed(
        "\(printable(node)) is no event node: \(errorText(errno))\n\"ls -l /dev/input/by-id/*kbd\" lists keyboards."
      )
    }
    return .node(descriptor: descriptor, name: node)
  }

  /// Whether they come from the terminal.
  var isTerminal: Bool { if case .terminal = self { true } else { false } }

  /// What becomes readable with a key.
  var descriptor: Int32 {
    switch self {
    case .terminal: STDIN_FILENO
    case .node(let descriptor, _): descriptor
    }
  }

  /// What it is called in a report.
  var words: String {
    switch self {
    case .terminal: "keys of the terminal, from when they can be read"
    case .node(_, let name): "keys of \(printable(name)), from the kernel's time stamp"
    }
  }

  /// Takes everything that is readable.
  /// - Returns: The time of the first press in it; nil where there is none, `isOver` where no key can come any more.
  func take() -> (pressed: Int64?, isOver: Bool) {
    let now = MonotonicClock.nanoseconds
    var bytes = [UInt8](repeating: 0, count: 64 * Self.eventBytes)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0 { return (nil, errno != EAGAIN && errno != EINTR) }
    if count == 0 { return (nil, true) }
    switch self {
    case .terminal: return (now, false)
    case .node:
      let events = Self.events(in: Array(bytes.prefix(count)))
      return (events.first { $0.value == 1 }?.nanoseconds, false)
    }
  }

  /// The key events in what was read from a node.
  static func events(in bytes: [UInt8]) -> [Event] {
    stride(from: 0, through: bytes.count - eventBytes, by: eventBytes).compactMap { start in
      bytes.withUnsafeBytes { buffer in
        func load<Value: BitwiseCopyable>(_ offset: Int, _ type: Value.Type) -> Value {
          buffer.loadUnaligned(fromByteOffset: start + offset, as: type)
        }
        guard load(16, UInt16.self) == keyType else { return nil }
        let nanoseconds = load(0, Int64.self) * 1_000_000_000 + load(8, Int64.self) * 1000
        return Event(nanoseconds: nanoseconds, code: load(18, UInt16.self), value: load(20, Int32.self))
      }
    }
  }
}
