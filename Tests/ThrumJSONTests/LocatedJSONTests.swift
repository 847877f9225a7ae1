import Testing

@testable import ThrumJSON

@Suite("Settings as JSON")
struct LocatedJSONTests {
  private func parse(_ text: String) throws(LocatedJSON.Fault) -> LocatedJSON {
    try LocatedJSON.parse(Array(text.utf8))
  }

  @Test("Every kind of value is read, with its place")
  func values() throws {
    let text = "{\"a\": [1, -2.5e-1, true, false, null],\n \"b\": {\"c\": \"d\"}}"
    let root = try parse(text)
    #expect(root.offset == 0 && root.kind == "an object" && root.members?.count == 2)
    let list = try #require(root["a"]?.elements)
    #expect(list.map(\.number) == [1, -0.25, nil, nil, nil])
    #expect(list.map(\.flag) == [nil, nil, true, false, nil])
    #expect(list.map(\.kind) == ["a number", "a number", "true or false", "true or false", "null"])
    let inner = try #require(root["b"]?["c"])
    #expect(inner.text == "d" && root["b"]?.members?[0].offset == inner.offset - 5)
    #expect(LocatedJSON.place(of: inner.offset, in: Array(text.utf8)) == (2, 13))
    #expect(root["c"] == nil && list[0]["a"] == nil && root["b"]?.number == nil)
  }

  @Test(
    "Escapes are characters, also those that are written as two",
    arguments: [
      (#""\"\\\/\n\r\t\b\f""#, "\"\\/\n\r\t\u{8}\u{C}"), (#""\u0041\u00e4\u20AC""#, "Aä€"),
      (#""\ud83d\ude00!""#, "😀!"), (#""\u0000""#, "\0"), ("\"ä😀\"", "ä😀"),
    ])
  func escapes(text: String, expected: String) throws {
    #expect(try parse(text).text == expected)
  }

  @Test(
    "Numbers are those of the grammar, whatever the locale",
    arguments: [
      ("0", 0.0), ("-0", -0.0), ("10", 10), ("0.5", 0.5), ("1e3", 1000), ("1E+2", 100), ("25e-1", 2.5),
      ("1e-400", 0), ("12345678901234567890", 12_345_678_901_234_567_168),
    ])
  func numbers(text: String, expected: Double) throws {
    #expect(try parse(text).number == expected)
  }

  @Test(
    "A mistake is told with its place",
    arguments: [
      ("", 0, "the text ends too early; a value belongs here"),
      (" ", 1, "the text ends too early; a value belongs here"),
      ("\0", 0, "a value belongs here"),
      ("nul", 0, "a value belongs here"), ("+1", 0, "a value belongs here"),
      (".5", 0, "a value belongs here"),
      ("01", 0, "a number has no zeros before its digits"),
      ("-012", 0, "a number has no zeros before its digits"),
      ("1.", 2, "the text ends too early; a digit belongs here"), ("-x", 1, "a digit belongs here"),
      ("1e+,", 3, "a digit belongs here"), ("1e400", 0, "the number is too large"),
      ("0x10", 1, "something follows the end of the value"),
      ("{} {}", 3, "something follows the end of the value"),
      ("{\"a\" 1}", 5, "a colon belongs here"), ("{a: 1}", 1, "a key in double quotes belongs here"),
      ("{\"a\": 1,}", 8, "a key in double quotes belongs here"), ("[1,]", 3, "a value belongs here"),
      ("[1 2]", 3, "a comma or ] belongs here"), ("{\"a\": 1 \"b\"}", 8, "a comma or } belongs here"),
      ("[1,2", 4, "the text ends too early; a comma or ] belongs here"),
      ("{\"a\":1, \"\\u0061\":2}", 8, "the key \"a\" is there twice"),
      ("\"a", 2, "the text ends too early; a double quote belongs here"),
      ("\"a\nb\"", 2, "a control character is not for a text; write \\n or \\u and its number"),
      (#""\x""#, 1, "there is no such escape; \\\\ is a backslash"),
      (#""\u+041""#, 3, "one of the four hexadecimal digits of \\u belongs here"),
      (#""\u00""#, 5, "one of the four hexadecimal digits of \\u belongs here"),
      (#""\ud83d""#, 1, "half of a surrogate pair; write both, such as \\ud83d\\ude00"),
      (#""\ud83d\u0041""#, 1, "half of a surrogate pair; write both, such as \\ud83d\\ude00"),
      (#""\ude00\ud83d""#, 1, "half of a surrogate pair; write both, such as \\ud83d\\ude00"),
    ])
  func mistakes(text: String, offset: Int, message: String) {
    #expect(throws: LocatedJSON.Fault(offset: offset, message: message)) { try parse(text) }
  }

  @Test("What is not UTF-8 is refused, and a byte-order mark is passed over")
  func encoding() throws {
    #expect(throws: LocatedJSON.Fault(offset: 1, message: "the text is not UTF-8")) {
      try LocatedJSON.parse([0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D])
    }
    #expect(try LocatedJSON.parse([0xEF, 0xBB, 0xBF] + Array(" 7".utf8)).number == 7)
  }

  @Test("Depth and size have bounds")
  func bounds() throws {
    let deep = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(try parse(deep(33)).elements?.count == 1)
    #expect(throws: LocatedJSON.Fault(offset: 33, message: "nested more than 32 deep")) {
      try parse(deep(34))
    }
    // A caller cannot open the door to a stack that overflows.
    #expect(throws: LocatedJSON.Fault.self) {
      try LocatedJSON.parse(Array(String(repeating: "{\"\":", count: 100_000).utf8), deepest: .max)
    }
    #expect(throws: LocatedJSON.Fault(offset: 0, message: "the text has 4 bytes; at most 3 are read")) {
      try LocatedJSON.parse(Array("true".utf8), mostBytes: 3)
    }
  }

  @Test("Every cut and every changed byte of a text is read or refused", arguments: [UInt64(0x7468_7275_6D)])
  func hostile(seed: UInt64) throws {
    let text = Array(#"{"a\u00e9": [1.5e-3, true, "\ud83d\ude00\n", null], "b": {"c": -0}}"#.utf8)
    #expect(try LocatedJSON.parse(text).members?.count == 2)
    for length in text.indices {
      #expect(throws: LocatedJSON.Fault.self, "cut at \(length)") {
        try LocatedJSON.parse(Array(text[..<length]))
      }
    }
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var refused = 0
    for _ in 0..<20_000 {
      var changed = text
      for _ in 0...next(3) { changed[next(changed.count)] = UInt8(next(256)) }
      do throws(LocatedJSON.Fault) {
        #expect(try LocatedJSON.parse(changed).offset == 0)
      } catch {
        refused += 1
        #expect((0...changed.count).contains(error.offset) && !error.message.isEmpty, "seed \(seed)")
      }
    }
    #expect(refused > 10_000, "seed \(seed)")
  }
}
