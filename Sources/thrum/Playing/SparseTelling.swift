/// When to tell of something that may happen again and again: the first times in full, then in sum, less and less often, and
/// once more when it has stopped.
struct SparseTelling {
  /// What to tell besides the happenings that are told in full.
  enum Sum: Equatable {
    /// It goes on: so often in so many seconds.
    case goesOn(times: Int, seconds: Double)
    /// It has not happened for ``holdSeconds``, after so many times.
    case over(times: Int)
  }

  /// Happenings in a row that are told in full.
  static let timesInFull = 3
  /// Seconds without one after which a row of them is over.
  static let holdSeconds = 10
  /// Seconds from one sum to the next: at first, and at most.
  static let pauses = (first: 5, longest: 600)

  /// Happenings in this row.
  private var times = 0
  /// Those of them that nobody was told of.
  private var untold = 0
  private var firstNanoseconds: Int64 = 0
  private var lastNanoseconds: Int64 = 0
  private var nextNanoseconds: Int64 = 0
  private var pauseSeconds = pauses.first

  /// Whether a row goes on, so that there will be something to look for.
  var isActive: Bool { times > 0 }

  /// Notes that it happened.
  /// - Returns: Whether to tell it in full.
  mutating func happened(at now: Int64) -> Bool {
    times += 1
    if times == 1 { firstNanoseconds = now }
    lastNanoseconds = now
    if times <= Self.timesInFull { return true }
    if untold == 0 && times == Self.timesInFull + 1 { nextNanoseconds = now + Self.nanoseconds(pauseSeconds) }
    untold += 1
    return false
  }

  /// What there is to tell now.
  mutating func look(at now: Int64) -> Sum? {
    if times == 0 { return nil }
    if now - lastNanoseconds >= Self.nanoseconds(Self.holdSeconds) {
      let sum = times > Self.timesInFull ? Sum.over(times: times) : nil
      self = SparseTelling()
      return sum
    }
    if untold == 0 || now < nextNanoseconds { return nil }
    untold = 0
    pauseSeconds = min(2 * pauseSeconds, Self.pauses.longest)
    nextNanoseconds = now + Self.nanoseconds(pauseSeconds)
    return .goesOn(times: times, seconds: Double(lastNanoseconds - firstNanoseconds) / 1e9)
  }

  /// Notes that it is not over as long as this lasts.
  mutating func stays(at now: Int64) { if times > 0 { lastNanoseconds = now } }

  private static func nanoseconds(_ seconds: Int) -> Int64 { Int64(seconds) * 1_000_000_000 }
}
