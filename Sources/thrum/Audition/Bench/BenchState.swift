import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// A version of a pattern that is ready to be played.
struct BenchVersion: Sendable {
  let pattern: NamedPattern
  let schedule: Schedule
  /// The rate that its sounds were made ready for.
  let soundRate: Int

  /// The length of a pass, frames: the last tap's tail included.
  var length: Int64 { schedule.passFrames }
}

/// An output that is open.
struct BenchOutput: Sendable {
  let output: Output
  let engine: Engine
  let isVirtual: Bool

  /// Render frames of a period, rounded up.
  var periodFrames: Int64 {
    let device = output.device.output
    let product = Int64(device.periodFrames) * Int64(RenderRate.framesPerSecond)
    return (product + Int64(device.rate) - 1) / Int64(device.rate)
  }

  /// A frame on which a command that is sent now certainly applies, a multiple of 8.
  var soonestFrame: Int64 {
    (output.status.playhead.value + 2 * periodFrames + Int64(2 * quantumFrames) + 7) & ~7
  }

  /// Whether a command for a frame still comes in time if it is sent now.
  func isInTime(_ frame: Int64) -> Bool {
    frame >= output.status.playhead.value + periodFrames + Int64(quantumFrames)
  }
}

/// What the lock of a ``Bench`` guards.
struct BenchState: Sendable {
  var open: BenchOutput?
  var isClosed = false
  var versions: [BenchVersion?] = [nil, nil]
  var slot = BenchSlot.a
  /// What was started, in order of frames; those that are over are kept until that is heard.
  var runs: [BenchRun] = []
  var transport = BenchTransport.stopped
  /// Where a pause holds, pattern frames.
  var place: Int64 = 0
  // What was asked for, and what holds since the bench's thread came to it.
  var wantedRate = 1.0
  var rate = 1.0
  var wantsLoop = false
  var isLooping = false
  var wantedRegion: ClosedRange<Double>?
  var region: ClosedRange<Double>?
  /// Counts stops and pauses: what was asked for before the last one starts nothing any more.
  var stops = 0
  var live = LiveValues()
  var gainDecibels = 0.0
  var isMutedForHaptics = false
  var isMutedForSound = false
  var news: [BenchNews] = []
  var deviceNews = DeviceNews()
  var outage: String?
  var knownLimitedFrames = 0
  var lastUse = MonotonicClock.nanoseconds

  /// The length of the version that is heard, frames.
  var length: Int64 { versions[slot.rawValue]?.length ?? 0 }

  /// What is looped of that version; nil where nothing is.
  var loop: Range<Int64>? { isLooping ? BenchPlan.loop(region, length: length) : nil }

  /// Where playing begins.
  var startPlace: Int64 { transport == .paused ? place : loop?.lowerBound ?? 0 }

  var soonestFrame: Int64 { open?.soonestFrame ?? 0 }

  /// The run that a frame belongs to.
  func run(at frame: Int64) -> Int? { runs.lastIndex { $0.start <= frame } }

  /// The position on a frame, nearest; where it is paused or would begin while nothing plays.
  func position(at frame: Int64) -> Int64 {
    guard transport == .playing, let index = run(at: frame) ?? runs.indices.first else { return startPlace }
    return Int64(runs[index].position(at: frame).rounded(.toNearestOrAwayFromZero))
  }

  /// Ends what plays: as soon as possible, or on a frame.
  mutating func halt(_ frame: Int64?) {
    stops += 1
    for index in runs.indices { end(index, at: frame) }
    runs = []
    lastUse = MonotonicClock.nanoseconds
  }

  /// Ends a run: one that has not begun by the frame never does.
  mutating func end(_ index: Int, at frame: Int64?) {
    // A full queue leaves a stop for later to refuse, which then is one for now; an output that was closed is silent.
    do throws(EngineError) {
      if let frame, runs[index].start < frame {
        if let last = runs[index].lastFrame, last <= frame { return }
        try runs[index].player.stop(at: RenderFrame(frame))
      } else {
        try runs[index].player.cancel()
      }
    } catch {
      do throws(EngineError) { try runs[index].player.cancel() } catch { return }
    }
  }

  /// Forgets runs that are over and not heard any more.
  mutating func prune() {
    guard let heard = open?.output.currentFrame.value else { return }
    while runs.count > 1, runs[1].start <= heard, !runs[0].player.isActive { runs.removeFirst() }
  }

  /// Adds something to tell; the oldest of very many goes.
  mutating func tell(_ item: BenchNews) {
    if news.count >= 256 { news.removeFirst() }
    news.append(item)
  }
}
