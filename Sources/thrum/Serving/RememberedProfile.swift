/// The profile that was set last, for the next start: a file of one word, `thrum/profile` of the folder of states.
struct RememberedProfile {
  private let file = StateFile("profile")

  /// The profile; nil where none is remembered, or what is there is none.
  var profile: FeedbackProfile? {
    let word = file.text("profile")
    return FeedbackProfile(rawValue: word.hasSuffix("\n") ? String(word.dropLast()) : word)
  }

  /// Remembers a profile; whoever reads the file finds this one whole or the one before.
  /// - Returns: Why it could not be.
  func remember(_ profile: FeedbackProfile) -> String? { file.write(profile.rawValue + "\n") }
}
