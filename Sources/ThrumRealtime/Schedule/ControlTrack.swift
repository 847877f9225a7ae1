/// One dynamic parameter of one player: its present writer, and the value as it stands on each frame.
///
/// The writer is a constant or a curve; the latest to start wins and the one before never resumes (signal model, 11.7).
/// Between two points the value is a straight line in timeline frames; points that share a frame are a step.
struct ControlTrack {
  private enum Writer {
    case constant
    case patternCurve
    /// Its points are counted from a frame of the timeline and go back to the control side when it ends.
    case liveCurve(origin: Int64)
  }

  private var writer = Writer.constant
  private var points: UnsafePointer<ControlPoint>?
  private var pointCount: Int32 = 0
  // The last point that has been passed; −1 before the first.
  private var segment: Int32 = -1
  // The line: from a frame and value to another, where the next point is.
  private var fromFrame: Int64 = 0
  private var fromValue: Double
  private var toFrame = Int64.max
  private var toValue: Double
  /// Jumps that voices still smooth.
  var history: StepHistory
  /// Whether the value was written live since the player was told to start, and so stands when its pattern begins.
  private(set) var isLive = false
  /// Points of a live curve that ended or was replaced, to be handed back.
  private(set) var retired: UnsafePointer<ControlPoint>?

  init(neutral: Double, history: StepHistory) {
    fromValue = neutral
    toValue = neutral
    self.history = history
  }

  /// Whether the value does not change before the next writer.
  var isConstant: Bool { @_noLocks @_noAllocation get { points == nil } }

  /// The value on a frame, after `advance(to:)` to it.
  @_noLocks @_noAllocation
  func value(at frame: Int64) -> Double {
    if toFrame == .max || frame <= fromFrame { return fromValue }
    return fromValue + (toValue - fromValue) * (Double(frame &- fromFrame) / Double(toFrame &- fromFrame))
  }

  /// Makes a constant the writer from a frame on.
  @_noLocks @_noAllocation
  mutating func write(_ value: Double, at frame: Int64, isLive: Bool, clock: PatternClock) {
    advance(to: frame, clock: clock)
    let before = self.value(at: frame)
    retire()
    hold(value, from: frame)
    self.isLive = isLive
    history.append(frame: frame, jump: value - before)
  }

  /// Makes a curve of the pattern the writer from a frame on.
  @_noLocks @_noAllocation
  mutating func write(
    patternCurve points: UnsafePointer<ControlPoint>, count: Int32, at frame: Int64, clock: PatternClock
  ) {
    begin(.patternCurve, points, count, at: frame, clock: clock)
    isLive = false
  }

  /// Makes a live curve the writer from a frame on; its points count from that frame.
  @_noLocks @_noAllocation
  mutating func write(
    liveCurve points: UnsafePointer<ControlPoint>, count: Int32, at frame: Int64, clock: PatternClock
  ) {
    begin(.liveCurve(origin: frame), points, count, at: frame, clock: clock)
    isLive = true
  }

  /// Lets the next run of the pattern begin with the pattern's own value, unless another one is written live first.
  @_noLocks @_noAllocation
  mutating func forgetLive() { isLive = false }

  /// Passes every point up to and including a frame.
  @_noLocks @_noAllocation
  mutating func advance(to frame: Int64, clock: PatternClock) {
    while toFrame <= frame { passPoint(clock: clock) }
  }

  /// Appends the frames from `start` up to `end` (not included) to the span's raw and smoothed values.
  @_noLocks @_noAllocation
  mutating func fill(
    from start: Int64, to end: Int64, clock: PatternClock, raw: inout SpanSignal, smoothed: inout SpanSignal
  ) {
    var frame = start
    while frame < end {
      advance(to: frame, clock: clock)
      if isConstant, history.isSettled {
        raw.append(fromValue, frames: Int(end &- frame))
        smoothed.append(fromValue, frames: Int(end &- frame))
        return
      }
      let stop = min(end, toFrame)
      while frame < stop {
        let now = value(at: frame)
        raw.append(now)
        smoothed.append(history.isSettled ? now : now - history.missing(at: frame, after: .min))
        frame = frame &+ 1
      }
    }
  }

  /// Appends raw values only, for parameters that are not smoothed.
  @_noLocks @_noAllocation
  mutating func fill(from start: Int64, to end: Int64, clock: PatternClock, raw: inout SpanSignal) {
    var frame = start
    while frame < end {
      advance(to: frame, clock: clock)
      if isConstant {
        raw.append(fromValue, frames: Int(end &- frame))
        return
      }
      let stop = min(end, toFrame)
      while frame < stop {
        raw.append(value(at: frame))
        frame = frame &+ 1
      }
    }
  }

