import Glibc

/// Finds the AHAP files in a folder and the folders in it.
enum PatternFolder {
  /// Whether a path is a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What a folder holds.
  struct Contents {
    /// The paths of the AHAP files, in order of their names.
    var files: [String] = []
    /// Folders that could not be read, with the reason.
    var unreadable: [(path: String, reason: String)] = []
  }

  /// Looks through a folder; links to folders are not followed, so that a loop of them ends.
  static func contents(of folder: String) -> Contents {
    var contents = Contents()
    visit(folder, into: &contents)
    return contents
  }

  private static func visit(_ folder: String, into contents: inout Contents) {
    guard let stream = opendir(folder) else {
      contents.unreadable.append((folder, errorText(errno)))
      return
    }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    closedir(stream)
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    for name in names.sorted() {
      let path = base + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        visit(path, into: &contents)
      } else if name.lowercased().hasSuffix(".ahap") {
        contents.files.append(path)
      }
    }
  }
}
