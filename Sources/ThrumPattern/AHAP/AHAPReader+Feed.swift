// Entries of a text that is not held whole. What is held ends anywhere, and nothing of the reader knows of that: an entry that
// comes to the end of what is held is taken back, more is held, and it is read again.
extension AHAPReader {
  /// Bytes before the end of what is held in which a mistake may be one of the end: more than any message shows.
  private static let margin = 256

  /// What an entry may have changed when it is taken back.
  struct Retreat {
    private var at = 0
    private var entries = 0
    private var controls = 0
    private var firstTrailingComma: Int?
    // Copied only when a remark has been made since, which is seldom.
    private var remarks: Remarks?

    /// Notes where a reader is.
    mutating func note(_ reader: AHAPReader) {
      at = reader.scanner.at
      entries = reader.pattern.entries.count
      controls = reader.controls.count
      firstTrailingComma = reader.scanner.firstTrailingComma
      if remarks?.revision != reader.remarks.revision { remarks = reader.remarks }
    }

    /// Takes a reader back to where it was, and has more of the text held from there.
    func take(back reader: inout AHAPReader) {
      reader.pattern.entries.truncate(to: entries)
      reader.controls.removeLast(reader.controls.count - controls)
      if let remarks { reader.remarks = remarks }
      reader.scanner.firstTrailingComma = firstTrailingComma
      reader.scanner.at = at
      reader.hold(from: at)
    }
  }

  /// Reads the next entry; holds more of the text where it has to.
  /// - Returns: Whether there was one.
  mutating func readNextEntryOfFeed(_ index: Int, _ retreat: inout Retreat) throws(Fault) -> Bool {
    if feed?.isLow(at: scanner.at) == true { hold(from: scanner.at) }
    retreat.note(self)
    while true {
      var found: Result<Bool, Fault>
      do throws(Fault) {
        found = .success(try readNextEntry(index))
      } catch {
        found = .failure(error)
      }
      guard let feed, !feed.isAtEnd, mayBeOfEnd(found) else { return try found.get() }
      retreat.take(back: &self)
    }
  }

  /// Whether something may have been read otherwise than it would be if the text went on.
  func mayBeOfEnd(_ found: Result<Bool, Fault>) -> Bool {
    // What ends with the last byte may go on.
    guard case .failure(let fault) = found else { return scanner.at == scanner.end }
    return fault.isOfEnd || max(scanner.at, fault.offset) + Self.margin >= scanner.end
  }

  /// Holds more of the text, from a place on.
  private mutating func hold(from offset: Int) {
    guard let feed else { return }
    feed.move(to: offset)
    scanner.continues(in: feed.bytes, from: feed.start)
  }

  /// Holds the rest of the text.
  mutating func holdRest() {
    guard let feed else { return }
    feed.holdRest(from: scanner.at)
    scanner.continues(in: feed.bytes, from: feed.start)
  }
}
