import ThrumPattern
import ThrumRealtime

/// A compiled pattern: frames and Float32 values in the memory that the render thread reads.
///
/// It never changes, counts from the pattern's own start and may be shared by any number of players. A short
/// pattern holds all its pages. Of a long one it holds the order of its events alone and makes a page when a
/// player comes near it.
public final class Schedule: Sendable {
  /// The pattern's length at rate 1: the latest start of an entry plus its duration, a continuous event
  /// counting 30 s at most.
  public let durationFrames: Int64
  /// The length of a pass that is counted: `durationFrames`, or the end of the last tap's tail where that is
  /// later.
  package let passFrames: Int64
  /// Events that can sound.
  public let eventCount: Int
  /// What the render thread sees. Of a streamed schedule each player needs a page table of its own.
  public let view: ScheduleView

  // Safety: written before anybody else has the schedule and freed when it ends; in between only read.
  nonisolated(unsafe) private let events: UnsafeMutablePointer<ScheduledEvent>?
  private let controls: CompiledControls
  /// The sounds that events name.
  let sounds: ScheduleSounds
  // Sounds made ready for a rate, kept as long as the schedule.
  private let prepared = Locked<[Int: [SoundSamples]]>([:])
  fileprivate let checkpoints: [SIMD16<Int32>]

  /// Whether any event is heard.
  public let hasSounds: Bool

  /// The order of the events; nil where all pages are there.
  let index: EventIndex?

  /// How the pages of a schedule come to be.
  enum Pages {
    /// All of them are made at once and stay.
    case whole
    /// Each player is delivered the pages it comes to.
    case streamed
    /// Whoever made the schedule puts them into its table in time.
    case provided
  }

  init(index: EventIndex, controls: CompiledControls, durationFrames: Int64, pages supply: Pages) {
    self.durationFrames = durationFrames
    passFrames = max(durationFrames, index.lastTapEnd(notBefore: durationFrames))
    eventCount = index.count
    sounds = index.sounds
    hasSounds = index.hasSounds
    let pageCount = index.pageCount
    let pages = UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>.allocate(capacity: max(1, pageCount))
    pages.initialize(repeating: nil, count: max(1, pageCount))
    if supply != .whole {
      events = nil
      self.index = index
    } else {
      let memory = UnsafeMutablePointer<ScheduledEvent>.allocate(capacity: max(1, index.count))
      for page in 0..<pageCount {
        index.compile(page: page, into: memory + page * ScheduleView.pageEvents)
        pages[page] = UnsafePointer(memory + page * ScheduleView.pageEvents)
      }
      events = memory
      self.index = nil
    }
    self.controls = controls
    checkpoints = Schedule.checkpoints(of: controls)
    view = ScheduleView(
      pages: pages, pageCount: pageCount, eventCount: index.count, items: UnsafePointer(controls.items),
      itemCount: controls.itemCount, points: UnsafePointer(controls.points), durationFrames: durationFrames,
      isStreamed: supply == .streamed)
  }

  deinit {
    view.pages.deinitialize(count: max(1, view.pageCount))
    view.pages.deallocate()
    events?.deallocate()
  }
}

extension Schedule {
  /// Whether nothing can sound and no time passes.
  var isEmpty: Bool { eventCount == 0 && durationFrames == 0 }

  /// The same schedule for somebody who provides its pages; itself where they are all there.
  var provided: Schedule {
    guard let index else { return self }
    let schedule = Schedule(
      index: index, controls: controls, durationFrames: durationFrames, pages: .provided)
    let samples = prepared.withLock { $0 }
    schedule.prepared.withLock { $0 = samples }
    return schedule
  }
}

extension Schedule {
  /// Whether it was compiled with these very sounds.
  package func plays(_ other: ScheduleSounds) -> Bool { sounds.isSame(as: other) }

  /// Makes the sounds ready for outputs of a rate and keeps them so, so that players are made at once and cannot fail
  /// for them.
  /// - Throws: `soundUnavailable` with the reason; what was ready before still is.
  ///
  /// Threads: control, any; takes as long as converting the sounds does. Real-time: no.
  public func prepareSounds(atRate rate: Int) throws(EngineError) {
    let samples = try sounds.samples(atRate: rate)
    prepared.withLock { $0[rate] = samples }
  }

  /// The sounds at a rate, in the order of their indices.
  func samples(atRate rate: Int) throws(EngineError) -> [SoundSamples] {
    if let ready = prepared.withLock({ $0[rate] }) { return ready }
    return try sounds.samples(atRate: rate)
  }
}

// Where a seek lands.
extension Schedule {
  /// The first event that begins at a frame or later.
  func firstEvent(atFrame frame: Int64) -> Int {
    if let index { return index.firstEvent(atFrame: frame) }
    guard let events else { return 0 }
    return firstIndex(below: eventCount) { events[$0].startFrame >= frame }
  }

  /// The first parameter or curve that begins at a frame or later.
  func firstItem(atFrame frame: Int64) -> Int {
    firstIndex(below: view.itemCount) { controls.items[$0].startFrame >= frame }
  }
}

extension Schedule {
  /// The last item of each parameter before an item, in the parameter's lane; −1 for none.
  ///
  /// Checkpoints make it as quick at the end of a long pattern as at its beginning.
  func latestItems(before item: Int) -> SIMD16<Int32> {
    let checkpoint = item / Schedule.checkpointItems
    var latest = checkpoints[checkpoint]
    for index in checkpoint * Schedule.checkpointItems..<item {
      latest[controls.items[index].parameter.index] = Int32(index)
    }
    return latest
  }

  /// Items from one checkpoint to the next.
  private static var checkpointItems: Int { 256 }

  /// What `latestItems(before:)` is for every so many items, from item 0 on.
  fileprivate static func checkpoints(of controls: CompiledControls) -> [SIMD16<Int32>] {
    var latest = SIMD16<Int32>(repeating: -1)
    var checkpoints = [latest]
    for index in 0..<controls.itemCount {
      latest[controls.items[index].parameter.index] = Int32(index)
      if (index + 1) % checkpointItems == 0 { checkpoints.append(latest) }
    }
    return checkpoints
  }
}

/// The first number from 0 up for which a condition holds, which then holds for all that follow; `count` if
/// it never does.
func firstIndex(below count: Int, where isReached: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = (low + high) / 2
    if isReached(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
