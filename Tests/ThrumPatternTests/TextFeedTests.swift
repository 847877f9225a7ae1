import Foundation
import TestSupport
import Testing

@testable import ThrumPattern

/// A text that is held a part at a time is read as if it were held whole, wherever the parts end.
@Suite struct TextFeedTests {
  /// Bytes that come a few at a time.
  final class Trickle: TextSource {
    let bytes: [UInt8]
    private var position = 0
    private var random: SeededGenerator

    init(_ bytes: [UInt8], seed: UInt64) {
      self.bytes = bytes
      random = SeededGenerator(seed: seed)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      let count = min(buffer.count, bytes.count - position, random.whole(in: 1...97))
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
      let count = max(0, min(buffer.count, bytes.count - offset, random.whole(in: 1...97)))
      buffer.copyBytes(from: bytes[min(offset, bytes.count)...].prefix(count))
      return count
    }
  }

  /// Reads a text in parts of several sizes and compares with the whole, errors collected and not.
  private func expectSame(_ bytes: [UInt8], _ name: String, capacities: [Int] = [16, 300, 1000, 4096]) {
    let whole = bytes.withUnsafeBytes { AHAPDecoder.check($0, file: "t") }
    let first = Result { () throws(Diagnostic) in try decode(bytes) }
    for (seed, capacity) in capacities.enumerated() {
      let report = AHAPDecoder.check(
        TextFeed(Trickle(bytes, seed: UInt64(seed)), capacity: capacity), file: "t")
      #expect(report.pattern == whole.pattern, "\(name), \(capacity) bytes")
      #expect(report.diagnostics == whole.diagnostics, "\(name), \(capacity) bytes")
      let result = Result { () throws(Diagnostic) in
        try AHAPDecoder.decode(
          TextFeed(Trickle(bytes, seed: UInt64(seed)), capacity: capacity), file: "t")
      }
      switch (result, first) {
      case (.success(let left), .success(let right)): #expect(left == right, "\(name), \(capacity) bytes")
      case (.failure(let left), .failure(let right)): #expect(left == right, "\(name), \(capacity) bytes")
      default: Issue.record("\(name), \(capacity) bytes: \(result) for \(first)")
      }
    }
  }

  private static let oddities: [String] = [
    "", " ", "\n\n{", "[]", "{}", "12345", "{\"Version\": 1.5}", "\u{FEFF}{\"Pattern\": [\n⟨⟩]}",
    "{\"Pattern\": [], \"Pattern\": [{}, {}]}", "{\"Pattern\": [{},{},],}", "{\"Pattern\": 7}",
    "{\"Metadata\": {\"a\": [[[[1, 2, {\"b\": \"\(String(repeating: "long ", count: 400))\"}]]]]}, \"Pattern\": []}",
    "{\"Pattern\": [], \"Metadata\": \"\(String(repeating: "long ", count: 400))\", \"Buzz\": 0}",
    "{\"Pattern\": [1234567890, \"a text\", null, {\"Event\": 3}, {\"Evnt\": {}}]}",
    "{\"Pattern\": [{\"Event\": {\"EventType\": \"Haptic\\u0054ransient\", \"Time\": -0.5e3}}]}",
    "{\"Pattern\": [\(String(repeating: "\r\n", count: 300)){\"Event\": {\"EventType\": \"Buzz\"}}\(String(repeating: " ", count: 900))]}",
  ]

  @Test func readsOddTexts() {
    for text in Self.oddities { expectSame(Array(text.utf8), text.prefix(60).description) }
  }

  /// Every beginning of a text that has one of everything, and every text with one byte of it changed.
  @Test func readsEveryBeginning() {
    let text = file(
      tap(parameters(("HapticIntensity", "0.5"), ("Sustained", "0.25"))),
      buzz(", \"Extra\": [1, {\"a\": null}]"),
      curve("HapticIntensityControl", at: "0.25", ("0", "9"), ("1", "0.5"), ("0.5", "1e-3")),
      control("HapticSharpnessControl", "-7", at: "3"), buzz(", \"Time\": 2"), "{}",
      "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioCustom\", \"EventWaveformPath\": \"é\\n.wav\"}}")
    let bytes = Array(text.utf8)
    var random = SeededGenerator(seed: 11)
    for count in bytes.indices {
      expectSame(Array(bytes[..<count]), "the first \(count) bytes", capacities: [16, 700])
      var changed = bytes
      changed[count] = random.one(of: Array("\"\\{}[],:0e-\n é".utf8))
      expectSame(changed, "byte \(count) is now \(changed[count])", capacities: [16, 700])
    }
  }

  @Test func readsRandomPatternsWithManyRemarks() {
    for seed in 0..<30 as Range<UInt64> {
      let pattern = RandomPatterns.pattern(seed: seed, withLongEvents: true)
      var text = String(decoding: AHAPEncoder.encode(pattern), as: UTF8.self)
      if seed % 2 == 1 { text = text.replacing("ParameterValue\": 0", with: "ParameterValue\": 70") }
      if seed % 3 == 1 { text = text.replacing("\n", with: seed % 2 == 0 ? "\r\n" : "\r") }
      expectSame(Array(text.utf8), "seed \(seed)")
    }
  }

  @Test func readsTheCorpus() throws {
    var folders = [SharedFiles.packageFolder.appendingPathComponent("patterns")]
    if let corpus = SharedFiles.locate("corpus/ahap", for: "readsTheCorpus") { folders.append(corpus) }
    for folder in folders {
      for name in SharedFiles.patterns(in: folder) {
        let bytes = try SharedFiles.bytes(of: folder.appendingPathComponent(name))
        if bytes.count > 20_000 { continue }
        expectSame(bytes, name, capacities: [64, 2048])
      }
    }
  }

  /// What is held does not grow with the text.
  @Test func holdsAPartOfALongText() {
    let taps = Array(repeating: tap(), count: 5000).joined(separator: ",\n")
    let bytes = Array("{\"Pattern\": [\(taps)]}".utf8)
    let feed = TextFeed(Trickle(bytes, seed: 5), capacity: 2048)
    #expect(AHAPDecoder.check(feed, file: "t").pattern?.entries.count == 5000)
    #expect(feed.bytes.count <= 2048)
    #expect(feed.start > bytes.count - 4096)
  }

  /// A mistake in the middle does not have the rest held, nor is it looked for again and again.
  @Test func aMistakeEndsTheReading() {
    let taps = Array(repeating: tap(), count: 5000).joined(separator: ",\n")
    let bytes = Array("{\"Pattern\": [\(tap()), {\"Event\": nothing}, \(taps)]}".utf8)
    let feed = TextFeed(Trickle(bytes, seed: 6), capacity: 2048)
    #expect(AHAPDecoder.check(feed, file: "t").diagnostics.count == 1)
    #expect(feed.bytes.count <= 2048)
  }
}
