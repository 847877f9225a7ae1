import CCommandLine
import CNcurses
import Glibc
import Synchronization
import ThrumPattern

/// ctrl-C, and the other ways of asking a process to end.
///
/// Outside of playing a signal ends the process at once. While something plays, the first one only asks, so that the
/// output can fade to silence; a second one, or one while the device is drained, ends the process at once.
enum Interruption {
  /// The signals that mean "end".
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Becomes readable when a signal has asked for the end.
  static let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  /// The signal that asked for the end, nil as long as none did.
  static var caught: Int32? {
    // Ordering: relaxed, the number is the whole message; the descriptor only says when to look.
    let signal = firstSignal.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  private static let isPolite = Atomic<Bool>(false)
  private static let firstSignal = Atomic<Int32>(0)
  // Safety: an atomic pointer; what it points at never changes and is never freed.
  /// The name of a file that is not whole; nil for none.
  nonisolated(unsafe) private static let unfinished = Atomic<UnsafeMutablePointer<CChar>?>(nil)

  /// Takes the signals over; one that the caller's caller ignores stays ignored.
  static func take() {
    // Everything the handler touches is made before it can run.
    if descriptor < 0 || caught != nil { return }
    isPolite.store(false, ordering: .relaxed)
    finish()
    for signal in signals {
      var action = sigaction()
      if sigaction(signal, nil, &action) == 0, action.isIgnored { continue }
      action = sigaction()
      action.__sigaction_handler.sa_handler = { Interruption.handle($0) }
      action.sa_flags = SA_RESTART
      if sigaction(signal, &action, nil) != 0 { continue }
    }
  }

  /// From here on the first signal only asks.
  static func askFirst() { isPolite.store(true, ordering: .relaxed) }

  /// From here on a signal ends the process at once.
  static func endAtOnce() { isPolite.store(false, ordering: .relaxed) }

  /// Makes a file that is removed if a signal ends the process before ``finish()``; none comes between the two steps.
  /// - Parameter make: Makes the file; nil where it could not.
  static func begin(_ make: () -> FileName?) {
    withoutSignals {
      guard let file = make() else { return }
      // It stays in memory: the handler may be reading it on another thread when the next one takes its place.
      // Ordering: publishes the letters to the handler.
      unfinished.store(file.withPath { strdup($0) }, ordering: .releasing)
    }
  }

  /// Notes that the file is whole, or has gone.
  static func finish() { unfinished.store(nil, ordering: .relaxed) }

  /// Keeps the signals away from threads made inside: they belong to the main thread.
  static func withoutSignals<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var (mask, old) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_BLOCK, &mask, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    return try body()
  }

  /// Asks for the end as a signal does, for a reader that has gone.
  static func ask(signal: Int32) {
    if firstSignal.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged { ring() }
  }

  /// Runs in a signal handler: atomics, `write`, `tcsetattr`, `unlink` and `_exit` only.
  private static func handle(_ signal: Int32) {
    let isFirst = firstSignal.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged
    if isFirst, isPolite.load(ordering: .relaxed) {
      ring()
      return
    }
    thrum_terminal_restore()
    // Ordering: pairs with the store in `begin`.
    if let name = unfinished.load(ordering: .acquiring), unlink(name) != 0 { _exit(128 + signal) }
    _exit(128 + signal)
  }

  private static func ring() {
    var one: UInt64 = 1
    // An eventfd refuses only when it would overflow, and then it is readable anyway.
    let saved = errno
    if write(descriptor, &one, 8) != 8 { errno = saved }
    errno = saved
  }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
