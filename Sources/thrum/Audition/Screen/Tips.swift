/// Hints for somebody who is here for the first time. Each goes away for good once its key was used, or Esc was pressed.
struct Tips {
  /// A hint, and the commands that show it is not needed any more.
  private struct Tip {
    let name: String
    let words: String
    let commands: Set<KeyCommand>
  }

  private static let all = [
    Tip(
      name: "play", words: "space plays, l loops; every save in your editor is felt at once",
      commands: [.play, .playFromStart]),
    Tip(
      name: "live", words: "i I and s S move intensity and sharpness while it plays",
      commands: [.lessIntensity, .moreIntensity, .lessSharpness, .moreSharpness]),
    Tip(
      name: "touch", words: "t taps and h holds, with the values after \"touch\"",
      commands: [.tap, .hold, .latch]),
    Tip(
      name: "compare", words: "A keeps this version; go on working, and Tab goes from one to the other",
      commands: [.putA, .putB]),
    Tip(name: "edit", words: "e edits the pattern here; u takes back, w saves", commands: [.edit]),
    Tip(name: "help", words: "? shows all keys", commands: [.help]),
  ]

  private var done: Set<String>
  private let file = StateFile("audition-tips")

  /// Reads which tips have done their work.
  init() { done = Set(file.text("tips").split(separator: "\n").map(String.init)) }

  /// The tip of the moment, nil where there is none any more.
  var current: String? { tip?.words }

  private var tip: Tip? { Self.all.first { !done.contains($0.name) } }

  /// Notes that a command was used.
  mutating func note(_ command: KeyCommand?) {
    guard let command else { return }
    let used = Self.all.filter { $0.commands.contains(command) && !done.contains($0.name) }
    if !used.isEmpty { finish(used.map(\.name)) }
  }

  /// Has the tip of the moment go away.
  mutating func dismiss() { if let tip { finish([tip.name]) } }

  private mutating func finish(_ names: [String]) {
    done.formUnion(names)
    // Where nothing can be remembered, the tips come again.
    if file.write(Self.all.map(\.name).filter(done.contains).map { $0 + "\n" }.joined()) != nil { return }
  }
}
