import Glibc

/// Looks whether the sound files that a pattern names are there.
struct SoundLookup {
  /// The most different paths that are looked up, so that a hostile file cannot keep the file system busy.
  private static let capacity = 4096

  /// The folder that paths are relative to, nil where there is none.
  private let folder: FileName?
  private var known: [String: String?] = [:]

  /// - Parameter folder: The folder that paths are relative to, nil where there is none.
  init(folder: FileName?) { self.folder = folder }

  /// What is wrong with a path, nil where it names a file.
  mutating func problem(with path: String) -> String? {
    if let answer = known[path] { return answer }
    guard known.count < Self.capacity else { return nil }
    let answer = lookUp(path)
    known[path] = .some(answer)
    return answer
  }

  private func lookUp(_ path: String) -> String? {
    let shown = printable(String(path.prefix(200)))
    guard !path.isEmpty, !path.utf8.contains(0) else { return "\"\(shown)\" is not the path of a file" }
    guard let place = path.hasPrefix("/") ? "" : folder else {
      return "\"\(shown)\" was not looked up; a pattern that is not a file has no folder to look in"
    }
    var status = stat()
    guard place.appending(FileName(path)).withPath({ stat($0, &status) }) == 0 else {
      let looked = place.bytes.isEmpty ? "" : " in \(place)"
      return "no file \"\(shown)\"\(looked); paths are relative to the pattern's folder"
    }
    if status.st_mode & S_IFMT == S_IFDIR { return "\"\(shown)\" is a folder; a sound file is needed" }
    return nil
  }
}
