/// Finds what a person probably meant by a name that does not exist.
public enum NearestName {
  /// The name with the fewest slips of the finger from the given one, nil where none is near.
  public static func find(_ given: String, in names: [String]) -> String? {
    // One slip in three letters still looks like a slip; more is another word.
    let allowance = max(1, given.count / 3)
    return
      names
      .map { (name: $0, distance: distance(Array(given.utf8), Array($0.utf8))) }
      .filter { $0.distance <= allowance }
      .min { $0.distance < $1.distance }?.name
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that lead from one word to another.
  public static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var rows = [Array(0...right.count)]
    for (i, a) in left.enumerated() {
      var row = [i + 1]
      for (j, b) in right.enumerated() {
        var best = min(rows[i][j] + (a == b ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
