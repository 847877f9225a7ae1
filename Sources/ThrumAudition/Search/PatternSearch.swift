/// Finds names by a few letters of them, the best first.
///
/// Case does not matter, and the words of a query may come in any order; each must be in the name, whole or
/// letter by letter with others between. A name that is the query comes before one that begins with it, then
/// one in which a word begins with it, then one that has it anywhere, then one that has only its letters in
/// order; shorter names first among equals, then the order that was given.
public enum PatternSearch {
  /// A name that was found.
  public struct Match: Sendable, Equatable {
    /// The position of the name in the list that was searched.
    public var index: Int
    /// How well it fits; the greater the better, and comparable within one search only.
    public var score: Int
    /// The characters of the name that were found, counted from its beginning, in order; to be set off when
    /// drawn.
    public var characters: [Int]
  }

  /// Finds the names that a query fits.
  /// - Parameters:
  ///   - query: Words with space between them; all names are found, in their order, where there are none.
  ///   - names: The names to look through.
  ///
  /// Threads: any. Real-time: no.
  public static func matches(_ query: String, in names: [String]) -> [Match] {
    let words = query.split(whereSeparator: \.isWhitespace).map { folded(String($0)) }
    if words.isEmpty { return names.indices.map { Match(index: $0, score: 0, characters: []) } }
    var found: [(match: Match, length: Int)] = []
    for (index, name) in names.enumerated() {
      let letters = folded(name)
      guard let match = match(words, in: letters, at: index) else { continue }
      found.append((match, letters.count))
    }
    found.sort {
      ($1.match.score, $0.length, $0.match.index) < ($0.match.score, $1.length, $1.match.index)
    }
    return found.map(\.match)
  }

  private static func match(_ words: [[Character]], in name: [Character], at index: Int) -> Match? {
    var score = 0
    var characters: Set<Int> = []
    for word in words {
      guard let place = substring(word, in: name) ?? letters(word, in: name) else { return nil }
      score += place.score
      characters.formUnion(place.characters)
    }
    return Match(index: index, score: score, characters: characters.sorted())
  }

  private static func substring(_ word: [Character], in name: [Character]) -> (score: Int, characters: [Int])?
  {
    guard word.count <= name.count else { return nil }
    var best: (score: Int, start: Int)?
    for start in 0...(name.count - word.count)
    where name[start..<start + word.count].elementsEqual(word) {
      let score =
        if start == 0 {
          word.count == name.count ? 1000 : 800
        } else {
          begins(at: start, in: name) ? 600 : 400
        }
      if best.map({ $0.score < score }) ?? true { best = (score, start) }
    }
    return best.map { ($0.score, Array($0.start..<$0.start + word.count)) }
  }

  /// The letters in order with others between; runs and beginnings of words count for more.
  private static func letters(_ word: [Character], in name: [Character]) -> (score: Int, characters: [Int])? {
    var places: [Int] = []
    var score = 0
    var next = 0
    for letter in word {
      guard let place = name[next...].firstIndex(of: letter) else { return nil }
      if place > 0, places.last == place - 1 { score += 10 }
      if begins(at: place, in: name) { score += 8 }
      places.append(place)
      next = place + 1
    }
    return (min(score, 399), places)
  }

  /// Whether a word of the name begins at a place.
  private static func begins(at place: Int, in name: [Character]) -> Bool {
    place == 0 || !(name[place - 1].isLetter || name[place - 1].isNumber)
  }

  /// The characters of a text in lower case, as many as it has.
  private static func folded(_ text: String) -> [Character] {
    // A letter whose lower case is longer keeps its place through its first character.
    text.map { $0.lowercased().first ?? $0 }
  }
}
