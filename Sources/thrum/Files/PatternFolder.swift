import Glibc
import ThrumEngine
import ThrumPattern

/// Finds the AHAP files in a folder and the folders in it.
enum PatternFolder {
  /// Whether a path is a folder.
  static func isFolder(_ path: FileName) -> Bool {
    var status = stat()
    return path.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What a folder holds.
  struct Contents {
    /// The paths of the AHAP files, in order of their names.
    var files: [FileName] = []
    /// Folders that could not be read, with the reason.
    var unreadable: [(path: FileName, reason: String)] = []
  }

  /// Looks through a folder; links to folders are not followed, so that a loop of them ends.
  static func contents(of folder: FileName) -> Contents {
    var contents = Contents()
    visit(folder, into: &contents)
    return contents
  }

  /// The names of what is in a folder itself, in order; none where it cannot be read.
  static func names(in folder: FileName) -> [FileName] {
    folder.withPath { opendir($0) }.map(names) ?? []
  }

  private static func names(_ stream: OpaquePointer) -> [FileName] {
    var names: [FileName] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { FileName(bytes: $0) }
      if name != ".", name != ".." { names.append(name) }
    }
    closedir(stream)
    return names.sorted()
  }

  private static func visit(_ folder: FileName, into contents: inout Contents) {
    guard let stream = folder.withPath({ opendir($0) }) else {
      contents.unreadable.append((folder, errorText(errno)))
      return
    }
    for name in names(stream) {
      let path = folder.appending(name)
      var status = stat()
      guard path.withPath({ lstat($0, &status) }) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        visit(path, into: &contents)
      } else if name.text.lowercased().hasSuffix(".ahap") {
        contents.files.append(path)
      }
    }
  }
}
