import Foundation

/// A locale whose decimal mark is a comma: the system's where it has one, else one that is made for the test.
final class CommaLocale {
  /// What to add to a process's environment.
  let environment: [String: String]
  private let folder: TemporaryFolder?

  /// Finds or makes it; nil, with a line that says what is skipped, where neither can be done.
  init?() throws {
    for name in ["de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"] where Self.exists(name) {
      environment = ["LC_ALL": name]
      folder = nil
      return
    }
    let folder = try TemporaryFolder()
    let made = try ThrumProcess(
      ["-i", "de_DE", "-f", "UTF-8", folder.path("de_DE.UTF-8")], program: "/usr/bin/localedef")
    // localedef says 1 when it had something to warn of, and has made the locale all the same.
    guard try made.wait().status <= 1, FileManager.default.fileExists(atPath: folder.path("de_DE.UTF-8"))
    else {
      print("skipped: decimal-comma-locale: no locale with a decimal comma, and localedef cannot make one")
      return nil
    }
    environment = ["LC_ALL": "de_DE.UTF-8", "LOCPATH": folder.path("")]
    self.folder = folder
  }

  private static func exists(_ name: String) -> Bool {
    // LC_ALL_MASK, a macro that Swift does not see: every category.
    let everything: Int32 = 0x1FBF
    guard let locale = newlocale(everything, name, nil) else { return false }
    freelocale(locale)
    return true
  }
}
