import Glibc
import ThrumAudition
import ThrumEngine
import ThrumPattern

/// The documents of the files that were in hand, which keep their undo and their changes.
struct DocumentShelf {
  /// What is edited here at most, bytes: an edit reads the whole text.
  static let mostBytes = 16 << 20
  /// Documents without changes that are kept, for their undo.
  private static let most = 32

  private var documents: [FileName: PatternDocument] = [:]
  private var order: [FileName] = []

  /// The document of a file, nil where it was never in hand, or is too long to be edited.
  subscript(path: FileName) -> PatternDocument? {
    get { documents[path] }
    set {
      documents[path] = newValue
      order.removeAll { $0 == path }
      if newValue != nil { order.append(path) }
      while order.count > Self.most, let old = order.first(where: { documents[$0]?.isModified == false }) {
        documents[old] = nil
        order.removeAll { $0 == old }
      }
    }
  }

  /// The files with changes that are not saved.
  var modified: [FileName] { order.filter { documents[$0]?.isModified == true } }

  /// Whether a file that is there may be written by nobody.
  static func isProtected(_ path: FileName) -> Bool {
    var status = stat()
    return path.withPath { stat($0, &status) } == 0 && status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) == 0
  }

  /// What a file holds, nil where it cannot be read or is too long.
  static func bytes(of path: FileName) -> [UInt8]? {
    let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return Array(bytes[..<filled]) }
      filled += count
    }
    // It grew while it was read: whoever writes it will be told of again.
    return nil
  }
}
