import Glibc
import Synchronization

/// The handler thread: takes what the render thread reports and calls every handler, in order and one at a
/// time.
///
/// It is woken when there is something to do. While a device plays that does not tell of that
/// (``OutputFeed/tellNews()``) it looks every 2 ms instead. A handler may call anything, including what waits for
/// further handlers: the next ones are then called from within.
final class NotificationPump: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `pending` and `deliveredOutages` are touched by the handler thread alone, and
  // by the control side while there is no such thread; all else is atomic, locked or constant.

  /// The time between two looks, which is part of the latency of a handler.
  static let periodNanoseconds: Int64 = 2_000_000
  /// The same while nothing is under way, when every request rings anyway, and where the device does.
  static let idlePeriodNanoseconds: Int64 = 500_000_000

  private let console: Console
  private let thread = NativeThread(name: "thrum-handlers")
  private var pending: [Delivery] = []
  private var firstPending = 0
  private let feed: OutputFeed?
  private let outageWatchers = Locked<[@Sendable (OutageChange) -> Void]>([])
  private var deliveredOutages = 0

  /// Rung by callers who sent something, while the pump sleeps, and by the device's loop.
  private let work = Doorbell()
  /// Rung by the pump after each pass.
  private let passed = Doorbell()
  private let passes = Atomic<Int>(0)
  private let isAsleep = Atomic<Bool>(false)
  private let isEnding = Atomic<Bool>(false)

  /// Creates a pump for a console, and for what a device has to tell where there is one.
  init(console: Console, feed: OutputFeed? = nil) {
    self.console = console
    self.feed = feed
    feed?.bell = work
  }

  /// Adds a handler for what changes about the device from now on.
  func watchOutages(_ handler: @escaping @Sendable (OutageChange) -> Void) {
    outageWatchers.withLock { $0.append(handler) }
  }

  /// Passes made so far.
  var passCount: Int {
    // Ordering: none needed; a figure.
    passes.load(ordering: .relaxed)
  }

  /// Starts the thread.
  func start() throws(OutputError) { try thread.start { self.run() } }

  /// Ends the thread after one last pass, and lets go of all handlers. From within a handler it only asks for that.
  func stop() {
    // Ordering: pairs with the load in `run`.
    isEnding.store(true, ordering: .releasing)
    work.ring()
    if !thread.wasStarted { forgetHandlers() }
    if !thread.isCurrent { thread.join() }
  }

  private func forgetHandlers() {
    console.forgetHandlers()
    let watchers = outageWatchers.withLock { watchers in
      defer { watchers = [] }
      return watchers
    }
    withExtendedLifetime(watchers) {}
  }

  /// Looks again soon: something was sent.
  func wake() {
    // Ordering: pairs with the first store in `run`. A wake-up too many costs one pass.
    if isAsleep.load(ordering: .acquiring) { work.ring() }
  }

  /// Takes what has been reported and calls its handlers.
  /// - Returns: Whether more is to be expected.
  ///
  /// Threads: handler. Real-time: no. Next: ``Player/finish(_:at:)``
  @discardableResult
  func drain() -> Bool {
    let pass = console.withState { $0.takeFeedback(timing: console.timing) }
    pending += pass.deliveries
    // What a handler re-enters here goes on with the rest, so the order holds.
    while firstPending < pending.count {
      let delivery = pending[firstPending]
      firstPending += 1
      switch delivery {
      case .observed(let event, let observers): for observer in observers { observer(event) }
      case .finished(let handler, let frame): Player.finish(handler, at: frame)
      }
    }
    pending.removeAll(keepingCapacity: true)
    firstPending = 0
    deliverOutages()
    return pass.isActive
  }

  private func deliverOutages() {
    guard let outages = feed?.outages else { return }
    while deliveredOutages < outages.count {
      // Too far behind: whole pairs are left out, so that what is told stays a matter of out and back.
      let behind = outages.count - deliveredOutages
      if behind > OutageBoard.capacity / 2 { deliveredOutages += (behind - 2) / 2 * 2 }
      let change = outages.change(deliveredOutages)
      deliveredOutages += 1
      for watcher in outageWatchers.withLock({ $0 }) { watcher(change) }
    }
  }

  /// Waits until everything that was reported by now has been delivered. Within a handler, the rest is
  /// delivered here.
  func flush() { wait(untilNanoseconds: .max) { true } }

  /// Waits until a condition holds after a whole pass, or until a time of CLOCK_MONOTONIC. Within a handler
  /// the passes are made here.
  /// - Returns: Whether the condition holds.
  @discardableResult
  func wait(untilNanoseconds limit: Int64, _ condition: () -> Bool) -> Bool {
    // The pass under way may have begun before the call; the one after it has not.
    // Ordering: none needed; an older count only waits for a pass more.
    let enough = passes.load(ordering: .relaxed) + 2
    while true {
      let seen = passed.count
      if thread.isCurrent { drain() }
      // Ordering: pairs with the increment in `run`.
      let isSettled = thread.isCurrent || hasEnded || passes.load(ordering: .acquiring) >= enough
      if isSettled, condition() { return true }
      let now = MonotonicClock.nanoseconds
      if now >= limit || hasEnded { return false }
      work.ring()
      passed.wait(after: seen, untilNanoseconds: min(limit, now + Self.periodNanoseconds))
    }
  }

  /// Whether no pass will be made any more, or none has begun.
  private var hasEnded: Bool { !thread.isRunning }

  private func run() {
    // Ordering: pairs with the store in `stop`.
    while !isEnding.load(ordering: .acquiring) {
      let rings = work.count
      // Ordering: before the pass takes the control lock: who sends after it sees this, pairs with the load
      // in `wake`.
      isAsleep.store(true, ordering: .releasing)
      let isActive = drain()
      // Ordering: none needed; a wake-up too many costs one pass.
      if isActive { isAsleep.store(false, ordering: .relaxed) }
      // Ordering: whoever sees the new count sees what the pass did; pairs with the load in `wait`.
      passes.add(1, ordering: .releasing)
      passed.ring()
      // Ordering: none needed; once too often does no harm.
      let isTold = feed?.tellsNews.load(ordering: .relaxed) ?? false
      let period = isActive && !isTold ? Self.periodNanoseconds : Self.idlePeriodNanoseconds
      work.wait(after: rings, untilNanoseconds: MonotonicClock.nanoseconds + period)
    }
    drain()
    forgetHandlers()
  }
}
