import Glibc

/// Where sounds that patterns name by path may be.
///
/// A path in a pattern is relative to the pattern's file, or to a folder that the caller gives; never to the current folder.
public struct SoundPaths: Sendable, Equatable {
  /// The folder that relative paths start from; nil where there is none, as for a pattern that came as bytes.
  public var baseFolder: String?
  /// Folders, or files, that a sound must be in; nil where any place will do. Links are followed before it is decided.
  public var allowed: [String]?

  /// Creates rules.
  public init(baseFolder: String?, allowed: [String]? = nil) {
    self.baseFolder = baseFolder
    self.allowed = allowed
  }

  /// The rules for a pattern's file: paths start from its folder.
  /// - Parameters:
  ///   - file: The file, `-` for standard input, which has no folder.
  ///   - allowed: As for ``allowed``.
  public static func besides(_ file: String, allowed: [String]? = nil) -> SoundPaths {
    guard file != "-" else { return SoundPaths(baseFolder: nil, allowed: allowed) }
    guard let slash = file.lastIndex(of: "/") else { return SoundPaths(baseFolder: ".", allowed: allowed) }
    let folder = slash == file.startIndex ? "/" : String(file[..<slash])
    return SoundPaths(baseFolder: folder, allowed: allowed)
  }

  /// The file that a pattern's path means, links followed.
  /// - Throws: `fileNotFound` with the path and the folder it was looked for in, `operationNotPermitted` where it lies
  ///   outside ``allowed``, `invalidAudioResource` for what is no path.
  func resolve(_ path: String) throws(SoundError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SoundError(.invalidAudioResource, "\"\(shown(path))\" is not the path of a file")
    }
    var full = path
    if !path.hasPrefix("/") {
      guard let baseFolder else {
        throw SoundError(
          .fileNotFound,
          "\"\(shown(path))\" is a relative path, and a pattern that is not a file has no folder to look in; "
            + "a base folder is needed")
      }
      full = baseFolder + "/" + path
    }
    guard let real = Self.real(full) else { throw absent(path, full: full) }
    if let allowed, !allowed.contains(where: { Self.contains($0, real) }) {
      let places = allowed.isEmpty ? "nothing" : allowed.joined(separator: ", ")
      throw SoundError(
        .operationNotPermitted, "\"\(shown(path))\" is outside what is allowed (\(places)); allow its folder")
    }
    return real
  }

  private func absent(_ path: String, full: String) -> SoundError {
    let number = errno
    if number == EACCES {
      return SoundError(.invalidAudioResource, "\"\(shown(path))\" may not be read; check the permissions")
    }
    let folder = path.hasPrefix("/") ? "" : " in \(shown(baseFolder ?? ""))"
    var message = "no file \"\(shown(path))\"\(folder)"
    var status = stat()
    if lstat(full, &status) == 0 {
      message += " can be opened; it is a link that leads nowhere"
    } else if let near = Self.differentlySpelled(full, path: path) {
      message += "; did you mean \"\(shown(near))\"? Letter case counts"
    } else {
      message += "; check the path"
    }
    return SoundError(.fileNotFound, message)
  }

  /// A path without links and dots, nil with errno where there is nothing.
  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func contains(_ place: String, _ file: String) -> Bool {
    guard let folder = real(place) else { return false }
    // By bytes, as the file system does: Swift takes two spellings of one letter for equal.
    return file.utf8.elementsEqual(folder.utf8)
      || file.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
  }

  /// The path as the file system spells it, where only the case of letters differs.
  private static func differentlySpelled(_ full: String, path: String) -> String? {
    var found = full.hasPrefix("/") ? "/" : "."
    for part in full.split(separator: "/") {
      let next = found + "/" + part
      if access(next, F_OK) == 0 {
        found = next
        continue
      }
      guard let name = entry(of: found, spelledLike: part.lowercased()) else { return nil }
      found += "/" + name
    }
    // As many letters as the path in the pattern has, from the end.
    let count = path.split(separator: "/").map { $0.count + 1 }.reduce(0, +)
    return path.hasPrefix("/") ? found : String(found.suffix(count - 1))
  }

  private static func entry(of folder: String, spelledLike name: String) -> String? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let found = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if found.lowercased() == name { return found }
    }
    return nil
  }
}

/// At most 200 characters of a name from a file, without any that would move a terminal's cursor.
func shown(_ name: String) -> String {
  String(
    String.UnicodeScalarView(
      name.unicodeScalars.prefix(200).map { $0.value < 32 || $0.value == 127 ? "?" : $0 }))
}
