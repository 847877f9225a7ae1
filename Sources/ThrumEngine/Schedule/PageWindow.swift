import ThrumRealtime

/// Which pages of a streamed schedule are with the render thread, and which should go there next.
///
/// A window of ``ahead`` pages runs before the player: the first ones go with `start` or `seek`, each page
/// that comes back played pulls the next one in, and a page that the render thread asks for comes first. The
/// window wraps with the loop. The render thread keeps page 0, which every pass begins with. A seek asks back
/// what was delivered for another place. Used under the control lock.
struct PageWindow {
  /// Pages delivered ahead: 16,384 events, of which a player that is never starved plays one page while three
  /// wait.
  static let ahead = 4

  let index: EventIndex
  /// This player's page table; the render thread's from `addPlayer` to the release.
  let table: UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>
  private var resident: [Int: Resident] = [:]
  /// The memory of pages that were asked back; a page may meanwhile have been delivered anew.
  private var leaving: Set<UnsafeMutablePointer<ScheduledEvent>> = []
  private var spare: [UnsafeMutablePointer<ScheduledEvent>] = []
  /// Pages to be delivered, in that order.
  private(set) var wanted: [Int] = []
  /// Pages to be asked back: the render thread has them, and the player has gone elsewhere.
  private(set) var unwanted: [Int] = []
  /// Pages that were asked for while they were on their way back: wanted again when they are here.
  private var awaited: Set<Int> = []
  /// Pages delivered so far; wraps, as the render thread's count does.
  private var deliveries: Int32 = 0

  /// A page that the render thread has, or that is on its way there or back without having been asked for.
  private struct Resident {
    let memory: UnsafeMutablePointer<ScheduledEvent>
    /// The count of deliveries with it.
    let delivery: Int32
  }

  init(index: EventIndex) {
    self.index = index
    table = .allocate(capacity: index.pageCount)
    table.initialize(repeating: nil, count: index.pageCount)
  }

  /// The pages that a player needs before it can play from a frame, those already there left out.
  func missingPages(from frame: Int64) -> [Int] {
    let first = index.page(atFrame: frame)
    // The first page never comes back, so it pulls none in: one more at once.
    let count = first == 0 ? Self.ahead + 1 : Self.ahead
    return (first..<min(first + count, index.pageCount)).filter { resident[$0] == nil }
  }

  /// Compiles a page that goes to the render thread with the next command.
  mutating func deliver(_ page: Int) -> UnsafePointer<ScheduledEvent> {
    let memory = spare.popLast() ?? .allocate(capacity: ScheduleView.pageEvents)
    index.compile(page: page, into: memory)
    deliveries &+= 1
    resident[page] = Resident(memory: memory, delivery: deliveries)
    wanted.removeAll { $0 == page }
    return UnsafePointer(memory)
  }

  /// Leaves the place that the player was at for the pages from another on: those that waited to go elsewhere need not,
  /// and those that are elsewhere are unwanted. What a pass begins with stays, for the start that may follow.
  mutating func move(to frame: Int64) {
    let first = index.page(atFrame: frame)
    let isElsewhere = { (page: Int) in page > Self.ahead && !(first..<first + Self.ahead).contains(page) }
    wanted.removeAll(where: isElsewhere)
    awaited = awaited.filter { !isElsewhere($0) }
    unwanted = resident.keys.filter(isElsewhere).sorted()
  }

  /// Notes that a page has been asked back.
  mutating func giveUp(_ page: Int) {
    unwanted.removeAll { $0 == page }
    awaited.remove(page)
    if let resident = resident.removeValue(forKey: page) { leaving.insert(resident.memory) }
  }

  /// Takes the memory of a page back. If it was played, those ahead of it are wanted, round the loop where there is one.
  mutating func takeBack(_ page: Int, memory: UnsafePointer<ScheduledEvent>, isLooping: Bool) {
    let memory = UnsafeMutablePointer(mutating: memory)
    if leaving.remove(memory) != nil {
      reuse(memory)
      return
    }
    guard resident[page]?.memory == memory else { return }
    resident[page] = nil
    reuse(memory)
    // One that was to be asked back says nothing of where the player is now.
    if unwanted.contains(page) {
      unwanted.removeAll { $0 == page }
      return
    }
    if awaited.remove(page) != nil { wanted.insert(page, at: 0) }
    for next in page + 1...page + Self.ahead {
      if next < index.pageCount {
        want(next)
      } else if isLooping {
        want(next % index.pageCount)
      }
    }
  }

  /// Puts a page that the render thread misses before all others, and those after it behind.
  /// - Parameter count: The pages that the render thread had been delivered when it missed this one. If it was among
  ///   them, it is on its way back; if it was not, it is on its way there.
  mutating func need(_ page: Int, afterDeliveries count: Int32) {
    guard (0..<index.pageCount).contains(page) else { return }
    if let present = resident[page], present.delivery &- count <= 0 { awaited.insert(page) }
    let pages = page..<min(page + Self.ahead, index.pageCount)
    unwanted.removeAll { pages.contains($0) }
    let missing = pages.filter { resident[$0] == nil }
    wanted.removeAll { missing.contains($0) }
    wanted.insert(contentsOf: missing, at: 0)
  }

  /// Whether pages wait to go or to be asked back.
  var hasNews: Bool { !wanted.isEmpty || !unwanted.isEmpty }

  /// Pages that memory is held for.
  var allocatedPages: Int { resident.count + leaving.count + spare.count }

  /// Frees all memory; the render thread has dropped its last use of it.
  mutating func deallocate() {
    for page in resident.values { page.memory.deallocate() }
    for memory in leaving { memory.deallocate() }
    for memory in spare { memory.deallocate() }
    table.deallocate()
    resident = [:]
    leaving = []
    spare = []
  }

  private mutating func want(_ page: Int) {
    unwanted.removeAll { $0 == page }
    if resident[page] == nil, !wanted.contains(page) { wanted.append(page) }
  }

  /// Keeps the memory of a page for another, as far as one move needs it.
  private mutating func reuse(_ memory: UnsafeMutablePointer<ScheduledEvent>) {
    if spare.count < Self.ahead { spare.append(memory) } else { memory.deallocate() }
  }
}
