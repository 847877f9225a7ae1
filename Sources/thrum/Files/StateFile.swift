import Glibc
import ThrumEngine
import ThrumPattern

/// A small file in which something is remembered for the next start.
struct StateFile {
  private let path: FileName?

  /// `$XDG_STATE_HOME/thrum`, else `~/.local/state/thrum`; nil without either.
  static var folder: FileName? {
    // By its specification a relative one counts as none.
    if let base = fileName(inEnvironment: "XDG_STATE_HOME"), base.bytes.first == UInt8(ascii: "/") {
      return base.appending("thrum")
    }
    return fileName(inEnvironment: "HOME")?.appending(".local/state/thrum")
  }

  /// The file of a name in ``folder``; nowhere without one.
  init(_ name: String) { path = Self.folder?.appending(FileName(name)) }

  /// A file that somebody has named.
  init(path: FileName) { self.path = path }

  /// Whether there is such a file.
  var exists: Bool { path?.withPath { access($0, F_OK) } == 0 }

  /// What is in it; empty where there is nothing, or nothing that can be read.
  /// - Parameter noun: What the file is.
  func text(_ noun: String) -> String {
    guard let path else { return "" }
    do throws(CommandError) {
      return try Configuration.contents(of: path, noun: noun) ?? ""
    } catch {
      // What cannot be read is not remembered.
      return ""
    }
  }

  /// Writes it anew; whoever reads it finds this text whole or the one before.
  /// - Returns: Why it could not be.
  func write(_ text: String) -> String? {
    guard let path else { return nil }
    makeFolders(path.folder)
    let draft = FileName(bytes: path.bytes + Array(".new".utf8))
    let descriptor = draft.withPath { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { return "\(draft): \(errorText(errno))" }
    var text = text
    var code = text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    close(descriptor)
    guard code == 0 else { return "\(draft): \(errorText(code))" }
    let isMoved = draft.withPath { draft in path.withPath { rename(draft, $0) } } == 0
    return isMoved ? nil : "\(path): \(errorText(errno))"
  }

  /// Makes a folder and those on the way to it; one that cannot be made is told of by who wants to use it.
  private func makeFolders(_ folder: FileName) {
    if folder.withPath({ mkdir($0, 0o700) }) == 0 || errno != ENOENT || folder == folder.folder { return }
    makeFolders(folder.folder)
    folder.withPath { path in if mkdir(path, 0o700) != 0 { return } }
  }
}
