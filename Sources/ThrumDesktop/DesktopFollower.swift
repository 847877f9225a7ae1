internal import CSystemd
internal import Glibc
public import ThrumFeedback

/// Follows what the desktop of the session has settled, for as long as it is kept.
///
/// It asks the portal of desktops (`org.freedesktop.portal.Settings` and `PowerProfileMonitor`) and the bus of
/// accessibility, by D-Bus, on a thread of its own that sleeps until something changes. No bus, no portal, one that
/// hangs or that talks nonsense are a desktop that says nothing.
///
/// Lives on any number of threads.
public final class DesktopFollower: Sendable {
  private let core: FollowerCore

  /// Begins to follow; the answer comes later, on another thread.
  /// - Parameters:
  ///   - address: A bus in place of the session's; for tests.
  ///   - onChange: Called with what the desktop says now whenever that is something else than before, at first than
  ///     nothing; on the follower's thread, and at most once more after it is let go of.
  ///
  /// Threads: any; does not wait for anything. Real-time: no.
  public init(address: String? = nil, onChange: @escaping @Sendable (DesktopSettings) -> Void = { _ in }) {
    core = FollowerCore(address: address, onChange: onChange)
    core.start()
  }

  deinit { core.stop() }

  /// What the desktop says, as far as it has answered.
  public var settings: DesktopSettings { core.state.settings }

  /// How far it has come.
  public enum Progress: String, Sendable {
    /// Not everybody has answered.
    case asking = "no answer yet"
    /// Everybody who is there has.
    case following = "followed"
    /// There is no session bus, or it has gone.
    case noBus = "no session bus"
  }

  /// How far it has come.
  public var progress: Progress { core.state.progress }

  /// Waits until everybody who is there has answered, or for so long.
  ///
  /// Threads: any that may wait; not the main actor. Real-time: no.
  public func wait(milliseconds: Int) { core.wait(milliseconds: milliseconds) }
}

/// What the follower and its thread share.
private final class FollowerCore: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `shared` is behind the mutex, which with its condition is made in `init` and ends
  // in `deinit`; all else is constant.

  struct State {
    var settings = DesktopSettings()
    var progress = DesktopFollower.Progress.asking
    var isStopped = false
  }

  private let address: String?
  private let onChange: @Sendable (DesktopSettings) -> Void
  /// Readable once it is to end.
  private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var shared = State()

  init(address: String?, onChange: @escaping @Sendable (DesktopSettings) -> Void) {
    self.address = address
    self.onChange = onChange
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    close(bell)
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  var state: State { locked { $0 } }

  private func locked<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&shared)
  }

  func start() {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // It sleeps for as long as the program runs; the usual 8 MB of addresses are for more than this.
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<FollowerCore>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    pthread_attr_destroy(&attributes)
    if code != 0 {
      context.release()
      end()
    }
  }

  func stop() {
    locked { $0.isStopped = true }
    eventfd_write(bell, 1)
  }

  func wait(milliseconds: Int) {
    var until = timespec()
    clock_gettime(CLOCK_MONOTONIC, &until)
    until.tv_sec += milliseconds / 1000
    until.tv_nsec += milliseconds % 1000 * 1_000_000
    if until.tv_nsec >= 1_000_000_000 {
      until.tv_nsec -= 1_000_000_000
      until.tv_sec += 1
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while shared.progress == .asking, pthread_cond_timedwait(changed, mutex, &until) == 0 {}
  }

  private func run() {
    // A program's signals are for its own threads.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    name()
    defer { end() }
    guard let bus = DesktopBus(address: address) else { return }
    while true {
      while true {
        guard let isMore = bus.process() else { return }
        if locked({ $0.isStopped }) { return }
        if !isMore { break }
      }
      publish(bus)
      var entries = [bus.descriptor, pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
      // Broken off by nothing but what it waits for: signals are blocked here.
      poll(&entries, nfds_t(entries.count), bus.timeout)
      if locked({ $0.isStopped }) { return }
    }
  }

  /// Names the thread for `top` and debuggers; one without a name runs as well.
  private func name() {
    guard let file = fopen("/proc/thread-self/comm", "w") else { return }
    fputs("thrum-desktop", file)
    fclose(file)
  }

  private func publish(_ bus: DesktopBus) {
    let settings = bus.facts.meaning
    let isAnother = locked { state in
      let isAnother = state.settings != settings
      state.settings = settings
      if bus.isAnswered, state.progress == .asking { state.progress = .following }
      return isAnother
    }
    if isAnother { onChange(settings) }
    pthread_cond_broadcast(changed)
  }

  /// What was said last holds; nobody waits any more.
  private func end() {
    locked { $0.progress = .noBus }
    pthread_cond_broadcast(changed)
  }
}