  /// Bends the rest of a pattern's curve to a clock that changed at a frame.
  @_noLocks @_noAllocation
  mutating func reclock(at frame: Int64, clock: PatternClock) {
    guard case .patternCurve = writer, points != nil else { return }
    fromValue = value(at: frame)
    fromFrame = frame
    toFrame = max(frame, self.frame(ofPoint: segment &+ 1, clock: clock))
  }

  /// Puts the line off by the length of a pause.
  @_noLocks @_noAllocation
  mutating func delay(by frames: Int64) {
    fromFrame = fromFrame &+ frames
    if toFrame != .max { toFrame = toFrame &+ frames }
    if case .liveCurve(let origin) = writer { writer = .liveCurve(origin: origin &+ frames) }
  }

  /// Gives up the retired points, once the caller has handed them back.
  @_noLocks @_noAllocation
  mutating func forgetRetired() { retired = nil }

  @_noLocks @_noAllocation
  private mutating func begin(
    _ writer: Writer, _ points: UnsafePointer<ControlPoint>, _ count: Int32, at frame: Int64,
    clock: PatternClock
  ) {
    advance(to: frame, clock: clock)
    let before = value(at: frame)
    retire()
    self.writer = writer
    self.points = points
    pointCount = count
    segment = -1
    fromFrame = frame
    fromValue = Double(points[0].value)
    toValue = fromValue
    toFrame = max(frame, self.frame(ofPoint: 0, clock: clock))
    // Points already behind are settled: together with the curve's own start they are one step.
    passAll(through: frame, clock: clock)
    history.append(frame: frame, jump: value(at: frame) - before)
  }

  /// Passes every point up to and including a frame without walking over them: a seek may land behind a million.
  @_noLocks @_noAllocation
  private mutating func passAll(through frame: Int64, clock: PatternClock) {
    guard let points else { return }
    var low: Int32 = 0
    var high = pointCount
    while low < high {
      let middle = (low &+ high) / 2
      if self.frame(ofPoint: middle, clock: clock) <= frame { low = middle &+ 1 } else { high = middle }
    }
    if low == 0 { return }
    segment = low &- 1
    let left = Double(points[Int(segment)].value)
    if low == pointCount {
      retire()
      hold(left, from: frame)
      return
    }
    fromFrame = self.frame(ofPoint: segment, clock: clock)
    fromValue = left
    toFrame = self.frame(ofPoint: low, clock: clock)
    toValue = Double(points[Int(low)].value)
  }

  /// Moves the line on to the next point, which may be the last of several on one frame.
  @_noLocks @_noAllocation
  private mutating func passPoint(clock: PatternClock) {
    guard let points else { return }
    let here = toFrame
    let arrived = Double(points[Int(segment &+ 1)].value)
    segment = segment &+ 1
    var next = Int64.max
    while segment &+ 1 < pointCount {
      next = frame(ofPoint: segment &+ 1, clock: clock)
      if next > here { break }
      segment = segment &+ 1
      next = .max
    }
    let left = Double(points[Int(segment)].value)
    if left != arrived { history.append(frame: here, jump: left - arrived) }
    if segment &+ 1 < pointCount {
      // A change of rate may have put the point behind the frame on which it is passed.
      fromFrame = min(here, frame(ofPoint: segment, clock: clock))
      fromValue = left
      toFrame = next
      toValue = Double(points[Int(segment &+ 1)].value)
    } else {
      retire()
      hold(left, from: here)
    }
  }

  @_noLocks @_noAllocation
  private mutating func hold(_ value: Double, from frame: Int64) {
    writer = .constant
    points = nil
    fromFrame = frame
    fromValue = value
    toFrame = .max
    toValue = value
  }

  /// Takes a live curve's points off the track; the renderer hands them back.
  @_noLocks @_noAllocation
  private mutating func retire() {
    if case .liveCurve = writer, let points { retired = points }
    points = nil
  }

  @_noLocks @_noAllocation
  private func frame(ofPoint index: Int32, clock: PatternClock) -> Int64 {
    guard let points else { return .max }
    let position = points[Int(index)].frame
    if case .liveCurve(let origin) = writer { return origin &+ position }
    return clock.frame(of: position)
  }
}
