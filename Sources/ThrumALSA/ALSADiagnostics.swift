import CALSA
import Synchronization

/// What happens to the lines that alsa-lib itself prints on standard error, often ten for one absent card.
public enum ALSADiagnostics {
  // Guards the flag and the process-wide handler together.
  private static let visible = Mutex(false)

  /// Whether alsa-lib's own lines are shown; false unless set. Takes effect at the next call of this module,
  /// for the whole process.
  ///
  /// Threads: any. Real-time: no.
  public static var isVerbose: Bool {
    get { visible.withLock { $0 } }
    set { visible.withLock { $0 = newValue } }
  }

  /// Puts alsa-lib into the state that was asked for; called before everything that opens or lists.
  static func apply() throws(OutputFault) {
    let code = visible.withLock { thrum_alsa_show_diagnostics($0 ? 1 : 0) }
    if code < 0 { throw OutputFault(code, .configure) }
  }
}
