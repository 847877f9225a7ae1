import Glibc

/// Tells when a file was saved, by an editor that writes it in place or by one that renames a new file over it.
///
/// The folder is watched, not the file: a renamed file is another file, and only the folder sees both kinds of save.
final class FileWatch {
  /// Becomes readable when something was saved.
  let descriptor: Int32
  private let name: String

  /// Watches a file, through links to where it is stored.
  /// - Throws: `CommandError.failed`; nothing is watched.
  init(_ path: String) throws(CommandError) {
    guard let pointer = realpath(path, nil) else {
      throw .failed("cannot watch \(path): \(errorText(errno))")
    }
    let stored = String(cString: pointer)
    free(pointer)
    let slash = stored.lastIndex(of: "/") ?? stored.startIndex
    name = String(stored[stored.index(after: slash)...])
    let folder = slash == stored.startIndex ? "/" : String(stored[..<slash])
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if descriptor < 0 { throw .failed("cannot watch \(path): \(errorText(errno))") }
    if inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)) < 0 {
      throw .failed("cannot watch \(folder): \(errorText(errno))")
    }
  }

  deinit { close(descriptor) }

  /// Forgets what has happened since the last call.
  func discard() {
    if takeSave() { return }
  }

  /// Takes what has happened since the last call.
  /// - Returns: Whether the file was saved.
  func takeSave() -> Bool {
    var isSaved = false
    // The kernel hands out whole entries; the longest name makes one of 16 + 256 bytes.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count <= 0 { return isSaved }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + MemoryLayout<inotify_event>.size
        let bytes = buffer[start..<min(count, start + Int(event.len))].prefix { $0 != 0 }
        // An overflow of the kernel's queue may have swallowed the save.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || String(decoding: bytes, as: UTF8.self) == name {
          isSaved = true
        }
        offset = start + Int(event.len)
      }
    }
  }
}
