import ThrumRealtime

/// When a message is meant.
struct OSCMoment {
  /// The frame that it is for; nil for as soon as possible.
  var frame: RenderFrame?
  /// Its time, nanoseconds of CLOCK_MONOTONIC; now, where it has no frame.
  var nanoseconds: Int64
}

/// A value that messages change at times of their own: they go to the render thread ahead of their time, and what is
/// meant for before that time must not have the value of after it.
struct OSCTimedValue {
  /// The most changes that are ahead.
  static let mostAhead = 4096
  /// The value of now.
  private(set) var current: Float
  /// Changes that are ahead, in order of their times.
  private var ahead: [(nanoseconds: Int64, value: Float)] = []

  init(_ value: Float) { current = value }

  /// The time of the next change; nil for none.
  var next: Int64? { ahead.first?.nanoseconds }

  func value(at moment: OSCMoment) -> Float {
    ahead.last { $0.nanoseconds <= moment.nanoseconds }?.value ?? current
  }

  /// Changes it from a time on, to that of the next change.
  mutating func set(_ value: Float, at moment: OSCMoment) throws(OSCRefusal) {
    guard moment.frame != nil else {
      current = value
      return
    }
    guard ahead.count < Self.mostAhead else {
      throw OSCRefusal("\(Self.mostAhead) changes of it are ahead, which is all that fit")
    }
    var index = ahead.count
    while index > 0, ahead[index - 1].nanoseconds > moment.nanoseconds { index -= 1 }
    ahead.insert((moment.nanoseconds, value), at: index)
  }

  /// Takes over the changes whose time has come.
  /// - Returns: Whether there were any.
  mutating func settle(_ now: Int64) -> Bool {
    let due = ahead.prefix { $0.nanoseconds <= now }
    guard let last = due.last else { return false }
    current = last.value
    ahead.removeFirst(due.count)
    return true
  }
}
