import ThrumRealtime

// Requests that take more than one command: either all of it goes, or nothing.
extension ConsoleState {
  /// Starts a player, with what it needs of a streamed schedule ahead of it.
  mutating func start(player slot: Int, at frame: RenderFrame?, passes: Int = 0) throws(EngineError) {
    guard let record = players[slot] else { return }
    var pages = record.window?.missingPages(from: 0) ?? []
    if record.soughtFrame > 0, let more = record.window?.missingPages(from: record.soughtFrame) {
      pages += more.filter { !pages.contains($0) }
    }
    // One more for the loop that a number of passes sets.
    try requireRoom(for: pages.count + 2)
    for page in pages where !deliver(page: page, toPlayer: slot) { return }
    if passes > 0 {
      players[slot]?.setLoop(isEnabled: passes > 1)
      sendNews(ofPlayer: slot)
    }
    try push(Command(frame: frame?.value ?? 0, action: .start(player: Int32(slot))))
    players[slot]?.openRuns.append(makeRun())
    players[slot]?.isPaused = false
    players[slot]?.soughtFrame = 0
  }

  /// Moves a player, with what it needs of a streamed schedule ahead of it.
  mutating func seek(player slot: Int, toFrame position: Int64) throws(EngineError) {
    let pages = players[slot]?.window?.missingPages(from: position) ?? []
    try requireRoom(for: pages.count + 1)
    for page in pages where !deliver(page: page, toPlayer: slot) { return }
    try push(Command(action: .seek(player: Int32(slot), frame: position)))
    players[slot]?.soughtFrame = position
  }

  /// Stops every player that has a run under way or waiting.
  mutating func stopAll() throws(EngineError) {
    let active = players.indices.filter { players[$0]?.openRuns.isEmpty == false }
    try requireRoom(for: active.count)
    for slot in active { try push(Command(action: .stop(player: Int32(slot)))) }
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
  }
}
