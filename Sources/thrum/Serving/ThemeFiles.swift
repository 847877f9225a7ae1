import Glibc
import ThrumEngine
import ThrumPattern

/// The theme's files: where they are, and when they have changed.
///
/// Lives on the main thread.
final class ThemeFiles {
  /// The theme as it was read last.
  private(set) var theme = Theme.builtIn
  private let path: FileName?
  private var watches: [FileWatch] = []
  /// When what was saved is looked at, nanoseconds: editors save in several steps.
  private(set) var due: Int64?

  /// Finds the theme that is to be used, and reads it.
  /// - Parameter path: The one that was asked for by an option.
  /// - Throws: `CommandError.configuration`.
  init(_ path: FileName?) throws(CommandError) {
    self.path =
      path ?? fileName(inEnvironment: "FEEDBACK_THEME")
      ?? Configuration.standardPath?.folder.appending("theme.json")
    isNamed = path != nil || fileName(inEnvironment: "FEEDBACK_THEME") != nil
    try read()
  }

  /// Whether somebody has said where the theme is, so that it has to be there.
  private let isNamed: Bool

  /// Reads it anew.
  /// - Throws: `CommandError.configuration`; the theme is as it was.
  func read() throws(CommandError) {
    due = nil
    guard let path else { return }
    defer { watch() }
    guard isNamed || path.withPath({ access($0, F_OK) }) == 0 else {
      theme = .builtIn
      return
    }
    do throws(ThemeProblem) {
      theme = try Theme.read(path, folders: Self.folders)
    } catch {
      throw .configuration(error.message)
    }
  }

  /// Where the themes of feedbackd are.
  private static var folders: [FileName] {
    var folders: [FileName] = []
    if let own = Configuration.standardPath?.folder.folder { folders.append(own) }
    let words = fileName(inEnvironment: "XDG_DATA_DIRS")?.text ?? "/usr/local/share:/usr/share"
    folders += words.split(separator: ":").filter { $0.hasPrefix("/") }.map { FileName(String($0)) }
    return folders.map { $0.appending("feedbackd/themes") }
  }

  // MARK: Changes

  /// What to poll for.
  var descriptors: [Int32] { watches.map(\.descriptor) }

  /// Takes what has happened to the files; ``due`` says when they are to be read anew.
  func take() {
    for watch in watches where watch.takeChange() == .saved {
      due = MonotonicClock.nanoseconds + Int64(FileWatch.settleMilliseconds) * 1_000_000
    }
  }

  /// Whether the files are to be read anew now.
  var isDue: Bool { due.map { $0 <= MonotonicClock.nanoseconds } ?? false }

  private func watch() {
    // A theme that is refused is watched, too, so that it can be mended; its parents are those of the one before.
    var files = theme.files
    if let path, !files.contains(path) { files.insert(path, at: 0) }
    watches = files.compactMap { file in
      do throws(CommandError) {
        return try FileWatch(file, isExpected: false)
      } catch {
        // A system without a watch to give is one where SIGHUP tells of changes.
        return nil
      }
    }
  }
}
