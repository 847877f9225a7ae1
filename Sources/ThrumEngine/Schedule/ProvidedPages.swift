import ThrumRealtime

/// The pages of one player that is rendered by the thread that makes them: made before it comes to them and thrown away
/// behind it, so that a render of a million events holds a few thousand of them at a time.
final class ProvidedPages {
  /// Frames before and behind a block for which pages are held: more than the first quantum, the limiter's look-ahead and
  /// the kernel's reach take together, at any rate.
  private static let slack: Int64 = 512
  /// Frames that are provided for beyond a block, so that the pages need not be looked at for every one.
  private static let ahead: Int64 = 4096

  private let schedule: Schedule
  private let index: EventIndex
  /// The length of a pass; nil where there is one.
  private let passFrames: Int64?
  // Safety: allocated here, and taken out of the schedule's table before it is used for another page or freed. The render
  // thread is the caller's own.
  private var resident: [Int: UnsafeMutablePointer<ScheduledEvent>] = [:]
  private var spare: [UnsafeMutablePointer<ScheduledEvent>] = []
  /// The frame up to which there are pages.
  private var provided = Int64.min

  /// - Parameter schedule: The schedule whose table is filled; there is nothing to do for one that has its pages.
  init?(_ schedule: Schedule, isLooping: Bool) {
    guard let index = schedule.index else { return nil }
    self.schedule = schedule
    self.index = index
    passFrames = isLooping ? max(schedule.passFrames, 1) : nil
  }

  deinit {
    for memory in resident.values { memory.deallocate() }
    for memory in spare { memory.deallocate() }
  }

  /// Makes the pages of what is rendered from one frame to another, and drops those before it. Calls come in the order of
  /// the timeline.
  func provide(from first: Int64, through last: Int64) {
    if last <= provided { return }
    provided = last + Self.ahead
    let wanted = pages(from: first - Self.slack, through: provided + Self.slack)
    for page in resident.keys where !wanted.contains(where: { $0.contains(page) }) {
      schedule.view.pages[page] = nil
      if let memory = resident.removeValue(forKey: page) { spare.append(memory) }
    }
    for page in wanted.joined() where resident[page] == nil {
      let memory = spare.popLast() ?? .allocate(capacity: ScheduleView.pageEvents)
      index.compile(page: page, into: memory)
      resident[page] = memory
      schedule.view.pages[page] = UnsafePointer(memory)
    }
    while spare.count > 1 { spare.removeLast().deallocate() }
  }

  /// The pages of a stretch of the timeline, round the end of a pass where there are several.
  private func pages(from first: Int64, through last: Int64) -> [ClosedRange<Int>] {
    if index.pageCount == 0 { return [] }
    guard let passFrames else { return [pagesOfPass(from: first, through: last)] }
    if last - first >= passFrames { return [0...index.pageCount - 1] }
    let begin = ((first % passFrames) + passFrames) % passFrames
    let end = begin + (last - first)
    if end < passFrames { return [pagesOfPass(from: begin, through: end)] }
    return [
      pagesOfPass(from: begin, through: passFrames), pagesOfPass(from: 0, through: end - passFrames),
    ]
  }

  private func pagesOfPass(from first: Int64, through last: Int64) -> ClosedRange<Int> {
    let lower = max(0, index.firstEvent(atFrame: first) - 1) / ScheduleView.pageEvents
    let upper = min(index.firstEvent(atFrame: last + 1), index.count - 1) / ScheduleView.pageEvents
    return min(lower, upper)...upper
  }
}
