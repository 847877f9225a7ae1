import CALSA
import Glibc
import ThrumEngine

/// An open playback PCM of libasound: each call checked, none blocking.
///
/// Lives on two threads: opened and set up by the control side, then called by the render thread alone until
/// that has ended.
final class PCM: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: handed from the control side to the render thread at its start and back
  // at its end; only `wake` is called by both, and it touches nothing but a descriptor that never changes.

  /// The name it was opened by.
  let name: String
  /// A private ALSA configuration to find the name in, in place of the system's; for tests.
  let configuration: String?
  private var handle: OpaquePointer?
  private var negotiated: NegotiatedParameters?
  // The card it was, and the name to find that card by again.
  private let identity: CardIdentity?
  private let nameForReopening: String
  // Safety: allocated by the control side with room for the device's descriptors, used by the render thread,
  // freed by `deinit`. The last one, at `deviceDescriptors`, wakes the loop.
  private var descriptors: UnsafeMutablePointer<pollfd>
  private var deviceDescriptors = 0
  private let wakeCall: WakeCall

  /// Opens a PCM for playback without waiting for one that is busy.
  /// - Throws: The error number; nothing stays open.
  init(name: String, configuration: String? = nil) throws(OutputFault) {
    self.name = name
    self.configuration = configuration
    try ALSADiagnostics.apply()
    wakeCall = try WakeCall()
    let handle = try PCM.openHandle(name: name, configuration: configuration)
    self.handle = handle
    let identity = configuration == nil ? PCM.identity(of: handle) : nil
    self.identity = identity
    nameForReopening = identity?.pinned(name) ?? name
    descriptors = .allocate(capacity: 1)
    descriptors.initialize(to: wakeCall.pollDescriptor)
  }

  deinit {
    // Whatever closing says, the handle is gone: a card that was unplugged answers with an error and is
    // closed.
    if let handle { snd_pcm_close(handle) }
    descriptors.deallocate()
  }

  /// The control device with its volumes: the card's, else the one that a sound server has under the PCM's name.
  var mixerName: String { identity.map { "hw:CARD=\($0.id)" } ?? name }

  /// The sound server that it plays into; nil where it is none that is known.
  var server: SoundServer? { handle.flatMap { SoundServer(of: $0) } }

  /// The handle, for setting up.
  var rawHandle: OpaquePointer? { handle }

  /// Sets rate, format, channels, period and buffer, and the descriptors to wait on.
  /// - Throws: ``NegotiationFailure``; the device stays open without parameters.
  func configure(_ request: ALSARequest) throws(NegotiationFailure) -> NegotiatedParameters {
    guard let handle else { throw .fault(OutputFault(-EBADFD, .configure)) }
    let parameters = try HardwareParameters.negotiate(handle, request: request)
    negotiated = parameters
    let code = readDescriptors(of: handle)
    if code < 0 { throw .fault(OutputFault(code, .configure)) }
    return parameters
  }

  /// Closes the device, throwing away what it holds. Whatever libasound says of that, the handle is gone.
  func close() {
    guard let handle else { return }
    self.handle = nil
    snd_pcm_close(handle)
  }

  /// Ends the loop's wait.
  ///
  /// Threads: any. Real-time: no.
  func wake() { wakeCall.call() }

  private func readDescriptors(of handle: OpaquePointer) -> Int32 {
    let count = snd_pcm_poll_descriptors_count(handle)
    if count < 0 { return count }
    descriptors.deallocate()
    deviceDescriptors = Int(count)
    descriptors = .allocate(capacity: deviceDescriptors + 1)
    descriptors.initialize(repeating: wakeCall.pollDescriptor, count: deviceDescriptors + 1)
    let filled = snd_pcm_poll_descriptors(handle, descriptors, UInt32(count))
    return filled < 0 ? filled : 0
  }

  private static func openHandle(name: String, configuration: String?) throws(OutputFault) -> OpaquePointer {
    var code: Int32
    var handle: OpaquePointer?
    repeat {
      if let configuration {
        code = openPrivately(&handle, name: name, configuration: configuration)
      } else {
        code = snd_pcm_open(
          &handle, try CardIdentity.resolve(name), SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
      }
    } while code == -EINTR
    guard code >= 0, let handle else { throw OutputFault(code, .open) }
    return handle
  }

  // Without the environment and the files in /etc: what is opened is what the string says.
  private static func openPrivately(
    _ handle: inout OpaquePointer?, name: String, configuration: String
  ) -> Int32 {
    var tree: OpaquePointer?
    var code = snd_config_load_string(&tree, configuration, 0)
    if code < 0 { return code }
    code = snd_pcm_open_lconf(&handle, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK, tree)
    let deleted = snd_config_delete(tree)
    return code < 0 ? code : deleted
  }
}

