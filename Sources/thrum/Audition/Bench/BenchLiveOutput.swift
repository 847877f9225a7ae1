import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// A bench as what live voices play on: those of OSC beside what the bench plays itself, with its gain and its mutes.
///
/// Lives on the main thread.
final class BenchLiveOutput: LiveOutput {
  let bell = Bell()
  private let bench: Bench

  init(_ bench: Bench) { self.bench = bench }

  private var open: BenchOutput? { bench.state.withLock { $0.open } }

  var hasFailed: Bool { open?.output.device.end != nil }
  var deviceName: String? { open?.output.device.output.name }
  var xruns: Int { open?.output.device.counters.xruns ?? 0 }
  /// The bench falls back on the virtual actuator: there is no refusal that the next attempt would meet at once.
  var recentRefusal: String? { nil }

  func frame(atNanoseconds nanoseconds: Int64) -> RenderFrame? {
    open?.output.timeline.frame(atNanoseconds: nanoseconds)
  }

  func use() { bench.state.withLock { $0.lastUse = MonotonicClock.nanoseconds } }

  /// Waits for the bench's thread where the device is still to be opened.
  func prepare() throws(CommandError) {
    if let open, open.output.device.end == nil { return use() }
    bench.open()
    bench.settle()
    if open == nil { throw .failed("the device cannot be opened") }
  }

  func makePlayer(_ pattern: NamedPattern) throws(CommandError) -> Player {
    try prepare()
    guard let open else { throw .failed("the device has gone") }
    let schedule = try bench.settings.sounds.schedule(of: pattern, rate: open.output.soundRate) {
      bench.tell(.notice($0))
    }
    do throws(EngineError) {
      return try open.engine.makePlayer(for: schedule)
    } catch {
      throw .failed(error.message)
    }
  }
}
