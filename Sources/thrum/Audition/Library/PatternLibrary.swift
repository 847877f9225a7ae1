import Glibc
import ThrumEngine
import ThrumPattern

/// The pattern files in the folders and files that were given, and what happens to them.
///
/// A file is read when it is chosen, and again after each save: at once, so that a save is felt at once; a file that cannot
/// be read then is read again until it has come to rest, and only that is told. No call waits for a file: a thread of the
/// library's own does.
///
/// Lives on two threads: one caller, and that one.
final class PatternLibrary: Sendable {
  /// What the caller and the thread share.
  struct Shared: Sendable {
    var items: [PatternItem] = []
    var news: [LibraryNews] = []
    var chosen: [PatternItem] = []
    var isEnding = false
    var failure: CommandError?
  }

  /// The first folder that is looked through; nil where only files were given.
  let folder: FileName?
  /// Rings for the caller.
  private let bell = Bell()
  /// Rings for the thread.
  private let work = Bell()
  private let shared = Locked(Shared())
  private let thread = NativeThread(name: "thrum-library")

  /// Lists and watches files and folders, these with all folders in them (``FileShelf/most``).
  /// - Parameter settleSeconds: How long nothing must happen to a file before a mistake in it is told.
  /// - Throws: `CommandError.failed` where the system has nothing left to watch with.
  init(_ places: [FileName], settleSeconds: Double = 0.04) throws(CommandError) {
    let listed = Doorbell()
    folder = places.first(where: PatternFolder.isFolder)
    do throws(OutputError) {
      try Interruption.withoutSignals { () throws(OutputError) in
        try thread.start { [shared, bell, work] in
          var reader: LibraryReader
          do throws(CommandError) {
            reader = try LibraryReader(
              places, settleSeconds: settleSeconds, shared: shared, bell: bell, work: work)
          } catch {
            shared.withLock { $0.failure = error }
            return listed.ring()
          }
          listed.ring()
          reader.run()
        }
      }
    } catch {
      throw .failed(error.message)
    }
    listed.wait(after: 0, untilNanoseconds: .max / 2)
    if let failure = shared.withLock({ $0.failure }) { throw failure }
  }

  deinit { end() }

  /// Becomes readable when there are ``news()``.
  var descriptor: Int32 { bell.descriptor }

  /// The files there are, in order of their names; those that were given by name first.
  var items: [PatternItem] { shared.withLock { $0.items } }

  /// What there is to tell since the last call, in order.
  func news() -> [LibraryNews] {
    bell.take()
    return shared.withLock { shared in
      defer { shared.news = [] }
      return shared.news
    }
  }

  /// Has these files read, now and after each save, and no others; those that were chosen before are not read again for it.
  func choose(_ items: [PatternItem]) {
    shared.withLock { $0.chosen = items }
    work.ring()
  }

  /// Ends the thread. Safe to call twice.
  func end() {
    shared.withLock { $0.isEnding = true }
    work.ring()
    thread.join()
  }
}
