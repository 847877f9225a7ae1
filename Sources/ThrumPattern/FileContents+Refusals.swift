import Glibc

// What is said of files that cannot be read.
extension FileContents {
  static func refusal(of path: String, _ message: String, _ code: PatternErrorCode) -> Diagnostic {
    Diagnostic(severity: .error, code: code, file: path, message: message)
  }

  static func refusalOfZero(_ path: String) -> Diagnostic {
    refusal(of: path, "the name holds a zero byte; no file can have it", .fileNotFound)
  }

  static func refusalOfSize(_ path: String) -> Diagnostic {
    refusal(of: path, "larger than 1 GiB, the most that is read", .invalidPatternData)
  }

  static func refusalOfKind(_ kind: String, _ path: String) -> Diagnostic {
    refusal(of: path, "this is \(kind); a file, a pipe or `-` is needed", .fileNotFound)
  }

  /// What has no contents to be opened: a socket, or a device that is not there, such as the terminal of a process
  /// without one.
  static func refusalWithoutReader(_ file: FileName) -> Diagnostic {
    var status = stat()
    let isSocket = file.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFSOCK
    return refusalOfKind(isSocket ? "a socket" : "a device", file.text)
  }

  static func refusalToOpen(_ path: String, _ number: Int32) -> Diagnostic {
    let message =
      switch number {
      case ENOENT: "no such file; check the path"
      case ENOTDIR: "no such file; a part of the path is not a folder"
      case EACCES, EPERM: "this file may not be read; check its permissions"
      case ELOOP: "too many symbolic links; check the path"
      case ENAMETOOLONG: "the name is too long; no file can have it"
      case EMFILE, ENFILE: "too many files are open; close some"
      default: "cannot be opened (system error \(number)); check the path"
      }
    return refusal(of: path, message, .fileNotFound)
  }

  static func refusalToRead(_ path: String, _ number: Int32) -> Diagnostic {
    refusal(of: path, "cannot be read (system error \(number)); check the file", .fileNotFound)
  }

  static func refusalToSpool(_ path: String, _ folder: FileName, _ number: Int32) -> Diagnostic {
    let reason =
      switch number {
      case ENOSPC, EDQUOT: "there is no room left in \(folder)"
      case EFBIG: "files in \(folder) may not be as large"
      case ENOENT, ENOTDIR: "there is no folder \(folder)"
      case EACCES, EPERM, EROFS: "\(folder) may not be written to"
      default: "\(folder) cannot be written to (system error \(number))"
      }
    return refusal(
      of: path,
      "too long to be kept in memory, and \(reason); save it as a file, or set TMPDIR to a folder with room",
      .fileNotFound)
  }
}
