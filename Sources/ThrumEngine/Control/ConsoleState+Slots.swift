import ThrumRealtime

// Engines and players come and go. A player's slot is reused only when the render thread has handed it back.
extension ConsoleState {
  /// Takes a free engine slot.
  mutating func openEngine() throws(EngineError) -> Int32 {
    if isClosed { throw EngineError.notRunning }
    guard let slot = engines.firstIndex(where: { $0.users == 0 }) else {
      throw EngineError.enginesExhausted(limit: settings.engineCapacity)
    }
    engines[slot].users = 1
    // The engine that had the slot before may have left it muted.
    engines[slot].isMuted.set(false)
    engines[slot].gain.set(1)
    engines[slot].isSoundMuted.set(false)
    sendNews(ofEngine: slot)
    return Int32(slot)
  }

  /// Lets go of an engine slot on behalf of one of its users.
  mutating func leaveEngine(_ slot: Int32) { engines[Int(slot)].users -= 1 }

  /// Mutes or unmutes an engine.
  mutating func setMuted(_ isMuted: Bool, engine slot: Int32) {
    engines[Int(slot)].isMuted.set(isMuted)
    sendNews(ofEngine: Int(slot))
  }

  /// Sets what multiplies the haptics of an engine.
  mutating func setGain(_ gain: Float, engine slot: Int32) {
    engines[Int(slot)].gain.set(gain)
    sendNews(ofEngine: Int(slot))
  }

  /// Mutes or unmutes the sounds of an engine.
  mutating func setSoundMuted(_ isMuted: Bool, engine slot: Int32) {
    engines[Int(slot)].isSoundMuted.set(isMuted)
    sendNews(ofEngine: Int(slot))
  }

  /// Gives a schedule a player slot and tells the render thread of it.
  /// - Parameter samples: The schedule's sounds at the output's rate; none where it carries no sound.
  mutating func addPlayer(
    _ schedule: Schedule, samples: [SoundSamples] = [], engine: Int32, bus: Int
  ) throws(EngineError) -> Int32 {
    guard (0..<busCount).contains(bus) else {
      throw EngineError(.invalidValue, "there is no haptic bus \(bus); this output has \(busCount), from 0")
    }
    try requireRoom(for: 1)
    guard let slot = freePlayers.last else {
      throw EngineError.playersExhausted(limit: settings.playerCapacity)
    }
    var record = PlayerRecord(schedule: schedule, engine: engine, bus: Int32(bus), samples: samples)
    do {
      try push(
        Command(action: .addPlayer(player: slot, engine: engine, bus: Int32(bus), schedule: record.view)))
    } catch {
      record.deallocate()
      throw error
    }
    freePlayers.removeLast()
    players[Int(slot)] = record
    engines[Int(engine)].users += 1
    return slot
  }

  /// Notes that no ``Player`` refers to a slot any more. A player that plays plays on and is removed
  /// afterwards.
  /// - Returns: The handler, for the caller to let go of without the lock, unless it is still to be called.
  mutating func abandonPlayer(_ slot: Int32) -> PlayerRecord.FinishHandler? {
    let slot = Int(slot)
    players[slot]?.hasHandle = false
    if isUnderWay(slot) { return nil }
    let handler = players[slot]?.onFinish
    players[slot]?.onFinish = nil
    sendNews(ofPlayer: slot)
    return handler
  }

  /// Forgets a player whose slot the render thread handed back.
  /// - Returns: The record, for the caller to let go of without the lock.
  mutating func forgetPlayer(_ slot: Int32) -> PlayerRecord? {
    guard var record = players[Int(slot)] else { return nil }
    players[Int(slot)] = nil
    freePlayers.append(slot)
    leaveEngine(record.engine)
    record.deallocate()
    return record
  }

  /// Whether a player still has sound to come.
  var hasPlayersUnderWay: Bool { players.indices.contains { isUnderWay($0) } }

  /// Whether the render thread may still have something to say.
  var isActive: Bool {
    hasPlayersUnderWay || commandsUnderWay > 0 || players.contains { $0?.isRemoved == true }
  }
}

// Latest values, pages and removals are not refused when the queue is full: they wait here and go when there
// is room.
extension ConsoleState {
  /// Sends everything that waits, as far as there is room.
  mutating func sendNews() {
    for slot in engines.indices { sendNews(ofEngine: slot) }
    for slot in players.indices where players[slot]?.hasNews == true || canBeRemoved(slot) {
      sendNews(ofPlayer: slot)
    }
  }

  /// Whether nobody can or needs to hear of a player again.
  private func canBeRemoved(_ slot: Int) -> Bool {
    guard let record = players[slot] else { return false }
    return !record.hasHandle && !record.isRemoved && !isUnderWay(slot)
  }

  private mutating func sendNews(ofEngine slot: Int) {
    let engine = engines[slot]
    if engine.isMuted.isDirty, offer(.setEngineMuted(engine: Int32(slot), isMuted: engine.isMuted.value)) {
      engines[slot].isMuted.wasSent()
    }
    if engine.gain.isDirty, offer(.setEngineGain(engine: Int32(slot), gain: engine.gain.value)) {
      engines[slot].gain.wasSent()
    }
    if engine.isSoundMuted.isDirty,
      offer(.setEngineSoundMuted(engine: Int32(slot), isMuted: engine.isSoundMuted.value))
    {
      engines[slot].isSoundMuted.wasSent()
    }
  }

  /// Sends what waits for one player.
  mutating func sendNews(ofPlayer slot: Int) {
    guard var record = players[slot], !record.isRemoved else { return }
    let player = Int32(slot)
    if canBeRemoved(slot) {
      record.isRemoved = offer(.removePlayer(player: player))
      players[slot] = record
      return
    }
    if record.rate.isDirty, offer(.setRate(player: player, rate: record.rate.value)) { record.rate.wasSent() }
    if record.isMuted.isDirty, offer(.setMuted(player: player, isMuted: record.isMuted.value)) {
      record.isMuted.wasSent()
    }
    if record.loop.isDirty, offer(record.loopAction(player: player)) { record.loop.wasSent() }
    players[slot] = record
    while let page = players[slot]?.window?.wanted.first, !isClosed, room() > 0 {
      do { try deliver(page: page, toPlayer: slot) } catch { return }
    }
    while let page = players[slot]?.window?.unwanted.first,
      offer(.returnPage(player: player, index: Int32(page)))
    {
      players[slot]?.window?.giveUp(page)
    }
  }

  /// Compiles a page of a streamed schedule and sends it; ask for room first.
  mutating func deliver(page: Int, toPlayer slot: Int) throws(EngineError) {
    guard let events = players[slot]?.window?.deliver(page) else { return }
    try push(Command(action: .page(player: Int32(slot), index: Int32(page), events: events)))
  }

  /// Sends a command as soon as possible, or says that there is no room.
  private mutating func offer(_ action: CommandAction) -> Bool {
    do {
      try push(Command(action: action))
      return true
    } catch {
      return false
    }
  }
}
