import TestSupport
import Testing

@testable import ThrumPattern

/// Whatever comes in gives one clear error, or a pattern, in bounded memory.
@Suite struct HostileInputTests {
  @Test(arguments: [128, 129, 1_000_000])
  func refusesDeepNesting(depth: Int) {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let value = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      let text = "{\"Pattern\": [], \"x\": \(value)}"
      if depth <= ByteScanner.maximumDepth {
        #expect(refusal(text) == nil)
      } else {
        let column = 22 + ByteScanner.maximumDepth * open.utf8.count
        #expect(
          refusal(text)
            == "t:1:\(column): error: x: nested more than 128 deep; AHAP needs six levels (-4813)")
      }
    }
    let open = String(repeating: "[", count: depth)
    #expect(refusal(open)?.hasSuffix("(-4813)") == true)
  }

  @Test func refusesEveryCutOfAFile() throws {
    let whole = Array(
      file(tap(parameters(("HapticIntensity", "0.5"))), buzz(", \"N\": [true, null, \"é\\u00e9\"]")).utf8)
    for length in 0..<whole.count {
      let cut = Array(whole[..<length])
      #expect(refusal(cut)?.hasSuffix("(-4813)") == true, "cut at \(length)")
    }
    #expect(refusal(whole) == nil)
  }

  @Test func survivesEveryChangeOfAByte() throws {
    let whole = Array(
      file(
        tap(parameters(("HapticIntensity", "0.5"))), curve("HapticIntensityControl", at: "0", ("0", "1e-1"))
      ).utf8)
    for index in whole.indices {
      for byte: UInt8 in [0, 0x22, 0x2C, 0x30, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xFF] {
        var changed = whole
        changed[index] = byte
        guard refusal(changed) == nil else { continue }
        let pattern = try decode(changed).pattern
        #expect(try decode(AHAPEncoder.encode(pattern)).pattern == pattern, "byte \(index) as \(byte)")
      }
    }
  }

  @Test func refusesNoise() throws {
    let seed: UInt64 = 3
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let noise = (0..<random.whole(in: 1...200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(refusal(noise) != nil, "seed \(seed)")
    }
  }

  @Test func listsOnlyTheFirstOfManyRemarks() throws {
    let taps = Array(repeating: tap(parameters(("HapticIntensity", "7"))), count: 1000)
    let found = try decode("{\"Pattern\": [\n\(taps.joined(separator: ",\n"))]}").diagnostics
    #expect(found.count == 21)
    #expect(found[19].keyPath == "Pattern[19].Event.EventParameters[0].ParameterValue")
    #expect(found[20].position?.line == 22)
    #expect(found[20].message == "from here on 980 more like the 20 above; they are not listed")
    let errors = Array(repeating: "{\"Event\": {}}", count: 1000)
    let report = check("{\"Pattern\": [\n\(errors.joined(separator: ",\n"))]}")
    #expect(report.pattern == nil)
    #expect(report.diagnostics.count == 21)
    #expect(report.diagnostics.allSatisfy { $0.severity == .error })
  }

  @Test func readsManyKeysOfOneObject() throws {
    let tap = String(tap().dropFirst().dropLast())
    let control = String(control("HapticIntensityControl", "1", at: "0").dropFirst().dropLast())
    let pair = Array(repeating: "\(control), \(tap)", count: 20_000).joined(separator: ", ")
    #expect(try decode(file("{\(pair)}")).pattern.entries.count == 2)
    let lists = Array(repeating: "\"Pattern\": [{\(tap)}]", count: 20_000).joined(separator: ", ")
    #expect(try decode("{\(lists)}").pattern.entries.count == 1)
  }

  @Test func readsLongTextsAndCurves() throws {
    let long = String(repeating: "x", count: 3_000_000)
    let found = try decode("{\"Pattern\": [], \"\(long)\": \"\(long)\"}").diagnostics
    #expect(found.map(\.keyPath) == [String(repeating: "x", count: 60) + "…"])
    let points = (0..<50_000).map { (String(50_000 - $0), "0.5") }
    let list = points.map { "{\"Time\": \($0.0), \"ParameterValue\": \($0.1)}" }.joined(separator: ",")
    let text =
      "{\"Pattern\": [{\"ParameterCurve\": {\"ParameterID\": \"AudioPanControl\", \"Time\": 0, "
      + "\"ParameterCurveControlPoints\": [\(list)]}}]}"
    guard case .curve(let curve) = try decode(text).pattern.entries[0] else {
      Issue.record("no curve")
      return
    }
    #expect(curve.points.count == 50_000)
    #expect(curve.points.first?.time == 1)
  }

  @Test func refusesMoreThanAGigabyte() {
    // Nothing of it is looked at, so the size alone is lent.
    var byte: UInt8 = 0x7B
    withUnsafeBytes(of: &byte) { one in
      let tooMany = UnsafeRawBufferPointer(start: one.baseAddress, count: AHAPDecoder.maximumBytes + 1)
      let found = AHAPDecoder.check(tooMany, file: "t").diagnostics.map(\.description)
      #expect(found == ["t:1:1: error: larger than 1 GiB, the most that is read (-4813)"])
    }
  }
}
