import Foundation

/// The files that tests share but the project does not carry: `corpus`, `cases` and `seeds` in the folder
/// that `THRUM_SHARED` names, else in `shared` beside the package.
public enum SharedFiles {
  /// The folder; nil where there is none.
  public static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["THRUM_SHARED"].map { URL(fileURLWithPath: $0) }
    let beside = packageFolder.deletingLastPathComponent().appendingPathComponent("shared")
    let candidate = named ?? beside
    return isFolder(candidate) ? candidate : nil
  }()

  /// The package's own folder.
  public static let packageFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A folder or file in the shared folder; where it is absent, nil, and a line that says what is skipped.
  public static func locate(_ path: String, for test: String) -> URL? {
    guard let folder else {
      print("skipped: \(test): no ../shared beside the package and no THRUM_SHARED")
      return nil
    }
    let url = folder.appendingPathComponent(path)
    guard FileManager.default.fileExists(atPath: url.path) else {
      print("skipped: \(test): \(path) is not in the shared folder")
      return nil
    }
    return url
  }

  /// The bytes of a shared file; nil, with a line that says so, where it is absent.
  public static func bytes(_ path: String, for test: String) throws -> [UInt8]? {
    try locate(path, for: test).map(bytes(of:))
  }

  /// The bytes of a file.
  public static func bytes(of url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

  /// The paths of all AHAP files below a folder, relative to it, in order.
  public static func patterns(in folder: URL) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasSuffix(".ahap") }.sorted()
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }
}
