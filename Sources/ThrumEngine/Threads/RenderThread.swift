import Glibc

/// The thread that a device renders on: its stack is its own, locked into memory and touched beforehand, and
/// it runs under SCHED_FIFO where the system permits.
///
/// Where it does not, the thread runs at normal priority and ``scheduling`` says why, so that a program can
/// warn once.
public final class RenderThread: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `stack` is written by `start` alone, for which there is one caller, and given back
  // by the end, after the thread; the rest is locked or constant.

  /// The priority asked for: above all normal threads, below the kernel's own and what rtkit would refuse
  /// (20).
  public static let defaultPriority: Int32 = 10

  /// Gives the calling thread SCHED_FIFO where the system itself refuses it, as rtkit does: what was given, such as
  /// `SCHED_RR 10 by rtkit`, or why nothing was.
  public typealias Grant = @Sendable (_ priority: Int32) -> (given: String?, refusal: String)

  /// Puts the calling thread where it should run, and says where that is.
  public typealias Placement = @Sendable () -> String

  private let thread: NativeThread
  private let grant: Grant?
  private let placement: Placement?
  private let priority: Int32
  private let stackBytes: Int
  private var stack: UnsafeMutableRawBufferPointer?
  private let obtained = Locked<String?>(nil)

  /// Describes a thread.
  /// - Parameters:
  ///   - name: Up to 15 characters, as `top -H` shows it.
  ///   - stackBytes: Bytes of stack, rounded up to whole pages, a guard page excluded; default 512 KiB.
  ///   - priority: The SCHED_FIFO priority to ask for, 1…99.
  ///   - grant: Whom to ask where the system refuses SCHED_FIFO; nil for nobody.
  ///   - placement: Called on the thread before anything else of the caller's; nil leaves the place to the system.
  public init(
    name: String, stackBytes: Int = 512 << 10, priority: Int32 = RenderThread.defaultPriority,
    grant: Grant? = nil, placement: Placement? = nil
  ) {
    self.grant = grant
    self.placement = placement
    thread = NativeThread(name: name)
    self.priority = priority
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    self.stackBytes = (stackBytes + page - 1) / page * page
  }

  deinit {
    thread.join()
    if let stack { munmap(stack.baseAddress, stack.count) }
  }

  /// The scheduling that the thread obtained, such as `SCHED_FIFO 10` or `normal priority (SCHED_FIFO 10:
  /// Operation not permitted)`, and whether its stack could not be locked; nil before it runs.
  ///
  /// Threads: any. Real-time: no, takes a lock.
  public var scheduling: String? { obtained.withLock { $0 } }

  /// Whether the thread was started and has not returned.
  public var isRunning: Bool { thread.isRunning }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool { thread.isCurrent }

  /// Starts the thread, once; it obtains its scheduling before the closure is called.
  /// - Throws: ``OutputError`` when it was started before or there is no memory for the thread; nothing is started.
  ///
  /// Threads: control. Real-time: no.
  public func start(_ body: @escaping @Sendable () -> Void) throws(OutputError) {
    if stack != nil { throw OutputError("a render thread starts once; make another one") }
    let (memory, lockError) = try makeStack()
    let usable = UnsafeMutableRawBufferPointer(rebasing: memory.suffix(stackBytes))
    // Without `self`: whoever lets go of it waits for the thread, which must not ask for it then.
    do throws(OutputError) {
      try thread.start(stack: usable) { [obtained, priority, grant, placement] in
        // Asking a service takes a while, in which nobody should wait for the lock.
        let scheduling = Self.obtainScheduling(
          priority: priority, grant: grant, placement: placement, stackLockError: lockError)
        obtained.withLock { $0 = scheduling }
        body()
      }
    } catch {
      munmap(memory.baseAddress, memory.count)
      throw error
    }
    stack = memory
  }

  /// Waits for the closure to return. Safe to call twice, and before the start.
  ///
  /// Threads: control. Real-time: no, blocks.
  public func join() { thread.join() }

  /// Maps a stack with a guard page below it, locks it and touches every page.
  private func makeStack() throws(OutputError) -> (memory: UnsafeMutableRawBufferPointer, lockError: Int32) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let count = stackBytes + page
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK
    guard let base = mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED else {
      throw OutputError("no memory for a stack of \(count) bytes: \(errorText(errno))")
    }
    guard mprotect(base, page, PROT_NONE) == 0 else {
      let code = errno
      munmap(base, count)
      throw OutputError("cannot guard a stack: \(errorText(code))")
    }
    // Locking brings the pages in; where it is refused, touching them does.
    let lockError = mlock(base + page, stackBytes) == 0 ? 0 : errno
    memset(base + page, 0, stackBytes)
    return (UnsafeMutableRawBufferPointer(start: base, count: count), lockError)
  }

  /// Asks for SCHED_FIFO and says what became of it.
  private static func obtainScheduling(
    priority: Int32, grant: Grant?, placement: Placement?, stackLockError: Int32
  ) -> String {
    var parameters = sched_param()
    parameters.sched_priority = priority
    let code = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    var text = "SCHED_FIFO \(priority)"
    if code != 0 {
      let asked = grant?(priority)
      let refusal = errorText(code) + (asked.map { "; \($0.refusal)" } ?? "")
      text = asked?.given ?? "normal priority (\(text): \(refusal))"
    }
    if let place = placement?() { text += ", \(place)" }
    if stackLockError != 0 { text += ", stack not locked (\(errorText(stackLockError)))" }
    return text
  }
}
