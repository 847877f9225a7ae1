/// The address of a message, which may stand for several: `?` is any sign, `*` any signs, `[a-c]` one of those, `[!a-c]`
/// one of the others, `{on,off}` one of the words; none of them reaches over a `/`.
///
/// The work is at most the product of both lengths, whatever the pattern.
public enum OSCAddressPattern {
  /// Whether a pattern means an address. A pattern that is no pattern (a bracket or brace without its end) means none.
  public static func matches(_ pattern: String, _ address: String) -> Bool {
    let pattern = Array(pattern.utf8)
    let address = Array(address.utf8)
    // The places in the address that can be reached by the part of the pattern read so far.
    var places = [Bool](repeating: false, count: address.count + 1)
    places[0] = true
    var index = 0
    while index < pattern.count {
      guard let next = step(pattern, &index, address, places) else { return false }
      places = next
    }
    return places[address.count]
  }

  /// Reads one element of the pattern; nil where it has no end.
  private static func step(
    _ pattern: [UInt8], _ index: inout Int, _ address: [UInt8], _ places: [Bool]
  ) -> [Bool]? {
    let sign = pattern[index]
    index += 1
    switch sign {
    case UInt8(ascii: "*"):
      var next = places
      for place in address.indices where next[place] && address[place] != slash { next[place + 1] = true }
      return next
    case UInt8(ascii: "?"):
      return advanced(places, address) { $0 != slash }
    case UInt8(ascii: "["):
      guard let end = pattern[index...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let set = pattern[index..<end]
      index = end + 1
      return advanced(places, address) { $0 != slash && isIn(set, $0) }
    case UInt8(ascii: "{"):
      guard let end = pattern[index...].firstIndex(of: UInt8(ascii: "}")) else { return nil }
      let words = pattern[index..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      index = end + 1
      var next = [Bool](repeating: false, count: places.count)
      for word in words where !word.contains(slash) {
        for place in places.indices where places[place] && address[place...].starts(with: word) {
          next[place + word.count] = true
        }
      }
      return next
    default:
      return advanced(places, address) { $0 == sign }
    }
  }

  private static let slash = UInt8(ascii: "/")

  private static func advanced(
    _ places: [Bool], _ address: [UInt8], _ isMeant: (UInt8) -> Bool
  ) -> [Bool] {
    var next = [Bool](repeating: false, count: places.count)
    for place in address.indices where places[place] && isMeant(address[place]) { next[place + 1] = true }
    return next
  }

  /// Whether a set between brackets holds a sign; a `-` at its begin or end stands for itself.
  private static func isIn(_ set: ArraySlice<UInt8>, _ sign: UInt8) -> Bool {
    let isNegated = set.first == UInt8(ascii: "!")
    var rest = isNegated ? set.dropFirst() : set
    var isFound = false
    while let low = rest.popFirst() {
      if rest.count >= 2, rest.first == UInt8(ascii: "-") {
        let high = rest[rest.startIndex + 1]
        isFound = isFound || (min(low, high)...max(low, high)).contains(sign)
        rest = rest.dropFirst(2)
      } else {
        isFound = isFound || low == sign
      }
    }
    return isFound != isNegated
  }
}
