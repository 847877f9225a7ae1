import Glibc
import ThrumEngine
import ThrumRealtime

// Until the engine's own are merged.
extension OutputFeed {
  func report(heard frame: DeviceFrame, nanoseconds: Int64, delayFrames: Int) {}
  func dueFrame(atNanoseconds nanoseconds: Int64) -> DeviceFrame? { nil }
}

final class RenderThread: @unchecked Sendable {
  private var thread = pthread_t()
  private var body: (@Sendable () -> Void)?
  private var hasBeenJoined = false
  var scheduling: String? { body == nil ? nil : "normal priority" }
  init(name: String) {}
  func start(_ body: @escaping @Sendable () -> Void) throws(OutputError) {
    self.body = body
    let code = pthread_create(
      &thread, nil,
      { raw in
        Unmanaged<RenderThread>.fromOpaque(raw!).takeUnretainedValue().body!()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    if code != 0 { throw OutputError("no thread") }
  }
  func join() {
    if hasBeenJoined || body == nil { return }
    hasBeenJoined = true
    pthread_join(thread, nil)
  }
  deinit { join() }
}
