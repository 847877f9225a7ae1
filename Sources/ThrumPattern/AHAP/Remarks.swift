/// What a remark on a file is about; of each kind only the first few are kept.
enum RemarkKind: Int, CaseIterable {
  case error, unknownKey, repeated, missingEntry, outOfRange, noEffect, duration, sound, curve, reach, text,
    version

  /// How many of the kind are listed one by one, so that a file of a million oddities stays readable and
  /// small.
  static let limit = 20
}

/// The remarks on one file, each with its place.
struct Remarks {
  private struct Remark {
    var offset: Int
    var diagnostic: Diagnostic
  }

  private let file: String
  private var kept: [Remark] = []
  private var counts = [Int](repeating: 0, count: RemarkKind.allCases.count)
  private var firstDropped = [(offset: Int, severity: Diagnostic.Severity)?](
    repeating: nil, count: RemarkKind.allCases.count)
  /// Whether an error is among them.
  private(set) var hasError = false
  /// Goes up with each remark, kept or not.
  private(set) var revision = 0

  /// No remarks yet.
  /// - Parameter file: The name to give in diagnostics.
  init(file: String) { self.file = file }

  /// Whether a remark of a kind is still kept; where not, it is counted here, so that nobody writes its
  /// message.
  mutating func keeps(_ kind: RemarkKind, _ severity: Diagnostic.Severity, at offset: Int) -> Bool {
    let index = kind.rawValue
    revision += 1
    counts[index] += 1
    if severity == .error { hasError = true }
    if counts[index] <= RemarkKind.limit { return true }
    if firstDropped[index] == nil { firstDropped[index] = (offset, severity) }
    return false
  }

  /// Adds a remark that ``keeps(_:_:at:)`` has let through.
  mutating func add(
    _ severity: Diagnostic.Severity, at offset: Int, keyPath: String, _ message: String,
    code: PatternErrorCode? = nil
  ) {
    revision += 1
    let diagnostic = Diagnostic(
      severity: severity, code: code, file: file, keyPath: keyPath, message: message)
    if severity == .error { hasError = true }
    kept.append(Remark(offset: offset, diagnostic: diagnostic))
  }

  /// All remarks in the order of the file, with lines and columns, and one line for those of a kind left out.
  /// - Parameter text: Lends the file, without a byte order mark, from a place on.
  func placed(in text: (Int) -> UnsafeRawBufferPointer) -> [Diagnostic] {
    var all = kept
    for (index, dropped) in firstDropped.enumerated() {
      guard let dropped else { continue }
      let count = counts[index] - RemarkKind.limit
      let message = "from here on \(count) more like the \(RemarkKind.limit) above; they are not listed"
      all.append(
        Remark(
          offset: dropped.offset,
          diagnostic: Diagnostic(severity: dropped.severity, file: file, message: message)))
    }
    // Stable by hand: equal offsets keep the order in which they were found.
    let order = all.indices.sorted { (all[$0].offset, $0) < (all[$1].offset, $1) }
    return withoutActuallyEscaping(text) { text in
      var lines = LineCounter(text)
      return order.map { index in
        var diagnostic = all[index].diagnostic
        diagnostic.position = lines.position(of: all[index].offset)
        return diagnostic
      }
    }
  }
}

/// Turns byte offsets, asked for in rising order, into lines and columns in one pass.
struct LineCounter {
  private let text: (Int) -> UnsafeRawBufferPointer
  // The part of the text that is looked at, and its place.
  private var part = UnsafeRawBufferPointer(start: nil, count: 0)
  private var partStart = 0
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  /// Begins at the first line.
  /// - Parameter text: Lends the text from a place on, at least a byte of it but at its end.
  init(_ text: @escaping (Int) -> UnsafeRawBufferPointer) { self.text = text }

  /// The place of a byte not before the one asked for last. LF, CR LF and a lone CR all end a line.
  mutating func position(of target: Int) -> Diagnostic.Position {
    while offset < target, let byte = byte(at: offset) {
      offset += 1
      if byte == 0x0A || byte == 0x0D && self.byte(at: offset) != 0x0A {
        line += 1
        lineStart = offset
      }
    }
    return Diagnostic.Position(line: line, column: min(target, offset) - lineStart + 1)
  }

  @inline(__always)
  private mutating func byte(at index: Int) -> UInt8? {
    if index - partStart >= part.count {
      part = text(index)
      partStart = index
      if part.isEmpty { return nil }
    }
    return part[index - partStart]
  }
}
