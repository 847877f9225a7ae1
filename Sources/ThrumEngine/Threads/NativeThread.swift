import Glibc
import Synchronization

/// A pthread with a name, which runs one closure.
package final class NativeThread: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `thread` is written by `start` before `isRunning` is published, and read
  // by `join` and `isCurrent` after; `hasBeenJoined` is touched under `joinLock`.
  private let name: String
  private var thread = pthread_t()
  private let hasStarted = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)
  private let joinLock = Locked(false)

  /// Names a thread; Linux shows 15 characters of it.
  package init(name: String) { self.name = String(name.prefix(15)) }

  deinit {
    // Nobody waits for it any more: what it takes is given back when it ends. It may be what ends here.
    let isLeft = joinLock.withLock { !$0 }
    // Ordering: none needed; whoever lets go of the last reference came after the start.
    if isLeft, hasStarted.load(ordering: .relaxed) { pthread_detach(thread) }
  }

  /// Whether the thread was started and its closure has not returned.
  package var isRunning: Bool {
    // Ordering: pair with the stores in `start` and `run`.
    hasStarted.load(ordering: .acquiring) && !hasEnded.load(ordering: .acquiring)
  }

  /// Whether the thread was started.
  package var wasStarted: Bool {
    // Ordering: pairs with the store in `start`.
    hasStarted.load(ordering: .acquiring)
  }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool {
    // Ordering: pairs with the store in `start`. The thread itself is in its closure only after that store.
    hasStarted.load(ordering: .acquiring) && pthread_equal(thread, pthread_self()) != 0
  }

  /// Starts the thread, once.
  /// - Parameter stack: Memory for its stack, which must outlive the thread; nil lets the system choose.
  package func start(
    stack: UnsafeMutableRawBufferPointer? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(OutputError) {
    let launch = Unmanaged.passRetained(Launch(self, body))
    var attributes = pthread_attr_t()
    var code = pthread_attr_init(&attributes)
    if code == 0, let stack, let base = stack.baseAddress {
      code = pthread_attr_setstack(&attributes, base, stack.count)
    }
    if code == 0 {
      code = pthread_create(&thread, &attributes, NativeThread.enter, launch.toOpaque())
    }
    pthread_attr_destroy(&attributes)
    guard code == 0 else {
      launch.release()
      throw OutputError("cannot start the thread \(name): \(errorText(code))")
    }
    // Ordering: publishes `thread`; the new thread waits for it, others read it only after it.
    hasStarted.store(true, ordering: .releasing)
  }

  /// Waits for the closure to return. Safe to call twice, and before the start.
  package func join() {
    // Ordering: pairs with the store in `start`.
    guard hasStarted.load(ordering: .acquiring) else { return }
    joinLock.withLock { hasBeenJoined in
      if hasBeenJoined { return }
      hasBeenJoined = true
      // Fails only for a thread that waits for itself or was joined before.
      let code = pthread_join(thread, nil)
      precondition(code == 0, "a thread cannot wait for itself")
    }
  }

  /// What crosses into the new thread.
  private final class Launch: Sendable {
    let thread: NativeThread
    let body: @Sendable () -> Void

    init(_ thread: NativeThread, _ body: @escaping @Sendable () -> Void) {
      self.thread = thread
      self.body = body
    }
  }

  private static let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    guard let context else { return nil }
    let launch = Unmanaged<Launch>.fromOpaque(context).takeRetainedValue()
    // Until the starter has published the handle, `isCurrent` would be wrong; that is a matter of
    // microseconds. Ordering: pairs with the store in `start`.
    while !launch.thread.hasStarted.load(ordering: .acquiring) { sched_yield() }
    setName(launch.thread.name)
    launch.body()
    // Ordering: what the closure did is seen by whoever sees the end; pairs with the load in `isRunning`.
    launch.thread.hasEnded.store(true, ordering: .releasing)
    return nil
  }
}

/// Names the calling thread for `top` and debuggers. The file does what `pthread_setname_np` does, which
/// Glibc's module leaves out; a thread without a name runs as well.
private func setName(_ name: String) {
  guard let file = fopen("/proc/thread-self/comm", "w") else { return }
  fputs(name, file)
  fclose(file)
}

/// The C library's words for an error number.
package func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
