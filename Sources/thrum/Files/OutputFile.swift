import Glibc

/// Writes a whole file or none: a temporary file beside it takes the bytes and then its name.
enum OutputFile {
  /// Writes a file; a file of that name stays as it was until all bytes are there.
  /// - Throws: `CommandError.failed`; the temporary file is gone.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    // What is not a regular file, such as a pipe or /dev/null, has no contents to protect and must keep its place.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw .failed("\(path) is a folder; name a file in it") }
      return try writeInPlace(bytes, path)
    }
    // Through a link, the file it points at is replaced, not the link.
    let target = realpath(path, nil).map { pointer in
      defer { free(pointer) }
      return String(cString: pointer)
    }
    let destination = target ?? path
    var template = Array("\(destination).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    if descriptor < 0 { throw refusal(path, errno) }
    let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var isOpen = true
    do throws(CommandError) {
      // mkstemp makes a private file; a result has the permissions of any other new file.
      let mask = umask(0)
      umask(mask)
      let mode = target == nil ? 0o666 & ~mask : status.st_mode & 0o7777
      if fchmod(descriptor, mode) != 0 { throw refusal(path, errno) }
      let code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
      if code != 0 { throw refusal(path, code) }
      // A network file system tells of a full disk only here.
      isOpen = false
      if close(descriptor) != 0 { throw refusal(path, errno) }
      if rename(temporary, destination) != 0 { throw refusal(path, errno) }
    } catch {
      if isOpen { close(descriptor) }
      unlink(temporary)
      throw error
    }
  }

  /// Whether two paths lead to one file.
  static func isSame(_ left: String, _ right: String) -> Bool {
    var (a, b) = (stat(), stat())
    return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }

  private static func writeInPlace(_ bytes: [UInt8], _ path: String) throws(CommandError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw refusal(path, errno) }
    let code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    close(descriptor)
    if code != 0 { throw refusal(path, code) }
  }

  private static func refusal(_ path: String, _ code: Int32) -> CommandError {
    let advice =
      switch code {
      case ENOENT: "; its folder does not exist"
      case EACCES, EROFS: "; choose a folder that may be written to"
      case ENOSPC, EDQUOT: "; nothing was left behind"
      default: ""
      }
    return .failed("cannot write \(path): \(errorText(code))\(advice)")
  }
}
