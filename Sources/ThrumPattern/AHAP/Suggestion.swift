/// Finds the name somebody most likely meant.
/// - Parameters:
///   - found: What was written; only its first 64 characters count.
///   - names: What could have been meant, the likelier first.
/// - Returns: The likeliest name, nil where none is near.
func suggestion(for found: String, among names: [String]) -> String? {
  let written = Array(found.prefix(64).lowercased().utf8)
  guard written.count >= 2 else { return nil }
  let candidates = names.map { (name: $0, letters: Array($0.lowercased().utf8)) }
  if let same = candidates.first(where: { $0.letters == written }) { return same.name }

  // A prefix too many or too few: `HapticAttackTime` for AttackTime, `Value` for ParameterValue.
  let nested = candidates.first { ends($0.letters, with: written) || ends(written, with: $0.letters) }
  if let nested { return nested.name }

  let slips = candidates.map { (name: $0.name, distance: editDistance($0.letters, written)) }
  guard let nearest = slips.min(by: { $0.distance < $1.distance }) else { return nil }
  return nearest.distance <= max(1, min(3, written.count / 4)) ? nearest.name : nil
}

private func ends(_ word: [UInt8], with ending: [UInt8]) -> Bool {
  word.count >= ending.count && word.suffix(ending.count).elementsEqual(ending)
}

/// The number of letters to add, drop or change (Levenshtein's distance, one row at a time).
private func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
  var row = Array(0...other.count)
  for (index, letter) in one.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in other.indices {
      let changed = diagonal + (letter == other[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
    }
  }
  return row[other.count]
}
