import Foundation
import TestSupport
import Testing
import ThrumPattern

/// What the cases expect of reading and writing; what they expect of the signal is tested with the signal.
@Suite struct CaseTests {
  /// The report on a file of the cases; nil where they are absent.
  private func report(_ file: String) -> AHAPDecoder.Report? {
    SharedFiles.locate("cases/\(file)", for: "CaseTests").map { PatternFile.check(path: $0.path) }
  }

  @Test(arguments: [
    ("deep", -4813, "Ignored"), ("empty", -4813, ""), ("missing-type", -4830, "Pattern[0].Event"),
    ("nan-word", -4813, "Pattern[0].Event.Time"),
    ("negative-duration", -4823, "Pattern[0].Event.EventDuration"),
    ("negative-time", -4822, "Pattern[0].Event.Time"), ("no-pattern", -4814, ""), ("not-text", -4813, ""),
    ("parameter-no-id", -4831, "Pattern[1].Parameter"), ("pattern-not-array", -4814, "Pattern"),
    ("text-number", -4814, "Pattern[0].Event.Time"), ("too-large-number", -4822, "Pattern[0].Event.Time"),
    ("top-level-array", -4814, ""), ("truncated", -4813, "Pattern[1]"),
    ("unknown-event-type", -4821, "Pattern[1].Event.EventType"),
    ("unknown-parameter", -4820, "Pattern[0].Event.EventParameters[0].ParameterID"),
  ])
  func refusesABadFile(name: String, code: Int, keyPath: String) throws {
    guard let report = report("bad-files/\(name).ahap") else { return }
    #expect(report.pattern == nil)
    let errors = report.diagnostics.filter { $0.severity == .error }
    #expect(errors.count == 1)
    #expect(errors.first?.code?.rawValue == code)
    #expect(errors.first?.keyPath == keyPath)
    #expect(errors.first?.position != nil)
    #expect(errors.first?.file.hasSuffix("bad-files/\(name).ahap") == true)
  }

  @Test func loadsAnEmptyPattern() {
    guard let report = report("bad-files/empty-pattern.ahap") else { return }
    #expect(report.pattern == Pattern(version: 1))
    #expect(report.diagnostics == [])
    #expect(report.pattern?.duration == 0)
  }

  @Test func readsAMarkAndCRLF() {
    guard let plain = report("bom-and-crlf/plain.ahap"), let marked = report("bom-and-crlf/bom-crlf.ahap"),
      let wide = report("bom-and-crlf/utf16.ahap")
    else { return }
    #expect(plain.pattern?.events.isEmpty == false)
    #expect(marked.pattern == plain.pattern)
    #expect(wide.pattern == nil)
    #expect(wide.diagnostics.map(\.message) == ["this is UTF-16 text; an AHAP file is UTF-8"])
  }

  @Test func fillsInAndClamps() {
    guard let missing = report("missing-and-out-of-range/no-parameters.ahap") else { return }
    #expect(missing.pattern?.events.map(\.time) == [0.1, 0.4])
    #expect(missing.pattern?.events.allSatisfy(\.parameters.isEmpty) == true)
    #expect(
      missing.diagnostics.map(\.keyPath) == [
        "Author", "Pattern[0].Label", "Pattern[1].Event.Color", "Pattern[2].Marker",
      ])
    for name in ["", "control-"] {
      let big = report("missing-and-out-of-range/\(name)too-big.ahap")
      let limit = report("missing-and-out-of-range/\(name)limit.ahap")
      #expect(big?.pattern == limit?.pattern)
      #expect(big?.diagnostics.map(\.severity) == [.warning, .warning])
      #expect(limit?.diagnostics == [])
    }
  }

  @Test func readsWholeNumbers() {
    guard let integers = report("whole-number-values/integers.ahap") else { return }
    #expect(integers.pattern?.events.isEmpty == false)
    #expect(report("whole-number-values/decimals.ahap")?.pattern == integers.pattern)
    #expect(report("whole-number-values/exponents.ahap")?.pattern == integers.pattern)
  }

  @Test func namesWhatADurationLacks() {
    guard let keys = report("continuous-without-duration/duration-key.ahap") else { return }
    #expect(
      keys.diagnostics.map(\.description).map { $0.drop { $0 != ":" } }.map(String.init) == [
        ":2:12: warning: Pattern[0].Event: no `EventDuration`; a HapticContinuous event needs a "
          + "duration, without one "
          + "it fades out after 30 s",
        ":2:59: warning: Pattern[0].Event.Duration: not a key of an event, skipped; did you mean "
          + "`EventDuration`?",
        ":3:4: warning: Pattern[0].Event.EventParameters[0]: no `ParameterValue`; HapticIntensity takes "
          + "its default",
        ":3:39: warning: Pattern[0].Event.EventParameters[0].Value: not a key of an event parameter, "
          + "skipped; did you "
          + "mean `ParameterValue`?",
      ])
    for name in ["no-duration", "zero-duration"] {
      let report = report("continuous-without-duration/\(name).ahap")
      #expect(report?.pattern != nil)
      #expect(report?.diagnostics.map(\.severity) == [.warning])
    }
  }

  @Test func keepsEveryControlPoint() throws {
    guard let report = report("curve-200-points/input.ahap") else { return }
    let counts = report.pattern?.entries.map {
      if case .curve(let curve) = $0 { curve.points.count } else { 0 }
    }
    #expect(counts?.max() == 200)
    #expect(report.diagnostics == [])
  }

  @Test func acceptsACurveWithoutPoints() {
    guard let report = report("single-curve-continuous/empty-curve.ahap") else { return }
    #expect(report.pattern?.entries.count == 2)
    #expect(report.diagnostics.map(\.message) == ["no control points; the curve has no effect"])
  }

  @Test func readsAndWritesEveryGoodCase() throws {
    guard let folder = SharedFiles.locate("cases", for: "readsAndWritesEveryGoodCase") else { return }
    let refused = SharedFiles.patterns(in: folder).filter { name in
      PatternFile.check(path: folder.appendingPathComponent(name).path).pattern == nil
    }
    #expect(
      refused.allSatisfy { $0.hasPrefix("bad-files/") || $0 == "bom-and-crlf/utf16.ahap" }, "\(refused)")
    #expect(refused.count == 17)
    for name in SharedFiles.patterns(in: folder) where !refused.contains(name) {
      let pattern = try PatternFile.read(path: folder.appendingPathComponent(name).path).pattern
      #expect(try decode(AHAPEncoder.encode(pattern)).pattern == pattern, "\(name)")
    }
  }
}
