/// Reads one AHAP text, in one pass, whatever the order of its keys.
///
/// It follows the shape of the format in a fixed number of calls, so that no input can make it go deep;
/// values that the format does not know are passed over by the scanner. What is wrong with a meaning is
/// refused through ``refuse(_:at:_:)``, which either ends the reading or, where all errors are asked for,
/// goes on.
struct AHAPReader {
  /// Where in the format the reader is, for key paths.
  struct Place {
    /// The index in `Pattern`, nil outside it.
    var entry: Int?
    /// The kind of the entry, nil before it is known.
    var container: AHAPKey?
    /// The index in `EventParameters` or `ParameterCurveControlPoints`, nil outside them.
    var item: Int?
    /// The key whose value is read.
    var key: AHAPKey?
    /// The key as written, where the format does not know it.
    var unknown: ScannedText?
  }

  /// The state of an object's members.
  struct Members {
    var isFirst = true
    /// The bits of the keys met.
    var seen: UInt32 = 0

    /// Whether a key has been met.
    func has(_ key: AHAPKey) -> Bool { seen & key.bit != 0 }
  }

  var scanner: ByteScanner
  /// Where the text goes on behind what the scanner has; nil where it has all.
  let feed: TextFeed?
  /// Whether a list of entries has been met: from there on the reader itself sees to what is held.
  private var hasMetList = false
  var remarks: Remarks
  var place = Place()
  /// Whether errors of meaning are listed instead of ending the reading.
  let collectsErrors: Bool
  var pattern = Pattern()
  /// Takes the place of a curve's points while they are read, so that the curve's own array has the right
  /// size.
  var points: [ParameterCurve.Point] = []
  /// Where the value of each of them stands.
  var pointValues: [Range<Int>] = []
  /// Where each control of the pattern takes effect.
  var controls: [ControlStart] = []
  /// Looks for the sound files.
  var sounds: SoundLookup

  /// Begins at the first byte.
  init(
    _ bytes: UnsafeRawBufferPointer, feed: TextFeed? = nil, file: String, soundFolder: FileName?,
    collectsErrors: Bool
  ) {
    scanner = ByteScanner(bytes)
    self.feed = feed
    remarks = Remarks(file: file)
    sounds = SoundLookup(folder: soundFolder)
    self.collectsErrors = collectsErrors
  }

  // MARK: - The top level

  /// Reads the whole text into ``pattern``; what ends the reading is a remark.
  /// - Returns: Whether all that is held was read, so that it may have to be read again with more.
  @discardableResult
  mutating func readAll() -> Bool {
    do throws(Fault) {
      try read()
      return mayBeOfEnd(.success(true)) && !hasMetList
    } catch {
      remarks.add(.error, at: error.offset, keyPath: keyPath, error.message, code: error.code)
      return mayBeOfEnd(.failure(error)) && !hasMetList
    }
  }

  private mutating func read() throws(Fault) {
    scanner.skipSpace()
    guard scanner.at < scanner.end else {
      let found = scanner.end == 0 ? "the file is empty" : "the file holds only space"
      throw .syntax(at: 0, "\(found); an AHAP file is an object with a `Pattern` list")
    }
    let start = scanner.at
    guard scanner.byte == .openBrace else {
      try wrongType("an object with a `Pattern` list")
      try readEnd()
      return
    }
    scanner.at += 1
    var members = Members()
    while let key = try nextKey(of: .top, &members) {
      switch key {
      case .version: try readVersion()
      case .pattern: try readEntries()
      default: try scanner.skipValue()
      }
    }
    place = Place()
    try readEnd()
    if !members.has(.pattern) {
      try refuse(.invalidPatternDictionary, at: start) { _ in
        "no `Pattern`; a list of events and curves is needed"
      }
    }
    finish()
  }

  private mutating func readEnd() throws(Fault) {
    scanner.skipSpace()
    guard scanner.at == scanner.end else {
      let found = scanner.excerpt(scanner.at..<scanner.end)
      throw .syntax(at: scanner.at, "found `\(found)` after the end; one object is the whole file")
    }
  }

  private mutating func readVersion() throws(Fault) {
    let start = scanner.at
    // Nothing that can be felt depends on the version, so a strange one is no reason to refuse a file.
    guard scanner.byte == UInt8(ascii: "-") || scanner.byte.isDigit else {
      try scanner.skipValue()
      let found = described(start..<scanner.at)
      remark(.warning, .version, at: start) { _ in
        "found \(found); the version is a number such as 1.0, ignored"
      }
      return
    }
    let version = try scanner.number()
    guard version.isFinite else {
      remark(.warning, .version, at: start) { _ in "too large for a number; ignored" }
      return
    }
    pattern.version = version + 0
    if version > 1 {
      remark(.note, .version, at: start) { reader in
        "version \(reader.scanner.excerpt(start..<reader.scanner.at)) is newer than 1.0; "
          + "keys that this version of the format does not have are skipped"
      }
    }
  }

