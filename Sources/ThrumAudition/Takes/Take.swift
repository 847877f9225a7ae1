import ThrumPattern

/// A performance as it was played: taps, and holds whose values move.
///
/// Times are seconds from the start of the recording. It becomes a pattern by
/// ``pattern(quantised:startsAtFirst:)``.
public struct Take: Sendable, Equatable {
  /// A tap.
  public struct Tap: Sendable, Equatable {
    /// Seconds from the start of the recording, 0 or more.
    public var time: Double
    /// How strong, 0 to 1.
    public var intensity: Float
    /// How sharp, 0 to 1.
    public var sharpness: Float
  }

  /// The values from a time on.
  public struct Move: Sendable, Equatable {
    /// Seconds from the start of the recording.
    public var time: Double
    /// How strong, 0 to 1.
    public var intensity: Float
    /// How sharp, 0 to 1.
    public var sharpness: Float
  }

  /// Something held from one time to another.
  public struct Hold: Sendable, Equatable {
    /// Seconds from the start of the recording.
    public var start: Double
    /// Seconds from the start of the recording, after `start`; nil while it is held.
    public var end: Double?
    /// How strong at the start, 0 to 1.
    public var intensity: Float
    /// How sharp at the start, 0 to 1.
    public var sharpness: Float
    /// How its values moved, in order of time.
    public var moves: [Move]
  }

  /// The taps, in the order they were played.
  public private(set) var taps: [Tap] = []
  /// The holds, in the order they began.
  public private(set) var holds: [Hold] = []
  /// The position in `holds` of what is held, by the key that holds it.
  private var held: [Int: Int] = [:]

  /// Nothing played yet.
  public init() {}

  /// Whether nothing was played.
  public var isEmpty: Bool { taps.isEmpty && holds.isEmpty }

  /// Whether something is held.
  public var isHolding: Bool { !held.isEmpty }

  /// Seconds to the last thing that was played.
  public var duration: Double {
    let last = taps.map(\.time).max() ?? 0
    return holds.reduce(last) { max($0, $1.end ?? $1.moves.last?.time ?? $1.start) }
  }

  /// Records a tap.
  ///
  /// Times before 0 count as 0, values out of range as the nearer end; the same goes for the other
  /// recordings.
  public mutating func tap(at time: Double, intensity: Float, sharpness: Float) {
    taps.append(Tap(time: seconds(time), intensity: unit(intensity), sharpness: unit(sharpness)))
  }

  /// Records that something begins to be held.
  /// - Parameter key: What holds it, so that several can be held; one that already holds lets go first.
  public mutating func beginHold(_ key: Int = 0, at time: Double, intensity: Float, sharpness: Float) {
    endHold(key, at: time)
    held[key] = holds.count
    holds.append(
      Hold(
        start: seconds(time), end: nil, intensity: unit(intensity), sharpness: unit(sharpness), moves: []))
  }

  /// Records new values of what is held; where nothing is, nothing is recorded.
  public mutating func moveHold(_ key: Int = 0, at time: Double, intensity: Float, sharpness: Float) {
    guard let index = held[key] else { return }
    let earliest = holds[index].moves.last?.time ?? holds[index].start
    holds[index].moves.append(
      Move(time: max(earliest, seconds(time)), intensity: unit(intensity), sharpness: unit(sharpness)))
  }

  /// Records that what was held is let go; where nothing is, nothing is recorded.
  ///
  /// What was held for no time at all becomes a tap.
  public mutating func endHold(_ key: Int = 0, at time: Double) {
    guard let index = held.removeValue(forKey: key) else { return }
    let end = seconds(time)
    if end > holds[index].start {
      holds[index].end = max(end, holds[index].moves.last?.time ?? end)
      return
    }
    let hold = holds.remove(at: index)
    for (other, position) in held where position > index { held[other] = position - 1 }
    taps.append(Tap(time: hold.start, intensity: hold.intensity, sharpness: hold.sharpness))
  }

  /// Ends the recording: everything that is held is let go.
  public mutating func finish(at time: Double) {
    for key in held.keys.sorted() { endHold(key, at: time) }
  }

  private func seconds(_ time: Double) -> Double { time > 0 && time.isFinite ? time : 0 }

  private func unit(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
}

/// A grid that a performance is brought to.
public struct Quantisation: Sendable, Equatable {
  /// Seconds from one line of the grid to the next, above 0.
  public var gridSeconds: Double
  /// How far a time goes to its nearest line: 0 stays, 1 is on the line.
  public var strength: Double

  /// Creates a grid.
  /// - Parameters:
  ///   - gridSeconds: From one line to the next; what is not above 0 moves nothing.
  ///   - strength: 0 to 1; what is outside counts as the nearer end.
  public init(gridSeconds: Double, strength: Double = 1) {
    self.gridSeconds = gridSeconds
    self.strength = strength > 0 ? min(strength, 1) : 0
  }

  /// Creates a grid of a tempo.
  /// - Parameters:
  ///   - beatsPerMinute: Above 0.
  ///   - division: Lines a beat, such as 4 for sixteenths where a beat is a quarter; 1 or more.
  ///   - strength: 0 to 1.
  public init(beatsPerMinute: Double, division: Int, strength: Double = 1) {
    self.init(gridSeconds: 60 / beatsPerMinute / Double(max(1, division)), strength: strength)
  }

  /// A time brought to the grid: nearest line, ties to the later one.
  public func moved(_ time: Double) -> Double {
    guard gridSeconds > 0, gridSeconds.isFinite else { return time }
    let line = (time / gridSeconds + 0.5).rounded(.down) * gridSeconds
    return max(0, time + (line - time) * strength)
  }
}
