import Glibc
import ThrumPattern

extension FileName {
  /// Whether this name leads to something.
  var leadsSomewhere: Bool { withPath { access($0, F_OK) } == 0 }

  /// Whether something is there by this name, be it a link to nothing.
  var isThere: Bool {
    var status = stat()
    return withPath { lstat($0, &status) } == 0
  }
}

/// The process's environment.
enum ProcessEnvironment {
  /// All of it, as text.
  static var values: [String: String] {
    var values: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        values[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return values
  }

  /// What the running program is called: the last part of its path.
  static var programName: String {
    let path = CommandLine.arguments.first ?? ""
    return String(path.split(separator: "/").last ?? "")
  }
}
