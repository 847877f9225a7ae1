import Glibc
import Synchronization

/// The terminal without its line editing, so that a key is there when it is pressed; put back whatever ends the process, but
/// for SIGKILL, and while it is stopped by ctrl-Z.
enum RawTerminal {
  // Safety: allocated once and never freed; written before `isRaw` is set, and read by signal handlers only while it is.
  nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static let raw = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  private static let isRaw = Atomic<Bool>(false)

  /// Signals by which a process dies of a mistake of its own, or of ctrl-\.
  private static let deaths = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT]

  /// Takes the line editing away.
  /// - Returns: Whether standard input is a terminal that lets it be done.
  static func begin() -> Bool {
    guard tcgetattr(STDIN_FILENO, saved) == 0 else { return false }
    raw.initialize(to: saved.pointee)
    // Signals stay: ctrl-C has to end this.
    raw.pointee.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.pointee.c_cc) { bytes in
      bytes[Int(VMIN)] = 1
      bytes[Int(VTIME)] = 0
    }
    for signal in deaths {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { RawTerminal.die($0) }
      // Once: the second time is the default's, which ends the process as it would have ended.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
      if sigaction(signal, &action, nil) != 0 { continue }
    }
    setStopping()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in RawTerminal.goOn() }
    action.sa_flags = SA_RESTART
    if sigaction(SIGCONT, &action, nil) != 0 { return false }
    // Ordering: publishes both settings to the handlers.
    isRaw.store(true, ordering: .releasing)
    return tcsetattr(STDIN_FILENO, TCSADRAIN, raw) == 0
  }

  /// Puts the terminal back as it was. Async-signal-safe; does nothing where it was not taken.
  static func end() {
    // Ordering: pairs with the store in `begin`.
    if isRaw.exchange(false, ordering: .acquiringAndReleasing) {
      if tcsetattr(STDIN_FILENO, TCSANOW, saved) != 0 { return }
    }
  }

  private static func setStopping() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in RawTerminal.stop() }
    action.sa_flags = SA_RESTART
    if sigaction(SIGTSTP, &action, nil) != 0 { return }
  }

  private static func die(_ number: Int32) {
    end()
    raise(number)
  }

  /// ctrl-Z: the shell gets its terminal back, then the process stops as it would have.
  private static func stop() {
    let error = errno
    // Ordering: pairs with the store in `begin`.
    if isRaw.load(ordering: .acquiring), tcsetattr(STDIN_FILENO, TCSANOW, saved) != 0 { errno = error }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    if sigaction(SIGTSTP, &action, nil) == 0 { kill(getpid(), SIGTSTP) }
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    // Here again when the shell lets it go on; at once where nobody could, for then it was not stopped.
    goOn()
    errno = error
  }

  private static func goOn() {
    let error = errno
    setStopping()
    // In the background the terminal is another's.
    // Ordering: pairs with the store in `begin`.
    if isRaw.load(ordering: .acquiring), tcgetpgrp(STDIN_FILENO) == getpgrp(),
      tcsetattr(STDIN_FILENO, TCSANOW, raw) != 0
    {
      errno = error
    }
    errno = error
  }
}
