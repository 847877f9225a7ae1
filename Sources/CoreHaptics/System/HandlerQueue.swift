/// Calls the handlers of programs, one at a time and in order.
///
/// A handler may call anything, what ends or starts an engine included: nobody waits for this queue, except
/// who asks to.
package final class HandlerQueue: Sendable {
  private let queue = DispatchQueue(label: "thrum-haptics-handlers")
  private static let key = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: Self.key, value: true) }

  /// Calls a closure behind all others.
  func call(_ body: sending @escaping () -> Void) {
    let handler = Handler(body)
    queue.async { handler.function() }
  }

  /// Does something during which no further handler is called: those that are asked for meanwhile come behind it.
  package func hold(_ body: () -> Void) {
    queue.suspend()
    defer { queue.resume() }
    body()
  }

  /// Waits until everything asked for by now has been called; returns at once within a handler.
  package func flush() {
    if DispatchQueue.getSpecific(key: Self.key) == true { return }
    queue.sync {}
  }
}

/// A handler of a program's, on its way to the queue that calls it.
struct Handler<Function>: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: stored under a lock and called on the one handler queue. Handlers are
  // not required to be `@Sendable`, since programs capture `self` in them; that they are called on another
  // thread than the one that made them is documented.
  let function: Function

  init(_ function: Function) { self.function = function }
}
