import Glibc
import ThrumEngine
import ThrumPattern

/// The profile that was set last, for the next start: a file of one word.
struct RememberedProfile {
  private let file: FileName?

  /// `$XDG_STATE_HOME/thrum/profile`, else `~/.local/state/thrum/profile`; nowhere without either.
  init() {
    if let folder = fileName(inEnvironment: "XDG_STATE_HOME"), folder.bytes.first == UInt8(ascii: "/") {
      file = folder.appending("thrum/profile")
    } else {
      file = fileName(inEnvironment: "HOME")?.appending(".local/state/thrum/profile")
    }
  }

  /// The profile; nil where none is remembered, or what is there is none.
  var profile: FeedbackProfile? {
    guard let file else { return nil }
    do throws(CommandError) {
      let word = try Configuration.contents(of: file, noun: "profile") ?? ""
      return FeedbackProfile(rawValue: word.hasSuffix("\n") ? String(word.dropLast()) : word)
    } catch {
      // What cannot be read is not remembered.
      return nil
    }
  }

  /// Remembers a profile; whoever reads the file finds this one whole or the one before.
  /// - Returns: Why it could not be.
  func remember(_ profile: FeedbackProfile) -> String? {
    guard let file else { return nil }
    makeFolders(file.folder)
    let draft = FileName(bytes: file.bytes + Array(".new".utf8))
    let descriptor = draft.withPath { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { return "\(draft): \(errorText(errno))" }
    let text = profile.rawValue + "\n"
    let isWritten = write(descriptor, text, text.utf8.count) == text.utf8.count && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWritten else { return "\(draft): \(errorText(code))" }
    let isMoved = draft.withPath { draft in file.withPath { rename(draft, $0) } } == 0
    return isMoved ? nil : "\(file): \(errorText(errno))"
  }

  /// Makes a folder and those on the way to it; one that cannot be made is told of by who wants to use it.
  private func makeFolders(_ folder: FileName) {
    if folder.withPath({ mkdir($0, 0o700) }) == 0 || errno != ENOENT || folder == folder.folder { return }
    makeFolders(folder.folder)
    folder.withPath { path in if mkdir(path, 0o700) != 0 { return } }
  }
}
