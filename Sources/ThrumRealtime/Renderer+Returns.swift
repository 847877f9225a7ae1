import ThrumRings

// What goes back to the control side.
extension Renderer {
  /// Hands memory back. `takeCommands` keeps room for everything that can come back by itself.
  @_noLocks @_noAllocation
  func handBack(_ released: Released) {
    let isSent = port.releases.push(released)
    precondition(isSent, "the release queue keeps room for what players hold")
  }

  /// Tells the end of a run, now or as soon as there is room for it.
  @_noLocks @_noAllocation
  mutating func end(run: Int32, of index: Int32, at frame: Int64, wasStopped: Bool) {
    let player = players + Int(index)
    player.pointee.untoldEnds = player.pointee.untoldEnds &+ 1
    player.pointee.endedRun = run
    player.pointee.endFrame = frame
    player.pointee.wasStopped = wasStopped
    tellEnds(of: index)
  }

  /// Tells the ends of runs that wait for room.
  @_noLocks @_noAllocation
  mutating func tellEnds(of index: Int32) {
    let player = players + Int(index)
    if player.pointee.untoldEnds == 0 { return }
    let report = Notification.playerFinished(
      player: index, run: player.pointee.endedRun, frame: player.pointee.endFrame,
      wasStopped: player.pointee.wasStopped, ends: player.pointee.untoldEnds)
    if notify(report) { player.pointee.untoldEnds = 0 }
  }

  /// Hands back the points of live curves that have ended or were replaced.
  @_noLocks @_noAllocation
  func returnCurves(of index: Int32) {
    let player = players + Int(index)
    var track = 0
    while track < PlayerSlot.trackCount {
      if let points = player.pointee.tracks[track].retired {
        handBack(.curve(player: index, points: points))
        player.pointee.tracks[track].forgetRetired()
      }
      track = track &+ 1
    }
  }

  /// Gives a silent player's slot back, with all that it still holds.
  @_noLocks @_noAllocation
  mutating func free(_ index: Int32) {
    let player = players + Int(index)
    var track = 0
    while track < PlayerSlot.trackCount {
      player.pointee.tracks[track].write(
        PlayerSlot.neutral(track), at: playhead, isLive: false, clock: player.pointee.clock)
      player.pointee.tracks[track].history.clear()
      track = track &+ 1
    }
    returnCurves(of: index)
    player.pointee.schedule = nil
    player.pointee.state = .free
    handBack(.player(player: index))
  }

  /// Asks for the page that a streamed player misses now or next, once; a request that found no room is made again in
  /// the next span.
  @_noLocks @_noAllocation
  mutating func requestPages(of index: Int32) {
    let player = players + Int(index)
    guard let schedule = player.pointee.schedule, schedule.isStreamed else { return }
    // Behind the last event only the first page can be missed, which no player hands back.
    if player.pointee.hasBegunAllEvents { return }
    let current = player.pointee.nextEvent / ScheduleView.pageEvents
    let next = min(current &+ 1, schedule.pageCount &- 1)
    let wanted = schedule.pages[current] == nil ? current : next
    if schedule.pages[wanted] != nil || player.pointee.requestedPage == wanted { return }
    let request = Notification.pageNeeded(
      player: index, index: Int32(truncatingIfNeeded: wanted), deliveries: player.pointee.deliveries)
    if notify(request) { player.pointee.requestedPage = wanted }
  }

  /// Hands back a page whose events have all begun; the first stays for the next pass.
  @_noLocks @_noAllocation
  mutating func leavePage(_ page: Int, of index: Int32) {
    let player = players + Int(index)
    guard let schedule = player.pointee.schedule, schedule.isStreamed else { return }
    requestPages(of: index)
    if page == 0 || port.releases.freeCapacity <= reservedReleases &+ pending.count { return }
    returnPage(page, of: index)
  }

  /// Hands a page back that is there.
  @_noLocks @_noAllocation
  func returnPage(_ page: Int, of index: Int32) {
    guard let schedule = players[Int(index)].schedule, let events = schedule.pages[page] else { return }
    schedule.pages[page] = nil
    handBack(.page(player: index, index: Int32(truncatingIfNeeded: page), events: events))
  }
}
