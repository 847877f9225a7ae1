import Glibc
import ThrumJSON

/// Where profiles are found by what a person calls them: the built-in ones, the user's folder, and files.
public struct ActuatorLibrary: Sendable {
  /// Why a name or a file leads to no profile.
  public enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is none of that name; the sentence says which there are.
    case unknown(String)
    /// The file cannot be read: its path, and why.
    case unreadable(path: String, reason: String)
    /// The file is refused.
    case refused(ActuatorProfileError)

    /// One line, or one for each problem of a file.
    public var description: String {
      switch self {
      case .unknown(let sentence): sentence
      case .unreadable(let path, let reason): "\(path): error: \(reason)"
      case .refused(let error): error.description
      }
    }
  }

  /// The folder with the user's profiles, `NAME.json` each; nil for none.
  public var folder: String?

  /// Creates a library.
  /// - Parameter folder: The folder with the user's profiles; default ``standardFolder``.
  public init(folder: String? = ActuatorLibrary.standardFolder) { self.folder = folder }

  /// `$XDG_CONFIG_HOME/thrum/actuators`, else `~/.config/thrum/actuators`; nil without a home.
  public static var standardFolder: String? {
    if let base = environment("XDG_CONFIG_HOME"), base.hasPrefix("/") { return base + "/thrum/actuators" }
    return environment("HOME").map { $0 + "/.config/thrum/actuators" }
  }

  /// Finds a profile.
  /// - Parameters:
  ///   - word: A name, or the path of a file: with a `/` in it or `.json` at its end. `~/` is the home folder.
  ///   - base: What a relative path is relative to; default the working folder.
  /// - Throws: ``Problem``.
  ///
  /// A built-in name is always the built-in profile, whatever the user's folder has.
  ///
  /// Threads: any. Real-time: no, it reads files.
  public func profile(_ word: String, relativeTo base: String? = nil) throws(Problem) -> ActuatorProfile {
    if Self.isPath(word) { return try Self.read(Self.path(word, relativeTo: base)) }
    if let profile = ActuatorProfile.builtIn.first(where: { $0.name == word }) { return profile }
    if ActuatorProfile.isName(word), let path = folder.map({ "\($0)/\(word).json" }), access(path, F_OK) == 0
    {
      return try Self.read(path)
    }
    // Nobody is led to the one profile that protects nothing.
    let advice =
      NearestName.find(word, in: names.filter { $0 != ActuatorProfile.none.name }).map {
        "did you mean \($0)?"
      }
      ?? "there are \(names.joined(separator: ", ")), and files by their path"
    throw .unknown("there is no actuator \"\(word)\"; \(advice)")
  }

  /// The names of the built-in profiles and, behind them, of those in the user's folder.
  public var names: [String] { Self.builtInNames + ownNames }

  /// The names of the built-in profiles.
  public static var builtInNames: [String] { ActuatorProfile.builtIn.map(\.name) }

  /// The names of the profiles in the user's folder, in alphabetical order.
  public var ownNames: [String] {
    guard let folder, let list = opendir(folder) else { return [] }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasSuffix(".json") else { continue }
      let word = String(name.dropLast(5))
      if ActuatorProfile.isName(word), !Self.builtInNames.contains(word) { names.append(word) }
    }
    return names.sorted()
  }

  /// Whether a word is the path of a file rather than a name.
  public static func isPath(_ word: String) -> Bool { word.contains("/") || word.hasSuffix(".json") }

  private static func path(_ word: String, relativeTo base: String?) -> String {
    if word.hasPrefix("~/"), let home = environment("HOME") { return home + word.dropFirst() }
    if word.hasPrefix("/") { return word }
    return base.map { $0 + "/" + word } ?? word
  }

  /// Reads a profile's file.
  /// - Throws: ``Problem``.
  public static func read(_ path: String) throws(Problem) -> ActuatorProfile {
    let bytes = try contents(of: path)
    do throws(ActuatorProfileError) {
      return try ActuatorProfile.read(bytes: bytes, path: path)
    } catch {
      throw .refused(error)
    }
  }

  /// Whether a file is a profile, right or wrong; not for what cannot be read.
  public static func isProfile(_ path: String) -> Bool {
    do throws(Problem) {
      return try ActuatorProfile.isProfile(contents(of: path))
    } catch {
      return false
    }
  }

  /// The bytes of a file, no more than a profile may have and one.
  private static func contents(of path: String) throws(Problem) -> [UInt8] {
    // A pipe would hold up every program for as long as nobody writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      throw .unreadable(path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
      throw .unreadable(path: path, reason: "is no file; a profile is a JSON file")
    }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= ActuatorProfile.mostBytes {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 {
        throw .unreadable(path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
