import CCommandLine
import Glibc

/// Wakes a thread that waits in `poll`.
final class Bell: Sendable {
  /// Readable from a ring until it is taken.
  let descriptor: Int32

  init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

  deinit { close(descriptor) }

  /// Rings; rings before it is taken are one.
  func ring() {
    // Refused only when the count would overflow, and then the descriptor is readable already.
    eventfd_write(descriptor, 1)
  }

  /// Forgets the rings so far.
  func take() { if isTaken() { return } }

  /// Forgets the rings so far.
  /// - Returns: Whether there was one.
  func isTaken() -> Bool {
    var count: eventfd_t = 0
    // Refused only when there was none.
    return eventfd_read(descriptor, &count) == 0
  }
}

/// Waits until a descriptor is readable.
/// - Parameter milliseconds: How long at most; negative for ever.
/// - Returns: Whether each is readable; all false when the time passed, or a signal came.
func waitForReading(_ descriptors: [Int32], milliseconds: Int32) -> [Bool] {
  var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else {
    return descriptors.map { _ in false }
  }
  return entries.map { $0.revents != 0 }
}
