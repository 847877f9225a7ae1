/// Bytes that take the place of others.
struct Splice: Equatable {
  /// The bytes that go.
  var range: Range<Int>
  /// Those that come.
  var bytes: [UInt8]

  init(_ range: Range<Int>, _ bytes: [UInt8]) {
    self.range = range
    self.bytes = bytes
  }

  /// The shortest single splice from one text to another; nil where they are the same.
  /// - Parameter offset: Where the first text begins in the one that is to be spliced.
  init?(from old: [UInt8], to new: [UInt8], at offset: Int = 0) {
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    if head == old.count, head == new.count { return nil }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    self.init(offset + head..<offset + old.count - tail, Array(new[head..<new.count - tail]))
  }
}
