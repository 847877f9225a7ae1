import Glibc
import ThrumEngine
import ThrumPattern

/// Which pattern files there are in the places that were given: folders with all that is in them, and single files.
///
/// No file is opened. Lives on one thread.
struct FileShelf {
  /// How deep folders are looked into, how many are watched, and how many files are listed at most.
  static let most = (depth: 16, folders: 4096, files: 50_000)
  /// How long a file has to be away before it has gone, nanoseconds: some editors have it away while they save.
  static let absenceNanoseconds: Int64 = 300_000_000

  private let watch: FolderWatch
  private let files: [FileName]
  private let roots: [FileName]
  /// What each of the places is called: no more of the end of its name than tells it from the others.
  private let names: [FileName: FileName]
  /// The files by their folders.
  private var listed: [FileName: Set<FileName>] = [:]
  /// Folders that are looked into, and how deep they are in the one that was given.
  private var depths: [FileName: Int] = [:]
  private var missing: [FileName: Int64] = [:]
  private var isFull = false

  /// Looks at the places.
  /// - Parameter news: Gets what cannot be watched.
  init(_ places: [FileName], watch: FolderWatch, _ news: (LibraryNews) -> Void) {
    self.watch = watch
    roots = places.filter(PatternFolder.isFolder)
    files = places.filter { !PatternFolder.isFolder($0) }
    names = Self.shortNames(of: Set(places))
    for root in roots { visit(root, depth: 0, news) }
    // One that is made anew is seen in the folder above it.
    for folder in Set((roots + files).map(\.folder)).sorted() {
      let code = watch.add(folder)
      if code != 0 { news(.notice("cannot watch \(folder): \(errorText(code))")) }
    }
  }

  /// All files, in order of their names; those that were given by name first, in their order, there or not.
  var items: [PatternItem] {
    let found = listed.values.flatMap { $0 }.map(item).sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    return files.map(item) + found
  }

  /// When a file that is away counts as gone, nanoseconds; nil where none is.
  var due: Int64? { missing.values.min() }

  /// Takes what has happened.
  mutating func take(at now: Int64, _ news: (LibraryNews) -> Void) {
    let changed = watch.take()
    if let changed {
      for folder in changed.sorted() { look(folder, now, news) }
    } else {
      for folder in Array(depths.keys).sorted() { look(folder, now, news) }
      for root in roots { look(root.folder, now, news) }
    }
    for (path, time) in missing where time <= now {
      missing[path] = nil
      news(.removed(item(path)))
    }
  }

  /// Compares a folder with what was seen in it.
  private mutating func look(_ folder: FileName, _ now: Int64, _ news: (LibraryNews) -> Void) {
    if let depth = depths[folder] { visit(folder, depth: depth, at: now, news) }
    for root in roots where root.folder == folder && (depths[root] == nil || !PatternFolder.isFolder(root)) {
      if PatternFolder.isFolder(root) { visit(root, depth: 0, at: now, news) } else { leave(root, now) }
    }
  }

  private mutating func visit(
    _ folder: FileName, depth: Int, at now: Int64? = nil, _ news: (LibraryNews) -> Void
  ) {
    guard PatternFolder.isFolder(folder) else {
      if let now { leave(folder, now) }
      return
    }
    if depths[folder] == nil, depths.count >= Self.most.folders || depth > Self.most.depth {
      return fill("\(folder) and what is in it is left out: too many folders", news)
    }
    // Before it is read, so that nothing is missed in between. A folder that is watched already stays so.
    let code = watch.add(folder)
    if code != 0, depths[folder] == nil { news(.notice("cannot watch \(folder): \(errorText(code))")) }
    depths[folder] = depth
    let before = listed[folder] ?? []
    var found: Set<FileName> = []
    var folders: [FileName] = []
    for name in PatternFolder.names(in: folder) {
      let path = folder.appending(name)
      if name.text.lowercased().hasSuffix(".ahap") {
        found.insert(path)
      } else if Self.isRealFolder(path) {
        folders.append(path)
      }
    }
    let count = listed.values.reduce(0) { $0 + $1.count } - before.count
    if count + found.count > Self.most.files {
      found = Set(found.sorted().prefix(max(0, Self.most.files - count)))
      fill("more than \(Self.most.files) files; the rest is left out", news)
    }
    listed[folder] = found
    for path in before.subtracting(found).sorted() { miss(path, now ?? 0) }
    for path in found.subtracting(before).sorted() {
      if missing.removeValue(forKey: path) == nil, now != nil { news(.added(item(path))) }
    }
    for path in depths.keys.filter({ $0.folder == folder && $0 != folder && !folders.contains($0) }) {
      leave(path, now ?? 0)
    }
    for path in folders where depths[path] == nil { visit(path, depth: depth + 1, at: now, news) }
  }

  /// Forgets a folder that has gone, and all that was in it.
  private mutating func leave(_ folder: FileName, _ now: Int64) {
    let inside = folder.bytes + [UInt8(ascii: "/")]
    for path in Array(depths.keys) where path == folder || path.bytes.starts(with: inside) {
      for file in listed.removeValue(forKey: path) ?? [] { miss(file, now) }
      depths[path] = nil
    }
  }

  private mutating func miss(_ path: FileName, _ now: Int64) { missing[path] = now + Self.absenceNanoseconds }

  private mutating func fill(_ words: String, _ news: (LibraryNews) -> Void) {
    if isFull { return }
    isFull = true
    news(.notice(words))
  }

  /// Whether a path is a folder and no link to one, so that a circle of links ends.
  private static func isRealFolder(_ path: FileName) -> Bool {
    var status = stat()
    return path.withPath { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func item(_ path: FileName) -> PatternItem {
    for root in roots {
      let inside = root.bytes.last == UInt8(ascii: "/") ? root.bytes : root.bytes + [UInt8(ascii: "/")]
      guard path.bytes.starts(with: inside) else { continue }
      let rest = FileName(bytes: path.bytes[inside.count...])
      return PatternItem(
        path: path, name: (roots.count == 1 ? rest : (names[root] ?? root).appending(rest)).description)
    }
    return PatternItem(path: path, name: (names[path] ?? path).description)
  }

  /// The shortest ends of names, in whole parts, that differ where the names do.
  static func shortNames(of places: Set<FileName>) -> [FileName: FileName] {
    var names: [FileName: FileName] = [:]
    for alike in Dictionary(grouping: places, by: { end(of: $0, parts: 1) }).values {
      let most = alike.map { $0.bytes.count }.max() ?? 1
      // In the end the names themselves, which differ.
      let parts = (1...most + 1).first { parts in
        Set(alike.map { end(of: $0, parts: parts) }).count == alike.count
      }
      for place in alike { names[place] = end(of: place, parts: parts ?? most) }
    }
    return names
  }

  private static func end(of place: FileName, parts: Int) -> FileName {
    let slash = UInt8(ascii: "/")
    let all = place.bytes.split(separator: slash)
    if all.count <= parts && (parts > 1 || all.isEmpty) { return place }
    return FileName(bytes: all.suffix(parts).joined(separator: [slash]))
  }
}
