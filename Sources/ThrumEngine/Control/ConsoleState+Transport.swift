import ThrumRealtime

// Requests that take more than one command: either all of it goes, or nothing.
extension ConsoleState {
  /// Starts a player, with what it needs of a streamed schedule ahead of it; a number of passes above 0 takes
  /// the place of its loop.
  mutating func start(player slot: Int, at frame: RenderFrame?, passes: Int32 = 0) throws(EngineError) {
    guard let record = players[slot] else { return }
    let frame = frame?.value ?? 0
    // Any number of passes of nothing is nothing.
    let passes = record.schedule.isEmpty ? min(passes, 1) : passes
    // Those of a position sought before went with the seek.
    let pages = record.window?.missingPages(from: 0) ?? []
    try requireRoom(for: pages.count + 1)
    for page in pages { try deliver(page: page, toPlayer: slot) }
    try push(
      Command(frame: frame, action: record.startAction(player: Int32(slot), run: makeRun(), passes: passes)))
    players[slot]?.playsPasses = passes > 0
    players[slot]?.openRuns += 1
  }

  /// Moves a player, with what it needs of a streamed schedule ahead of it.
  mutating func seek(player slot: Int, toFrame position: Int64) throws(EngineError) {
    guard let record = players[slot] else { return }
    let pages = record.window?.missingPages(from: position) ?? []
    try requireRoom(for: pages.count + 1)
    for page in pages { try deliver(page: page, toPlayer: slot) }
    let item = record.schedule.firstItem(atFrame: position)
    try push(
      Command(
        action: .seek(
          player: Int32(slot), frame: position,
          eventIndex: Int32(record.schedule.firstEvent(atFrame: position)), itemIndex: Int32(item),
          latestItems: record.schedule.latestItems(before: item))))
    players[slot]?.window?.move(to: position)
    sendNews(ofPlayer: slot)
  }

  /// Stops a player on a frame.
  mutating func stop(player slot: Int, at frame: RenderFrame?) throws(EngineError) {
    // Ordering: none needed; a frame that is passed meanwhile takes a place like any other.
    let playhead = port.status.pointee.playhead.load(ordering: .relaxed)
    if let frame, frame.value > playhead {
      try push(Command(frame: frame.value, action: .stop(player: Int32(slot))))
    } else {
      try stopNow(player: slot)
    }
  }

  /// Stops a player as soon as possible, or cancels it: with the queue full too, for which it has a place for each. More
  /// are never needed, since a second stop has nothing to add to one that is still in the queue.
  mutating func stopNow(player slot: Int, cancels: Bool = false) throws(EngineError) {
    if !isClosed, room() <= 0, isBeingStopped(slot, cancels: cancels) { return }
    let player = Int32(slot)
    try push(Command(action: cancels ? .cancel(player: player) : .stop(player: player)), withKept: true)
    noteStop(ofPlayer: slot, cancels: cancels)
  }

  /// Stops every player that has a run under way or waiting.
  mutating func stopAll() throws(EngineError) {
    let active = players.indices.filter {
      (players[$0]?.openRuns ?? 0) > 0 && players[$0]?.isRemoved == false
        && !isBeingStopped($0, cancels: false)
    }
    try requireRoom(for: active.count, withKept: true)
    for slot in active { try stopNow(player: slot) }
  }

  /// Hands a live curve over; its points come back by the release queue.
  mutating func scheduleCurve(
    _ points: [ControlPoint], of parameter: ControlID, player slot: Int32, at frame: RenderFrame?
  ) throws(EngineError) {
    try requireRoom(for: 1)
    let memory = UnsafeMutablePointer<ControlPoint>.allocate(capacity: points.count)
    for (position, point) in points.enumerated() { (memory + position).initialize(to: point) }
    do {
      try push(
        Command(
          frame: frame?.value ?? 0,
          action: .setCurve(
            player: slot, parameter: parameter, points: UnsafePointer(memory), count: Int32(points.count))))
    } catch {
      memory.deallocate()
      throw error
    }
    players[Int(slot)]?.curves.insert(memory)
  }

  /// Changes latest-value properties of a player and sends them if there is room.
  mutating func change(player slot: Int, _ change: (inout PlayerRecord) -> Void) {
    guard var record = players[slot] else { return }
    change(&record)
    players[slot] = record
    sendNews(ofPlayer: slot)
  }
}

extension PlayerRecord {
  /// Changes one side of the loop.
  mutating func setLoop(isEnabled: Bool? = nil, endSeconds: Double? = nil) {
    var loop = loop.value
    if let isEnabled { loop.isEnabled = isEnabled }
    if let endSeconds { loop.endSeconds = endSeconds }
    self.loop.set(loop)
    if playsPasses { self.loop.sendAgain() }
    playsPasses = false
  }

  /// Tells the player's own loop.
  func loopAction(player: Int32) -> CommandAction {
    var endFrame = Timeline.frame(atSeconds: loop.value.endSeconds).value
    // Passes of no length would fall on one another, a thousand a second.
    if endFrame == 0, schedule.durationFrames == 0 { endFrame = schedule.passFrames }
    return .setLoop(
      player: player, isEnabled: loop.value.isEnabled, endFrame: endFrame,
      passEvents: passEvents(before: endFrame))
  }

  /// Tells the start of a run, and the number of passes that takes the place of its loop.
  func startAction(player: Int32, run: Int32, passes: Int32) -> CommandAction {
    guard passes > 0 else { return .start(player: player, run: run) }
    var endFrame = Timeline.frame(atSeconds: loop.value.endSeconds).value
    // A counted pass lasts until its last tap has died away, so that passes of one tap do not run into each
    // other.
    if endFrame == 0 { endFrame = schedule.passFrames }
    return .start(
      player: player, run: run, passes: passes, endFrame: endFrame, passEvents: passEvents(before: endFrame))
  }

  private func passEvents(before endFrame: Int64) -> Int32 {
    endFrame > 0 ? Int32(schedule.firstEvent(atFrame: endFrame)) : .max
  }
}
