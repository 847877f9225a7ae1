import ThrumPattern

/// A file in a library; it may have gone, or not be there yet.
struct PatternItem: Sendable, Hashable {
  /// Its path, as it was given or found.
  let path: FileName
  /// What a person knows it by: its path from the folder that was given, fit to be printed.
  let name: String
}

/// What happened to the files of a library.
enum LibraryNews: Sendable {
  /// A file has come.
  case added(PatternItem)
  /// A file has gone, and has not come back at once as with an editor that saves.
  case removed(PatternItem)
  /// A file that is chosen was read: when it was chosen, and after each save.
  case changed(PatternItem, NamedPattern)
  /// A file that is chosen cannot be read, and it was not that its save was under way. What was read before holds.
  case mistaken(PatternItem, [Diagnostic])
  /// A line worth a moment, such as a folder that cannot be watched.
  case notice(String)
}
