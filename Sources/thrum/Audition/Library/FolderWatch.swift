import Glibc
import ThrumEngine
import ThrumPattern

/// Tells in which of many folders something has come or gone.
///
/// Lives on one thread.
final class FolderWatch {
  /// Becomes readable when something may have.
  let descriptor: Int32
  private var folders: [Int32: FileName] = [:]
  private var numbers: [FileName: Int32] = [:]

  private static let events =
    IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

  /// - Throws: `CommandError.failed` where the system has no more to give.
  init() throws(CommandError) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if descriptor < 0 { throw .failed("cannot watch folders: \(errorText(errno))") }
  }

  deinit { close(descriptor) }

  /// Watches a folder.
  /// - Returns: 0, or why it cannot be watched.
  func add(_ folder: FileName) -> Int32 {
    let number = folder.withPath { inotify_add_watch(descriptor, $0, UInt32(Self.events)) }
    if number < 0 { return errno }
    // Another folder may have had this name before.
    if let old = numbers[folder], old != number { folders[old] = nil }
    folders[number] = folder
    numbers[folder] = number
    return 0
  }

  /// What has happened since the last call.
  /// - Returns: The folders in which it did; nil where so much did that all have to be looked at.
  func take() -> Set<FileName>? {
    var changed: Set<FileName> = []
    var isLost = false
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count <= 0 { return isLost ? nil : changed }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isLost = true }
        guard let folder = folders[event.wd] else { continue }
        changed.insert(folder)
        if event.mask & UInt32(IN_IGNORED) != 0 {
          folders[event.wd] = nil
          if numbers[folder] == event.wd { numbers[folder] = nil }
        }
      }
    }
  }
}
