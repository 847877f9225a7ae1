import Glibc

/// A value behind a lock of the control side.
///
/// A pthread mutex instead of the standard library's: ThreadSanitizer knows the one and not the other on
/// Linux, and what it cannot see it cannot check.
package final class Locked<Value>: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `value` is reached under `mutex` alone, which stays where it was made.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: sending Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let code = pthread_mutex_init(mutex, nil)
    precondition(code == 0, "a plain mutex can always be made")
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls a closure with the value, one thread at a time; a closure that comes back here would wait for
  /// itself.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
