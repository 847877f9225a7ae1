import CALSA

/// The state a PCM says it is in.
enum PCMState: Equatable, Sendable {
  /// Opened, no parameters yet.
  case open
  /// Has parameters, must be prepared.
  case setup
  /// Ready to start.
  case prepared
  /// Playing.
  case running
  /// Ran dry.
  case xrun
  /// Playing the rest.
  case draining
  /// Paused by the hardware.
  case paused
  /// The system was suspended.
  case suspended
  /// The hardware is gone.
  case disconnected

  init(_ state: snd_pcm_state_t) {
    self =
      switch state {
      case SND_PCM_STATE_OPEN: .open
      case SND_PCM_STATE_SETUP: .setup
      case SND_PCM_STATE_PREPARED: .prepared
      case SND_PCM_STATE_RUNNING: .running
      case SND_PCM_STATE_XRUN: .xrun
      case SND_PCM_STATE_DRAINING: .draining
      case SND_PCM_STATE_PAUSED: .paused
      case SND_PCM_STATE_SUSPENDED: .suspended
      default: .disconnected
      }
  }
}

/// What the playback loop asks of a sound device: libasound's calls in short, and the clock beside them, so
/// that a test can stand in for both.
///
/// Calls that can fail return a negative error number, as libasound does. Lent to the loop as a generic
/// parameter, never as an existential.
protocol PCMCalls {
  /// `snd_pcm_state`.
  func state() -> PCMState
  /// `snd_pcm_avail`: frames that can be written now.
  func avail() -> Int
  /// `snd_pcm_delay`: frames until one written now is heard.
  func delay() -> Int
  /// `snd_pcm_writei` or its mmap form, never blocking: the frames taken.
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int
  /// Sleeps until the device wants frames, the loop is called or the time is up; returns poll's flags as
  /// translated by libasound, 0 for a call or a time-out.
  func wait(timeoutNanoseconds: Int64) -> Int32
  /// `snd_pcm_prepare`.
  func prepare() -> Int32
  /// `snd_pcm_start`.
  func start() -> Int32
  /// `snd_pcm_resume`.
  func resume() -> Int32
  /// `snd_pcm_drain`; some plug-ins wait in it although they were opened not to.
  func drain() -> Int32
  /// `snd_pcm_drop`.
  func drop() -> Int32
  /// Closes the device; what it says of that is of no use.
  func close()
  /// Closes the device and opens it again with the same parameters.
  func reopen() -> Int32
  /// Sleeps so long, or until the loop is called.
  func sleep(nanoseconds: Int64) -> Int32
  /// Nanoseconds of the monotonic clock.
  func now() -> Int64
}
