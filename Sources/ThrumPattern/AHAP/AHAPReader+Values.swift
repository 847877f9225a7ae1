/// The number of frames in a second of the pattern's timeline, for the limits on times only; the schedule's
/// compiler is what turns seconds into frames.
let timelineFramesPerSecond = 8000.0

extension AHAPReader {
  /// The last time that can be told from its neighbours by a whole frame: 2^53 frames.
  static let lastTime = 0x1p53 / timelineFramesPerSecond

  /// Reads a number; nil where something else was found and the reading goes on.
  @inline(__always)
  mutating func readNumber() throws(Fault) -> Double? {
    if scanner.byte.isDigit || scanner.byte == UInt8(ascii: "-") { return try scanner.number() }
    try wrongType("a number without quotes")
    return nil
  }

  /// Reads a time in seconds; nil where it was refused and the reading goes on.
  mutating func readTime() throws(Fault) -> Double? {
    let start = scanner.at
    guard let time = try readNumber() else { return nil }
    guard time >= 0 else {
      try refuse(.invalidEventTime, at: start) { reader in
        "found \(reader.excerpt(from: start)); a time is 0 s or later"
      }
      return nil
    }
    guard time <= Self.lastTime else {
      try refuse(.invalidEventTime, at: start) { reader in
        "found \(reader.excerpt(from: start)); the last possible time is \(Self.lastTime) s"
      }
      return nil
    }
    // -0 becomes 0, so that no sign is left to be printed.
    return time + 0
  }

  /// Reads a duration in seconds; nil where it was refused and the reading goes on.
  mutating func readDuration() throws(Fault) -> Double? {
    let start = scanner.at
    guard let duration = try readNumber() else { return nil }
    guard duration >= 0, duration.isFinite else {
      let right = duration < 0 ? "a duration is 0 s or more" : "the longest possible is 1.7e308 s"
      try refuse(.invalidEventDuration, at: start) { "found \($0.excerpt(from: start)); \(right)" }
      return nil
    }
    return duration + 0
  }

  /// Reads a truth value; 0 and 1 are taken as well, as the dictionary form of the format has them.
  mutating func readTruth() throws(Fault) -> Bool? {
    let start = scanner.at
    if scanner.byte == UInt8(ascii: "0") || scanner.byte == UInt8(ascii: "1") {
      let value = try scanner.number()
      if value == 0 || value == 1 { return value == 1 }
    } else if scanner.byte == UInt8(ascii: "t") || scanner.byte == UInt8(ascii: "f") {
      let value = scanner.byte == UInt8(ascii: "t")
      try scanner.skipValue()
      return value
    }
    scanner.at = start
    try wrongType("true or false")
    return nil
  }

  /// Reads a text; nil where something else was found and the reading goes on.
  mutating func readText() throws(Fault) -> ScannedText? {
    if scanner.byte == .quote { return try scanner.text() }
    try wrongType("a text in double quotes")
    return nil
  }

  /// Reads a list of objects.
  /// - Parameter item: Reads one object; its opening brace has been passed over.
  @inline(__always)
  mutating func readObjects(
    _ wanted: String, _ item: (inout AHAPReader, _ start: Int) throws(Fault) -> Void
  ) throws(Fault) {
    guard scanner.byte == .openBracket else { return try wrongType("a list, `[…]`,") }
    scanner.at += 1
    let outer = place
    var index = 0
    while try scanner.nextMember(before: .closeBracket, isFirst: index == 0) {
      place.item = index
      place.key = nil
      index += 1
      let start = scanner.at
      guard scanner.byte == .openBrace else {
        try wrongType(wanted)
        continue
      }
      scanner.at += 1
      try item(&self, start)
    }
    place = outer
  }

  /// A parameter's value in its range, with a warning where it had to be brought there.
  /// - Parameter value: The value as written, at `range`.
  mutating func clamped(
    _ value: Double, to limits: ClosedRange<Float>, range: Range<Int>, name: String
  ) -> Float {
    // Rounded first, so that 1.00000001 is 1 and no cause for a warning; -0 becomes 0.
    let value = Float(value)
    if limits.contains(value) { return value + 0 }
    let used = value < limits.lowerBound ? limits.lowerBound : limits.upperBound
    place.key = .parameterValue
    remark(.warning, .outOfRange, at: range.lowerBound) { reader in
      let limits = "\(plain(limits.lowerBound)) to \(plain(limits.upperBound))"
      return "found \(reader.scanner.excerpt(range)); \(name) goes from \(limits), so \(plain(used)) is used"
    }
    return used
  }

  // MARK: - Refusals and remarks

  /// Refuses the value that is looked at for its type.
  /// - Parameter wanted: What would be right.
  mutating func wrongType(_ wanted: String) throws(Fault) {
    let start = scanner.at
    // Passing over it tells what is not JSON at all (`NaN`, `.5`) from what is only the wrong kind.
    try scanner.skipValue()
    try refuse(.invalidPatternDictionary, at: start) { reader in
      "found \(reader.described(start..<reader.scanner.at)); \(wanted) is right here"
    }
  }

  /// Refuses a meaning: ends the reading, or lists the error and lets the reading go on behind it.
  mutating func refuse(
    _ code: PatternErrorCode, at offset: Int, _ message: (AHAPReader) -> String
  ) throws(Fault) {
    guard collectsErrors else { throw Fault(code: code, offset: offset, message: message(self)) }
    guard remarks.keeps(.error, .error, at: offset) else { return }
    remarks.add(.error, at: offset, keyPath: keyPath, message(self), code: code)
  }

  /// Adds a warning or a note; the message is written only where it is kept.
  mutating func remark(
    _ severity: Diagnostic.Severity, _ kind: RemarkKind, at offset: Int, _ message: (AHAPReader) -> String
  ) {
    guard remarks.keeps(kind, severity, at: offset) else { return }
    remarks.add(severity, at: offset, keyPath: keyPath, message(self))
  }

  /// Warns of a text that is not UTF-8.
  mutating func remarkNotUTF8(at offset: Int) {
    remark(.warning, .text, at: offset) { _ in "this text is not UTF-8; what cannot be read becomes U+FFFD" }
  }

  /// The value that has just been read, as written.
  func excerpt(from start: Int) -> String { scanner.excerpt(start..<scanner.at) }

  /// A value of the file, in words.
  func described(_ range: Range<Int>) -> String {
    switch scanner.byte(at: range.lowerBound) {
    case .openBrace: "an object"
    case .openBracket: "a list"
    case .quote: "the text \(scanner.excerpt(range))"
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): scanner.excerpt(range)
    default: "the number \(scanner.excerpt(range))"
    }
  }

  /// The path to the place that is read, such as `Pattern[1].Event.EventParameters[0].ParameterValue`.
  var keyPath: String {
    var path: [String] = []
    if let entry = place.entry {
      path.append("Pattern[\(entry)]")
      if let container = place.container { path.append("\(container.name)") }
      if let item = place.item {
        let list: AHAPKey = place.container == .event ? .eventParameters : .parameterCurveControlPoints
        path.append("\(list.name)[\(item)]")
      }
    }
    if let unknown = place.unknown {
      path.append(scanner.excerpt(unknown))
    } else if let key = place.key, key != .unknown {
      path.append("\(key.name)")
    }
    return path.joined(separator: ".")
  }
}

/// A number without a needless `.0`.
func plain(_ value: Float) -> String {
  let text = value.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A number without a needless `.0`.
func plain(_ value: Double) -> String {
  let text = value.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
