import ThrumRealtime

/// Which pages of a streamed schedule are with the render thread, and which should go there next.
///
/// A window of ``ahead`` pages runs before the player: the first ones go with `start` or `seek`, each page
/// that comes back played pulls the next one in, and a page that the render thread asks for comes first. The
/// window wraps with the loop. The render thread keeps page 0, which every pass begins with. Used under the
/// control lock.
struct PageWindow {
  /// Pages delivered ahead: 16,384 events, of which a player that is never starved plays one page while three
  /// wait.
  static let ahead = 4

  let index: EventIndex
  /// This player's page table; the render thread's from `addPlayer` to the release.
  let table: UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>
  private var resident: [Int: Resident] = [:]
  private var spare: [UnsafeMutablePointer<ScheduledEvent>] = []
  /// Pages to be delivered, in that order.
  private(set) var wanted: [Int] = []
  /// Pages that were asked for while they were on their way back: wanted again when they are here.
  private var awaited: Set<Int> = []
  /// Pages delivered so far; wraps, as the render thread's count does.
  private var deliveries: Int32 = 0

  /// A page that the render thread has, or that is on its way there or back.
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

  /// Takes a played page back and wants those ahead of it, round the loop where there is one.
  mutating func takeBack(_ page: Int, isLooping: Bool) {
    guard let returned = resident.removeValue(forKey: page) else { return }
    spare.append(returned.memory)
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
    let pages = (page..<min(page + Self.ahead, index.pageCount)).filter { resident[$0] == nil }
    wanted.removeAll { pages.contains($0) }
    wanted.insert(contentsOf: pages, at: 0)
  }

  /// Pages that memory is held for.
  var allocatedPages: Int { resident.count + spare.count }

  /// Frees all memory; the render thread has dropped its last use of it.
  mutating func deallocate() {
    for page in resident.values { page.memory.deallocate() }
    for memory in spare { memory.deallocate() }
    table.deallocate()
    resident = [:]
    spare = []
  }

  private mutating func want(_ page: Int) {
    if resident[page] == nil, !wanted.contains(page) { wanted.append(page) }
  }
}
