import Glibc

/// The clock that outputs are paced by and that outages are bridged with.
public enum MonotonicClock {
  /// Nanoseconds in a second.
  static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// Nanoseconds of CLOCK_MONOTONIC, which stands still while the system is suspended.
  ///
  /// Threads: any. Real-time: no system call where the kernel provides a vDSO.
  public static var nanoseconds: Int64 {
    var time = timespec()
    // The only errors are an unknown clock and a bad pointer.
    let code = clock_gettime(CLOCK_MONOTONIC, &time)
    precondition(code == 0, "CLOCK_MONOTONIC is always there")
    return Int64(time.tv_sec) * nanosecondsPerSecond + Int64(time.tv_nsec)
  }

  /// Waits until a time of CLOCK_MONOTONIC; returns at once when it has passed.
  ///
  /// Threads: any. Real-time: blocks.
  public static func sleep(untilNanoseconds nanoseconds: Int64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / nanosecondsPerSecond), tv_nsec: Int(nanoseconds % nanosecondsPerSecond))
    // An absolute time makes going on after a signal the same call again.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
