import Glibc

/// Wakes threads that wait for something to change, with a time limit on CLOCK_MONOTONIC.
///
/// A count of rings makes a ring between looking and waiting impossible to miss: take ``count``, look, then
/// wait for the next ring after that count. Control threads and the handler thread ring and wait; the loop of a
/// device only tries to ring.
package final class Doorbell: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `rings` is read and written under `mutex` alone, and the two pthread
  // objects stay where they were made until the end.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var rings = 0

  /// Makes a bell that has not rung.
  package init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    // None of these can fail with valid arguments except for want of memory.
    precondition(
      pthread_mutex_init(mutex, nil) == 0 && pthread_condattr_init(&attributes) == 0
        && pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
        && pthread_cond_init(condition, &attributes) == 0, "no memory for a condition")
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Rings so far.
  package var count: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return rings
  }

  /// Wakes all who wait.
  package func ring() {
    pthread_mutex_lock(mutex)
    rings += 1
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Wakes all who wait, unless somebody is at the bell at this moment.
  ///
  /// Threads: any. Real-time: calls the system if somebody waits, and never waits itself.
  /// - Returns: Whether it rang.
  func tryRing() -> Bool {
    guard pthread_mutex_trylock(mutex) == 0 else { return false }
    rings += 1
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
    return true
  }

  /// Waits for a ring after so many, until a time of CLOCK_MONOTONIC at most.
  package func wait(after count: Int, untilNanoseconds nanoseconds: Int64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / MonotonicClock.nanosecondsPerSecond),
      tv_nsec: Int(nanoseconds % MonotonicClock.nanosecondsPerSecond))
    pthread_mutex_lock(mutex)
    while rings == count {
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
    }
    pthread_mutex_unlock(mutex)
  }
}
