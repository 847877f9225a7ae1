import Foundation

/// The cases that lie beside the project, where they do.
enum SharedFolder {
  /// A file of theirs as text; nil, with a word about it, where there is none.
  static func text(_ path: String) -> String? {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let root = ProcessInfo.processInfo.environment["THRUM_SHARED"].map { URL(fileURLWithPath: $0) }
    let shared = root ?? package.deletingLastPathComponent().appendingPathComponent("shared")
    let file = shared.appendingPathComponent(path)
    do {
      return try String(contentsOf: file, encoding: .utf8)
    } catch {
      print("skipped: there is no \(file.path)")
      return nil
    }
  }
}
