internal import ThrumEngine

/// The clock of everything that is not sound: time while no output is open, and what is to happen later.
package protocol HapticClock: Sendable {
  /// Nanoseconds of a clock that never goes backwards.
  var nanoseconds: Int64 { get }
  /// Whether time passes only when it is turned.
  var isTurnedByHand: Bool { get }
  /// Calls a closure at a time, on a thread of its own or of whoever turns the clock.
  func call(atNanoseconds time: Int64, _ body: @escaping @Sendable () -> Void)
}

/// The machine's own clock.
struct MachineClock: HapticClock {
  // One queue for all: what it is asked to call is short, but for the closing of an output.
  private static let queue = DispatchQueue(label: "thrum-timers")

  var nanoseconds: Int64 { MonotonicClock.nanoseconds }
  var isTurnedByHand: Bool { false }

  func call(atNanoseconds time: Int64, _ body: @escaping @Sendable () -> Void) {
    let wait = max(0, time - MonotonicClock.nanoseconds)
    Self.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait)), execute: body)
  }
}
