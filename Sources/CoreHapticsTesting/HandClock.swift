import CoreHaptics
internal import ThrumEngine

/// A clock whose time is turned by hand.
final class HandClock: HapticClock {
  private let state = Locked(State())

  private struct State {
    var nanoseconds: Int64 = 0
    var calls: [Call] = []
  }

  private struct Call: Sendable {
    let time: Int64
    let body: @Sendable () -> Void
  }

  var nanoseconds: Int64 { state.withLock { $0.nanoseconds } }
  var isTurnedByHand: Bool { true }

  func call(atNanoseconds time: Int64, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.calls.append(Call(time: time, body: body)) }
  }

  /// The time of the next call; nil where nothing is to be called.
  var nextCall: Int64? { state.withLock { $0.calls.map(\.time).min() } }

  /// Turns time on.
  func advance(nanoseconds: Int64) { state.withLock { $0.nanoseconds += nanoseconds } }

  /// Calls what is due, in the order of time.
  /// - Returns: Whether there was anything.
  func callDue() -> Bool {
    let due = state.withLock { state in
      let due = state.calls.filter { $0.time <= state.nanoseconds }
      state.calls.removeAll { $0.time <= state.nanoseconds }
      return due.sorted { $0.time < $1.time }
    }
    for call in due { call.body() }
    return !due.isEmpty
  }
}