  // MARK: - The pattern

  private mutating func readEntries() throws(Fault) {
    // A second `Pattern` replaces the first.
    pattern.entries.removeAll()
    controls.removeAll(keepingCapacity: true)
    guard scanner.byte == .openBracket else { return try wrongType("a list of entries, `[…]`,") }
    scanner.at += 1
    hasMetList = true
    var index = 0
    if feed == nil {
      while try readNextEntry(index) { index += 1 }
    } else {
      var retreat = Retreat()
      while try readNextEntryOfFeed(index, &retreat) { index += 1 }
      holdRest()
    }
    place = Place(key: .pattern)
  }

  /// Reads the next entry.
  /// - Returns: Whether there was one.
  @inline(__always)
  mutating func readNextEntry(_ index: Int) throws(Fault) -> Bool {
    guard try scanner.nextMember(before: .closeBracket, isFirst: index == 0) else { return false }
    place = Place(entry: index)
    try readEntry()
    return true
  }

  /// Reads one entry: one key as a rule, but where there are several they all count.
  private mutating func readEntry() throws(Fault) {
    let start = scanner.at
    guard scanner.byte == .openBrace else {
      return try wrongType("an object with `Event`, `Parameter` or `ParameterCurve`")
    }
    scanner.at += 1
    var members = Members()
    // Where an entry's values stand, so that a repeated key can replace what the earlier one gave.
    var standing: [(key: AHAPKey, count: Int)] = []
    var known = 0
    while let key = try nextKey(of: .entry, &members) {
      if standing.contains(where: { $0.key == key }) { dropEntry(of: key, &standing) } else { known += 1 }
      let count = pattern.entries.count
      place.container = key
      place.key = nil
      switch key {
      case .event: try readEvent()
      case .parameter: try readParameter()
      default: try readCurve()
      }
      place = Place(entry: place.entry)
      standing.append((key, pattern.entries.count - count))
    }
    place = Place(entry: place.entry)
    if known == 0, members.isFirst {
      remark(.warning, .noEffect, at: start) { _ in "an entry with nothing in it" }
    }
    if known > 1 {
      remark(.note, .repeated, at: start) { _ in "one entry holds \(known) kinds; all of them count" }
    }
  }

  /// Takes back what an earlier key of the same entry gave.
  private mutating func dropEntry(of key: AHAPKey, _ standing: inout [(key: AHAPKey, count: Int)]) {
    guard let position = standing.firstIndex(where: { $0.key == key }) else { return }
    let dropped = standing.remove(at: position)
    guard dropped.count > 0 else { return }
    let later = standing[position...].reduce(0) { $0 + $1.count }
    let index = pattern.entries.count - later - 1
    pattern.entries.remove(at: index)
    // Only controls of this entry can stand at or behind the index, and they are the last.
    var control = controls.count - 1
    while control >= 0, controls[control].entry >= index {
      if controls[control].entry == index {
        controls.remove(at: control)
      } else {
        controls[control].entry -= 1
      }
      control -= 1
    }
  }

  // MARK: - Members

  /// Passes over everything up to the value of the next key that the object can have.
  /// - Returns: nil where the object ends.
  @inline(__always)
  mutating func nextKey(of object: AHAPObject, _ members: inout Members) throws(Fault) -> AHAPKey? {
    while try scanner.nextMember(before: .closeBrace, isFirst: members.isFirst) {
      members.isFirst = false
      guard scanner.byte == .quote else { throw scanner.unexpected("a key in double quotes") }
      let text = try scanner.text()
      let key = scanner.withBytes(of: text) { AHAPKey(spelled: $0) }
      place.key = key
      try scanner.colon()
      if object.keySet & key.bit != 0 {
        if members.seen & key.bit != 0 { remarkRepeated(text) }
        members.seen |= key.bit
        return key
      }
      try skipUnknown(text, in: object)
    }
    return nil
  }

  private mutating func remarkRepeated(_ key: ScannedText) {
    remark(.warning, .repeated, at: key.range.lowerBound - 1) { _ in
      "this key comes twice; the last one counts"
    }
  }

  /// Passes over a member that the object does not have, with a word on what it looks like.
  private mutating func skipUnknown(_ key: ScannedText, in object: AHAPObject) throws(Fault) {
    place.unknown = key
    try scanner.skipValue()
    // At the top level tools keep members of their own; in the pattern an unknown key is most often a slip.
    let severity: Diagnostic.Severity = object == .top ? .note : .warning
    remark(severity, .unknownKey, at: key.range.lowerBound - 1) { reader in
      let names = object.keys.map { "\($0.name)" }
      let meant = suggestion(for: reader.scanner.string(key), among: names)
      let hint = meant.map { "; did you mean `\($0)`?" } ?? ""
      return "not a key of \(object.noun), skipped\(hint)"
    }
    if !scanner.isUTF8(key) { remarkNotUTF8(at: key.range.lowerBound - 1) }
    place.unknown = nil
  }
}
