import Glibc
import ThrumEngine
import ThrumPattern

/// The thread of a ``PatternLibrary``: looks, reads and tells.
struct LibraryReader {
  /// A file that is chosen.
  private struct Chosen {
    let item: PatternItem
    /// Nil where it cannot be watched, which was told.
    let watch: FileWatch?
    /// A mistake that is told unless something more happens to the file before, and when that is.
    var mistake: (diagnostic: Diagnostic, due: Int64)?
  }

  private static let mostVainWakes = 20
  private static let restMicroseconds: UInt32 = 5000

  private var shelf: FileShelf
  private let folders: FolderWatch
  private let settleNanoseconds: Int64
  /// Times in a row that something happened which was no matter of these files.
  private var vainWakes = 0
  private var hasTold = false
  private var chosen: [Chosen] = []
  private let shared: Locked<PatternLibrary.Shared>
  private let bell: Bell
  private let work: Bell

  /// Lists the files.
  init(
    _ places: [FileName], settleSeconds: Double, shared: Locked<PatternLibrary.Shared>, bell: Bell, work: Bell
  ) throws(CommandError) {
    folders = try FolderWatch()
    var notices: [LibraryNews] = []
    shelf = FileShelf(places, watch: folders) { notices.append($0) }
    settleNanoseconds = Int64(settleSeconds * 1e9)
    self.shared = shared
    self.bell = bell
    self.work = work
    let items = shelf.items
    shared.withLock { shared in
      shared.items = items
      shared.news = notices
    }
  }

  /// Works until it is to end.
  mutating func run() {
    while true {
      let watches = chosen.compactMap(\.watch)
      let descriptors = [work.descriptor, folders.descriptor] + watches.map(\.descriptor)
      let readable = waitForReading(descriptors, milliseconds: patience)
      work.take()
      let (wanted, isEnding) = shared.withLock { ($0.chosen, $0.isEnding) }
      if isEnding { return }
      hasTold = false
      if wanted != chosen.map(\.item) { choose(wanted) }
      // The files first: a save is waited for, a list is not.
      for index in chosen.indices { look(at: index) }
      if readable[1] || shelf.due.map({ $0 <= MonotonicClock.nanoseconds }) == true { lookAround() }
      restFromNoise(hasHappened: hasTold || readable[0] || !readable.contains(true))
    }
  }

  /// Folders on the way to a file, such as /tmp, may be full of what others do: looking at all that at once would take more
  /// of a processor than it is worth.
  private mutating func restFromNoise(hasHappened: Bool) {
    vainWakes = hasHappened ? 0 : vainWakes + 1
    if vainWakes > Self.mostVainWakes { usleep(Self.restMicroseconds) }
  }

  /// Milliseconds for which nothing needs doing unless something happens, −1 for ever.
  private var patience: Int32 {
    guard let due = (chosen.compactMap(\.mistake?.due) + [shelf.due].compactMap { $0 }).min() else {
      return -1
    }
    return Int32(clamping: max(0, due - MonotonicClock.nanoseconds + 999_999) / 1_000_000)
  }

  private mutating func choose(_ wanted: [PatternItem]) {
    var next: [Chosen] = []
    for item in wanted where !next.contains(where: { $0.item == item }) {
      if let known = chosen.first(where: { $0.item == item }) {
        next.append(known)
        continue
      }
      var watch: FileWatch?
      do throws(CommandError) {
        // Before it is read, so that no save is missed in between.
        watch = try FileWatch(item.path, isExpected: false)
      } catch {
        tell([.notice(error.words)])
      }
      next.append(Chosen(item: item, watch: watch))
      chosen = next
      read(next.count - 1)
      next = chosen
    }
    chosen = next
  }

  /// Sees what has happened to a file that is chosen.
  private mutating func look(at index: Int) {
    switch chosen[index].watch?.takeChange() ?? .nothing {
    case .saved: read(index)
    case .removed:
      // Its absence is told by the list; what is half written is no matter any more.
      chosen[index].mistake = nil
    case .nothing:
      guard let mistake = chosen[index].mistake, mistake.due <= MonotonicClock.nanoseconds else { return }
      // Once more: not every way of writing is told.
      if let diagnostic = tryReading(index) { tell([.mistaken(chosen[index].item, [diagnostic])]) }
      chosen[index].mistake = nil
    }
  }

  /// Reads a file; a mistake in it has to wait.
  private mutating func read(_ index: Int) {
    chosen[index].mistake = tryReading(index).map {
      ($0, MonotonicClock.nanoseconds + settleNanoseconds)
    }
  }

  /// Reads a file and tells of it.
  /// - Returns: Why it cannot be read.
  private mutating func tryReading(_ index: Int) -> Diagnostic? {
    let item = chosen[index].item
    do throws(Diagnostic) {
      tell([.changed(item, try NamedPattern(reading: item.path))])
      return nil
    } catch {
      return error
    }
  }

  private mutating func lookAround() {
    var news: [LibraryNews] = []
    shelf.take(at: MonotonicClock.nanoseconds) { news.append($0) }
    if news.isEmpty { return }
    let items = shelf.items
    shared.withLock { $0.items = items }
    tell(news)
  }

  private mutating func tell(_ news: [LibraryNews]) {
    hasTold = true
    shared.withLock { $0.news += news }
    bell.ring()
  }
}
