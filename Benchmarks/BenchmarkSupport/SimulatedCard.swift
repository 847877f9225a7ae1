import Glibc

/// The fault card of the tests (docs/fault-card.md) as the device that a benchmark plays on.
public enum SimulatedCard {
  /// What the card is called in ALSA.
  public static let name = "simulated"

  /// Where the card's library should be: beside this program.
  public static var libraryPath: String {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = program.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(folder)/libThrumTestCard.so"
  }

  /// Makes a folder for the card's files, and lets this process find the card. Ends the program, with a line that says
  /// why, where the card has not been built.
  /// - Parameter keys: What the card takes, as in docs/fault-card.md.
  /// - Returns: The folder; with `isLogging`, `frames` and `log` come into it.
  public static func use(keys: String, isLogging: Bool = false) -> String {
    let library = libraryPath
    guard access(library, R_OK) == 0 else {
      print("\(library) is not there: swift build -c release --product ThrumTestCard")
      exit(2)
    }
    var template = Array("/tmp/thrum-benchmark-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      print("no folder in /tmp")
      exit(2)
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let files = isLogging ? "frames \"\(folder)/frames\" log \"\(folder)/log\"" : ""
    let text = """
      </usr/share/alsa/alsa.conf>
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.\(name) { type thrum_test_card \(keys) \(files) }

      """
    guard let file = fopen(folder + "/card", "w"), fputs(text, file) >= 0, fclose(file) == 0,
      setenv("ALSA_CONFIG_PATH", folder + "/card", 1) == 0
    else {
      print("\(folder)/card cannot be written")
      exit(2)
    }
    return folder
  }

  /// Removes what `use` made.
  public static func remove(folder: String) {
    for file in ["card", "frames", "log"] { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }
}
