// One input of a libFuzzer run over the AHAP codec; Tests/Fuzz/run builds it together with the sources of
// ThrumPattern.

/// Decodes any bytes: they are refused with a place and a code, or give a pattern that survives being written
/// and read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAHAP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let report = AHAPDecoder.check(bytes, file: "fuzz")
  expectPlaced(report.diagnostics, in: bytes)
  expectSameInParts(report, bytes)
  do throws(Diagnostic) {
    let result = try AHAPDecoder.decode(bytes, file: "fuzz")
    precondition(report.pattern == result.pattern, "check and decode give different patterns")
    precondition(report.diagnostics == result.diagnostics, "check and decode give different remarks")
    expectInRange(result.pattern)
    expectRoundTrip(result.pattern)
  } catch {
    precondition(report.pattern == nil, "check accepts what decode refuses")
    precondition(error.severity == .error && error.code != nil, "a refusal without a code")
    precondition(report.diagnostics.contains { $0.severity == .error }, "check lists no error")
    expectPlaced([error], in: bytes)
  }
  return 0
}

/// Bytes that come in pieces, as long as their last byte says.
private final class Pieces: TextSource {
  private let bytes: UnsafeRawBufferPointer
  private let length: Int
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    length = Int(bytes.last ?? 0) + 1
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = read(at: position, into: buffer)
    position += count
    return count
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = max(0, min(buffer.count, bytes.count - offset, length))
    buffer.copyBytes(from: UnsafeRawBufferPointer(rebasing: bytes[min(offset, bytes.count)...].prefix(count)))
    return count
  }
}

/// A text that is held a part at a time says and gives the same.
private func expectSameInParts(_ whole: AHAPDecoder.Report, _ bytes: UnsafeRawBufferPointer) {
  let report = AHAPDecoder.check(TextFeed(Pieces(bytes), capacity: 64), file: "fuzz")
  precondition(report.pattern == whole.pattern, "a text in parts gives another pattern")
  precondition(report.diagnostics == whole.diagnostics, "a text in parts gives other remarks")
}

private func expectPlaced(_ diagnostics: [Diagnostic], in bytes: UnsafeRawBufferPointer) {
  precondition(
    diagnostics.count <= RemarkKind.allCases.count * (RemarkKind.limit + 1) + 1, "too many remarks")
  guard !diagnostics.isEmpty else { return }
  let lines = bytes.reduce(into: 1) { $0 += $1 == 0x0A || $1 == 0x0D ? 1 : 0 }
  var last = Diagnostic.Position(line: 1, column: 1)
  for diagnostic in diagnostics {
    guard let position = diagnostic.position else { preconditionFailure("a remark without a place") }
    precondition((1...lines).contains(position.line), "a line that the file does not have")
    precondition((1...bytes.count + 1).contains(position.column), "a column that the file does not have")
    precondition((last.line, last.column) <= (position.line, position.column), "remarks out of order")
    let text = diagnostic.description
    precondition(!diagnostic.message.isEmpty && text.utf8.count < 4096, "an odd message")
    precondition(text.utf8.allSatisfy { $0 >= 0x20 }, "a control character in a message")
    last = position
  }
}

private func expectInRange(_ pattern: Pattern) {
  for entry in pattern.entries {
    switch entry {
    case .event(let event):
      expectTime(event.time)
      precondition((event.duration ?? 0) >= 0 && (event.duration ?? 0).isFinite, "a duration out of range")
      for id in EventParameterID.allCases {
        guard let value = event.parameters[id] else { continue }
        precondition(id.range.contains(value), "an event parameter out of range")
      }
    case .parameter(let parameter):
      expectTime(parameter.time)
      precondition(parameter.id.range.contains(parameter.value), "a parameter out of range")
    case .curve(let curve):
      expectTime(curve.time)
      var last = 0.0
      for point in curve.points {
        expectTime(point.time)
        precondition(point.time >= last, "control points out of order")
        precondition(curve.id.range.contains(point.value), "a control point out of range")
        last = point.time
      }
    }
  }
}

private func expectTime(_ time: Double) {
  precondition(time >= 0 && time <= AHAPReader.lastTime && time.sign == .plus, "a time out of range")
}

private func expectRoundTrip(_ pattern: Pattern) {
  let text = AHAPEncoder.encode(pattern)
  text.withUnsafeBytes { bytes in
    do throws(Diagnostic) {
      let again = try AHAPDecoder.decode(bytes, file: "encoded").pattern
      precondition(again == pattern, "the written pattern reads back different")
      precondition(AHAPEncoder.encode(again) == text, "the text changes with every round")
    } catch {
      preconditionFailure("the written pattern is refused: \(error)")
    }
  }
}
