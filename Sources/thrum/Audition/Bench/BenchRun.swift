import ThrumEngine
import ThrumRealtime

/// A player that was started on a known frame, and where it is in its pattern on any other.
///
/// Positions are pattern frames at rate 1, counted from the pattern's own beginning, though what the player has may begin
/// later. Computed as the core does (`PatternClock`), so that the next run can begin on the frame on which this one wraps.
struct BenchRun {
  /// From a frame on, a position and a rate.
  private struct Line {
    var frame: Int64
    var position: Double
    var rate: Double
  }

  let player: Player
  let slot: BenchSlot
  /// Where it begins, or begins again.
  let first: Double
  /// Where it ends, or wraps.
  let end: Double
  let isLoop: Bool
  /// The frame on which its loop was ended, and so the run.
  private(set) var lastFrame: Int64?
  private var lines: [Line]

  init(
    player: Player, slot: BenchSlot, start: Int64, first: Double, end: Double, isLoop: Bool, rate: Double
  ) {
    self.player = player
    self.slot = slot
    self.first = first
    self.end = end
    self.isLoop = isLoop
    lines = [Line(frame: start, position: first, rate: rate)]
  }

  /// The frame on which it begins.
  var start: Int64 { lines[0].frame }

  /// The position on a frame.
  func position(at frame: Int64) -> Double {
    let line = lines.last { $0.frame <= frame } ?? lines[0]
    let position = line.position + Double(max(0, frame - line.frame)) * line.rate
    guard isLoop, position >= end else { return min(position, end) }
    return first + (position - first).truncatingRemainder(dividingBy: end - first)
  }

  /// The first frame, not before another one, on which it wraps or ends.
  func wrap(notBefore frame: Int64) -> Int64 {
    let line = lines[lines.count - 1]
    func reached(_ pass: Double) -> Int64 {
      let frames = (end + pass * (end - first) - line.position) / line.rate
      return line.frame + Int64(max(0, min(frames, 0x1p52)).rounded(.toNearestOrAwayFromZero))
    }
    guard isLoop else { return reached(0) }
    let passed = Double(max(0, frame - line.frame)) * line.rate + line.position - end
    var pass = max(0, (passed / (end - first)).rounded(.down) - 1)
    while reached(pass) < frame { pass += 1 }
    return reached(pass)
  }

  /// Notes another rate from a frame on.
  mutating func setRate(_ rate: Double, at frame: Int64) {
    lines.append(Line(frame: frame, position: position(at: frame), rate: rate))
  }

  /// Notes that it begins on another frame than was said.
  mutating func move(to start: Int64, rate: Double) {
    lines = [Line(frame: start, position: first, rate: rate)]
  }

  /// Notes on which frame its last pass ends.
  mutating func end(at frame: Int64) { lastFrame = frame }
}

/// What is to be played from a frame on: at most a way to the loop, and the loop.
struct BenchPlan {
  /// A part of a pattern.
  struct Part: Equatable {
    /// The first position.
    var first: Int64
    /// Where it ends, or wraps.
    var end: Int64
    /// Whether it ends with the pattern, whose last tail it then has.
    var isOpen: Bool
    var isLoop: Bool
  }

  /// The shortest part that is looped, frames: 10 ms.
  static let shortestLoop: Int64 = 80

  var parts: [Part] = []

  /// Plans from a position on.
  /// - Parameter loop: What is looped; nil plays to the end.
  init(from position: Int64, length: Int64, loop: Range<Int64>?) {
    guard let loop else {
      if position < length { parts = [Part(first: position, end: length, isOpen: true, isLoop: false)] }
      return
    }
    let circle = Part(first: loop.lowerBound, end: loop.upperBound, isOpen: false, isLoop: true)
    if position == loop.lowerBound || position >= loop.upperBound {
      parts = [circle]
    } else {
      parts = [Part(first: position, end: loop.upperBound, isOpen: false, isLoop: false), circle]
    }
  }

  /// What is looped of a pattern.
  /// - Parameter region: Seconds; nil, or one that is beyond the pattern, is all of it.
  static func loop(_ region: ClosedRange<Double>?, length: Int64) -> Range<Int64> {
    let whole = 0..<max(length, shortestLoop)
    guard let region else { return whole }
    let first = Timeline.frame(atSeconds: max(0, region.lowerBound)).value
    let end = min(Timeline.frame(atSeconds: region.upperBound).value, whole.upperBound)
    guard first < whole.upperBound, first < end || first + shortestLoop <= whole.upperBound else {
      return whole
    }
    return first..<max(end, first + shortestLoop)
  }
}
