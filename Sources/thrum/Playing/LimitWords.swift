import ThrumEngine

extension LimitedFrames {
  /// What was turned down and by what, for a note; a frame may have several reasons.
  /// - Parameter total: The frames in which anything was turned down, sound included.
  func words(of total: Int) -> String {
    let kinds = [("heat", thermal), ("excursion", excursion), ("peak", peak)].filter { $0.1 > 0 }
    let frames = "\(NumberText.count(total, "frame")) limited"
    if kinds.isEmpty { return frames }
    return frames + " (" + kinds.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + ")"
  }

  /// For a script.
  var json: JSONValue {
    .object([("thermal", .count(thermal)), ("excursion", .count(excursion)), ("peak", .count(peak))])
  }
}
