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
  private let body: @Sendable () -> Void
  let scheduling = "normal priority"
  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  static func start(_ body: @escaping @Sendable () -> Void) throws(OutputFault) -> RenderThread {
    let thread = RenderThread(body)
    let code = pthread_create(
      &thread.thread, nil,
      { raw in
        Unmanaged<RenderThread>.fromOpaque(raw!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(thread).toOpaque())
    if code != 0 { throw OutputFault(-code, .start) }
    return thread
  }
  func join() { pthread_join(thread, nil) }
}
