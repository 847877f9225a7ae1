import ThrumRealtime

/// Something to be called on the handler thread.
enum Delivery: Sendable {
  /// An event for every observer.
  case observed(OutputEvent, [@Sendable (OutputEvent) -> Void])
  /// The end of a run for its player's handler.
  case finished(PlayerRecord.FinishHandler, RenderFrame)
}

/// What is called when something happens.
struct Handlers: Sendable {
  var observers: [@Sendable (OutputEvent) -> Void]
  var ofRuns: [PlayerRecord.FinishHandler?]
}

/// What a pass over the queues from the render thread brought.
struct FeedbackPass: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: the records left the state; whoever holds the pass is their only owner.

  /// What is to be called, in the order in which it happened.
  var deliveries: [Delivery] = []
  /// Records to let go of without the lock: their handlers may hold a caller's objects.
  var forgotten: [PlayerRecord] = []
  /// Whether the render thread may still have something to say.
  var isActive = false
}

extension ConsoleState {
  /// Takes everything that came from the render thread, does what follows from it, and sends what waited for
  /// room.
  mutating func takeFeedback(timing: OutputTiming) -> FeedbackPass {
    var pass = FeedbackPass()
    // Releases first, to be acted on last: what the render thread told of a player before it handed the slot
    // back has then been read before the slot is given to another one.
    var releases: [Released] = []
    while let released = port.releases.pop() { releases.append(released) }
    while let notification = port.notifications.pop() { take(notification, timing: timing, into: &pass) }
    for released in releases { take(released, into: &pass) }
    sendNews()
    pass.isActive = isActive
    return pass
  }

  private mutating func take(
    _ notification: Notification, timing: OutputTiming, into pass: inout FeedbackPass
  ) {
    switch notification {
    case .eventStarted(let player, let entryIndex, let kind, let value):
      let frame = RenderFrame(value)
      observe(
        .eventStarted(
          player: Int(player), entryIndex: Int(entryIndex), kind: kind, frame: frame,
          deviceFrame: timing.deviceFrame(of: frame), seconds: Timeline.seconds(of: frame)), in: &pass)
    case .looped(let player, let value):
      let frame = RenderFrame(value)
      observe(
        .looped(
          player: Int(player), frame: frame, deviceFrame: timing.deviceFrame(of: frame),
          seconds: Timeline.seconds(of: frame)), in: &pass)
    case .playerFinished(let player, _, let value, let wasStopped, let ends):
      let frame = RenderFrame(value)
      lastFinishFrame = max(lastFinishFrame, value)
      let event = OutputEvent.finished(
        player: Int(player), frame: frame, deviceFrame: timing.deviceFrame(of: frame),
        seconds: Timeline.seconds(of: frame), wasStopped: wasStopped)
      for _ in 0..<ends {
        observe(event, in: &pass)
        finish(player: Int(player), frame: frame, in: &pass)
      }
    case .commandApplied(let frame, let lateness):
      observe(.commandApplied(frame: RenderFrame(frame), lateness: Int(lateness)), in: &pass)
    case .pageNeeded(let player, let index, let deliveries):
      players[Int(player)]?.window?.need(Int(index), afterDeliveries: deliveries)
    }
  }

  private func observe(_ event: OutputEvent, in pass: inout FeedbackPass) {
    if !observers.isEmpty { pass.deliveries.append(.observed(event, observers)) }
  }

  private mutating func finish(player slot: Int, frame: RenderFrame, in pass: inout FeedbackPass) {
    players[slot]?.openRuns -= 1
    if let handler = players[slot]?.onFinish { pass.deliveries.append(.finished(handler, frame)) }
  }

  /// Takes the handlers of runs and the observers out, for the caller to let go of without the lock.
  mutating func takeHandlers() -> Handlers {
    let handlers = Handlers(observers: observers, ofRuns: players.map { $0?.onFinish })
    observers = []
    for slot in players.indices { players[slot]?.onFinish = nil }
    return handlers
  }

  private mutating func take(_ released: Released, into pass: inout FeedbackPass) {
    switch released {
    case .player(let player):
      if let record = forgetPlayer(player) { pass.forgotten.append(record) }
    case .curve(let player, let points):
      let points = UnsafeMutablePointer(mutating: points)
      if players[Int(player)]?.curves.remove(points) != nil { points.deallocate() }
    case .page(let player, let index, let events):
      let isLooping = players[Int(player)]?.loop.value.isEnabled == true
      players[Int(player)]?.window?.takeBack(Int(index), memory: events, isLooping: isLooping)
    }
  }
}
