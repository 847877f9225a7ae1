import Glibc
import ThrumEngine
import ThrumPattern

/// Tells when a file was saved, by an editor that writes it in place or by one that renames a new file over it, and when
/// it has gone.
///
/// Folders are watched, not the file: a renamed file is another file, and only its folder sees both kinds of save. Every
/// folder on the way is, so that one that is made anew is found again, and those on the way of each link.
final class FileWatch {
  /// What has happened.
  enum Change {
    case nothing
    /// The file has contents that have not been looked at.
    case saved
    /// There is no such file any more.
    case removed
  }

  /// Becomes readable when something has happened that may concern the file.
  let descriptor: Int32
  private let file: FileName
  private var places: [Int32: Place] = [:]
  private var seen: Identity?
  private var isMissed = false

  /// What matters in a watched folder.
  private struct Place {
    /// The names of the file itself, and of links to it.
    var files: Set<FileName> = []
    /// The names of the next folders on the way.
    var folders: Set<FileName> = []
  }

  /// What tells one state of a file from another.
  private struct Identity: Equatable {
    var device: dev_t
    var number: ino_t
    var size: off_t
    var seconds: Int
    var nanoseconds: Int
  }

  private static let events =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
  /// How long nothing must happen to a file that was saved, and to one that has gone.
  static let settleMilliseconds: Int32 = 30
  static let absenceMilliseconds: Int32 = 300
  /// As many links may follow each other as the kernel follows.
  private static let mostLinks = 40

  /// Watches a file.
  /// - Parameter isExpected: Whether it is a mistake that it is not there yet.
  /// - Throws: `CommandError.failed`; nothing is watched.
  init(_ file: FileName, isExpected: Bool = true) throws(CommandError) {
    self.file = file
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if descriptor < 0 { throw .failed("cannot watch \(file): \(errorText(errno))") }
    seen = identity
    isMissed = seen == nil
    if isMissed, isExpected { throw .failed("cannot watch \(file): \(errorText(errno))") }
    let code = arm()
    if code != 0, isExpected { throw .failed("cannot watch \(file.folder): \(errorText(code))") }
  }

  deinit { close(descriptor) }

  /// Takes what has happened since the last call. A file that has gone is told of once.
  func takeChange() -> Change {
    var (isSaved, isMoved) = (false, false)
    // The kernel hands out whole entries; the longest name makes one of 16 + 256 bytes.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count <= 0 { break }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + MemoryLayout<inotify_event>.size
        let name = FileName(bytes: buffer[start..<min(count, start + Int(event.len))])
        offset = start + Int(event.len)
        // An overflow of the kernel's queue may have swallowed anything.
        let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
        guard let place = isOverflow ? Place(files: [name]) : places[event.wd] else { continue }
        if place.files.contains(name) {
          if isOverflow || event.mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) != 0 { isSaved = true }
          // A new file is looked at when it is closed; a new link is whole at once.
          if isOverflow || event.mask & UInt32(IN_CREATE) != 0 && isLinked { isMoved = true }
        }
        if place.folders.contains(name) || event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF) != 0 {
          isMoved = true
        }
      }
    }
    // A folder that is not there now is watched for in the one above it.
    if isMoved || isSaved { arm() }
    let now = identity
    guard let now else {
      defer { isMissed = true }
      return isMissed ? .nothing : .removed
    }
    if isSaved || isMoved && (isMissed || now != seen) {
      isMissed = false
      seen = now
      return .saved
    }
    return .nothing
  }

  /// Takes what the file has come to, once it has come to rest: editors save in several steps, of which the last one
  /// counts, and some have the file away for a moment.
  /// - Parameter wait: Waits so many milliseconds for something more to happen, and says whether it has; nil breaks off.
  /// - Returns: Nil where it was broken off.
  func takeChange(wait: (_ milliseconds: Int32) -> Bool?) -> Change? {
    var change = takeChange()
    while change != .nothing {
      guard let isMore = wait(change == .saved ? Self.settleMilliseconds : Self.absenceMilliseconds) else {
        return nil
      }
      if !isMore { return change }
      let next = takeChange()
      if next != .nothing { change = next }
    }
    return .nothing
  }

  /// The state of the file, nil where there is none or a folder.
  private var identity: Identity? {
    var status = stat()
    guard file.withPath({ stat($0, &status) }) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFDIR {
      errno = EISDIR
      return nil
    }
    return Identity(
      device: status.st_dev, number: status.st_ino, size: status.st_size,
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }

  /// Whether the name is one of several of its file, or a symbolic link.
  private var isLinked: Bool {
    var status = stat()
    guard file.withPath({ lstat($0, &status) }) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
  }

  /// Watches every folder on the way to the file that is there now.
  /// - Returns: 0, or why the last of them cannot be watched.
  @discardableResult
  private func arm() -> Int32 {
    for number in places.keys { inotify_rm_watch(descriptor, number) }
    places = [:]
    var path = file
    var code: Int32 = 0
    for _ in 0..<Self.mostLinks {
      code = watchFolders(to: path)
      guard let target = Self.target(of: path) else { break }
      path = path.folder.appending(target)
    }
    return code
  }

  /// Watches the folders of one path from its beginning, each before the next is looked for, so that none is missed that is
  /// made meanwhile.
  private func watchFolders(to path: FileName) -> Int32 {
    var folder: FileName = path.bytes.first == UInt8(ascii: "/") ? "/" : "."
    var code: Int32 = 0
    let parts = path.bytes.split(separator: UInt8(ascii: "/")).map { FileName(bytes: $0) }
    for (index, part) in parts.enumerated() {
      let number = folder.withPath { inotify_add_watch(descriptor, $0, UInt32(Self.events | IN_ONLYDIR)) }
      code = number < 0 ? errno : 0
      let isLast = index == parts.count - 1
      if number >= 0 {
        if isLast { places[number, default: Place()].files.insert(part) }
        if !isLast { places[number, default: Place()].folders.insert(part) }
      }
      folder = folder == "." ? part : folder.appending(part)
    }
    return code
  }

  /// What a symbolic link says; nil for anything else.
  private static func target(of path: FileName) -> FileName? {
    var letters = [CChar](repeating: 0, count: 4096)
    let count = path.withPath { readlink($0, &letters, letters.count) }
    return count > 0 ? FileName(bytes: letters[..<count].lazy.map { UInt8(bitPattern: $0) }) : nil
  }
}
