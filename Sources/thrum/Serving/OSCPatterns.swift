import Glibc
import ThrumFeedback
import ThrumPattern

/// The patterns that are played by name: those of a folder, then the presets.
struct OSCPatterns {
  /// The most that are kept; more names than that are read again when they are asked for.
  static let mostKept = 256
  /// A file as it was when it was read.
  private struct Kept {
    var version: FileVersion
    var pattern: NamedPattern
  }

  /// Where they are; nil for presets alone.
  let folder: FileName?
  private var kept: [String: Kept] = [:]

  init(folder: FileName?) { self.folder = folder }

  /// The pattern of a name, with or without `.ahap`, as its file is now.
  mutating func pattern(named name: String) throws(OSCRefusal) -> NamedPattern {
    guard !name.contains("/"), !name.hasPrefix("."), !name.utf8.contains(0) else {
      throw OSCRefusal("\(printable(name)) is no name of a pattern; it has no / and begins with no dot")
    }
    let bare = name.hasSuffix(".ahap") ? String(name.dropLast(5)) : name
    if let file = folder?.appending(FileName(bare + ".ahap")), let version = FileVersion(of: file) {
      return try pattern(bare, file, version)
    }
    if let preset = FeedbackName(bare).flatMap(PresetLibrary.preset) {
      return NamedPattern(path: FileName(bare), pattern: preset)
    }
    throw OSCRefusal("there is no pattern \(printable(name))")
  }

  private mutating func pattern(
    _ name: String, _ file: FileName, _ version: FileVersion
  ) throws(OSCRefusal) -> NamedPattern {
    if let known = kept[name], known.version == version { return known.pattern }
    do throws(Diagnostic) {
      let pattern = try NamedPattern(reading: file)
      if kept.count >= Self.mostKept { kept.removeAll(keepingCapacity: true) }
      kept[name] = Kept(version: version, pattern: pattern)
      return pattern
    } catch {
      throw OSCRefusal(error.description)
    }
  }

  /// The names that can be played, in order; those of the folder first.
  func names() -> [String] {
    let names = folder.map { PatternFolder.names(in: $0) } ?? []
    let own = names.filter { name in
      // What is no text, no plain file or begins with a dot cannot be played by its name.
      guard let folder, name.text.hasSuffix(".ahap"), !name.text.hasPrefix("."), FileName(name.text) == name
      else {
        return false
      }
      return FileVersion(of: folder.appending(name)) != nil
    }.map { String($0.text.dropLast(5)) }
    let presets = PresetLibrary.presetNames.map(\.text).filter { !own.contains($0) }
    return own + presets
  }
}

/// What tells one content of a file from another without reading it.
struct FileVersion: Equatable {
  private var device: UInt
  private var inode: UInt
  private var size: Int
  private var seconds: Int
  private var nanoseconds: Int

  /// Nil where there is no plain file.
  init?(of file: FileName) {
    var status = stat()
    guard file.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
