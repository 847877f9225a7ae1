import Glibc

/// Why a picture was not made; nothing is left half-drawn in memory.
public enum PlotError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name ends in neither `.png` nor `.svg`.
  case unknownFormat(path: String)
  /// The file could not be opened, written or closed; the number is `errno`'s.
  case unwritable(path: String, errno: Int32)
  /// The library that draws is not on this machine, or is another than the one expected; the dynamic linker's words.
  case noCairo(reason: String)
  /// Cairo refused; what was asked of it, and its own words.
  case cairo(operation: String, reason: String)
  /// The picture is wider or higher than an image may be (32,767 pixels), or has no area.
  case sizeOutOfRange(width: Double, height: Double)

  /// One sentence that says what went wrong and what would be right.
  public var description: String {
    switch self {
    case .unknownFormat(let path):
      "cannot tell the format of \"\(path)\": use a name that ends in .png or .svg"
    case .unwritable(let path, let errno):
      "cannot write \"\(path)\": \(String(cString: strerror(errno))); \(Self.advice(for: errno, path: path))"
    case .noCairo(let reason):
      "cannot draw the picture: Cairo could not be loaded (\(reason)); "
        + "install it, with apt-get install libcairo2 on Debian and Ubuntu"
    case .cairo(let operation, let reason):
      "cannot draw the picture: Cairo could not \(operation): \(reason)"
    case .sizeOutOfRange(let width, let height):
      "cannot draw a picture of \(decimal(width, places: 0)) by \(decimal(height, places: 0)) pixels: "
        + "use 1 to \(Canvas.largestSide) on each side"
    }
  }

  private static func advice(for code: Int32, path: String) -> String {
    let folder = folderName(of: path)
    switch code {
    case ENOENT: return "make the folder \"\(folder)\" first, or name one that exists"
    case EACCES, EPERM, EROFS:
      return "choose a folder you may write to, or change the rights of \"\(folder)\""
    case EISDIR: return "that is a folder; add a file name, such as \"\(path)/picture.png\""
    case ENOTDIR: return "a part of \"\(folder)\" is a file; name a folder"
    case ENOSPC, EDQUOT: return "free some space, or write to another disk"
    case ENAMETOOLONG: return "use a shorter name"
    default: return "try another path"
    }
  }

  private static func folderName(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
