import CALSA
import Glibc
import ThrumEngine

/// A descriptor by which one thread ends another's poll.
final class WakeCall: Sendable {
  private let descriptor: Int32

  /// Opens it.
  /// - Throws: The error number where the process has no descriptor left.
  init() throws(OutputFault) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    if descriptor < 0 { throw OutputFault(-errno, .open) }
  }

  deinit { Glibc.close(descriptor) }

  /// What to poll.
  var pollDescriptor: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

  /// Ends the poll, or the next one.
  ///
  /// Threads: any. Real-time: no, a system call.
  func call() {
    // Fails only when its counter is full, and then the poll ends as well.
    eventfd_write(descriptor, 1)
  }

  /// Makes it ready for the next call.
  func clear() {
    var count: eventfd_t = 0
    // Fails only when nobody called, and then there is nothing to clear.
    eventfd_read(descriptor, &count)
  }

  /// Sleeps until a call comes, leaving it there for others, or the time is up.
  /// - Returns: Whether a call came.
  func wait(untilNanoseconds deadline: Int64) -> Bool {
    while true {
      let left = deadline - MonotonicClock.nanoseconds
      var entry = pollDescriptor
      let ready = poll(&entry, 1, Int32(clamping: (max(0, left) + 999_999) / 1_000_000))
      if ready > 0 { return true }
      if left <= 0 { return false }
    }
  }
}