extension PCM: PCMCalls {
  // After a failed reopening there is no handle: every call says so with the number for a state that is
  // wrong.

  func state() -> PCMState { handle.map { PCMState(snd_pcm_state($0)) } ?? .disconnected }

  func avail() -> Int { handle.map { snd_pcm_avail($0) } ?? -Int(EBADFD) }

  func delay() -> Int {
    guard let handle else { return -Int(EBADFD) }
    var frames = 0
    let code = snd_pcm_delay(handle, &frames)
    return code < 0 ? Int(code) : frames
  }

  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    guard let handle, let negotiated else { return -Int(EBADFD) }
    if negotiated.access == .mmap { return snd_pcm_mmap_writei(handle, frames, UInt(count)) }
    return snd_pcm_writei(handle, frames, UInt(count))
  }

  func wait(timeoutNanoseconds: Int64) -> Int32 {
    guard let handle else { return -EBADFD }
    let ready = wait(descriptors, count: deviceDescriptors + 1, nanoseconds: timeoutNanoseconds)
    if ready < 0 { return -errno }
    let isCalled = descriptors[deviceDescriptors].revents != 0
    if isCalled { wakeCall.clear() }
    if ready == (isCalled ? 1 : 0) { return 0 }
    var flags: UInt16 = 0
    let code = snd_pcm_poll_descriptors_revents(handle, descriptors, UInt32(deviceDescriptors), &flags)
    return code < 0 ? code : Int32(flags)
  }

  func sleep(nanoseconds: Int64) -> Int32 {
    let ready = wait(descriptors + deviceDescriptors, count: 1, nanoseconds: nanoseconds)
    if ready < 0 { return -errno }
    if ready > 0 { wakeCall.clear() }
    return 0
  }

  func prepare() -> Int32 { handle.map { snd_pcm_prepare($0) } ?? -EBADFD }
  func start() -> Int32 { handle.map { snd_pcm_start($0) } ?? -EBADFD }
  func resume() -> Int32 { handle.map { snd_pcm_resume($0) } ?? -EBADFD }
  func drain() -> Int32 { handle.map { snd_pcm_drain($0) } ?? -EBADFD }
  func drop() -> Int32 { handle.map { snd_pcm_drop($0) } ?? -EBADFD }

  func reopen() -> Int32 {
    guard let negotiated else { return -EBADFD }
    // What closing says is of no use: the device is already known to be broken.
    close()
    do throws(OutputFault) {
      let handle = try PCM.openHandle(name: nameForReopening, configuration: configuration)
      self.handle = handle
      // Another card under its name is not it: never that one in silence.
      if let identity, let found = PCM.identity(of: handle), !identity.isSame(as: found) {
        close()
        return -ENODEV
      }
      let again: NegotiatedParameters
      do throws(NegotiationFailure) {
        again = try HardwareParameters.negotiate(handle, request: negotiated.exactRequest)
      } catch {
        return error.code
      }
      // Frames are made for what was agreed at first; a device that came back different is another device.
      if again != negotiated { return -EINVAL }
      return readDescriptors(of: handle)
    } catch {
      return error.code
    }
  }

  func now() -> Int64 { MonotonicClock.nanoseconds }

  // To the nanosecond: a period may be one millisecond, which is what `poll` itself counts in.
  private func wait(_ entries: UnsafeMutablePointer<pollfd>, count: Int, nanoseconds: Int64) -> Int32 {
    let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    return ppoll(entries, nfds_t(count), &time, nil)
  }
}
