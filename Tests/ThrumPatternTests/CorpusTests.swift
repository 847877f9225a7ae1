import Foundation
import TestSupport
import Testing
import ThrumPattern

/// Every public file loads, or is refused with the code of its quirk.
@Suite struct CorpusTests {
  /// The files of the corpus with the quirk that its list names.
  private func quirks(for test: String) throws -> [(path: String, quirk: String)]? {
    guard let list = try SharedFiles.bytes("corpus/ahap/MANIFEST.tsv", for: test) else { return nil }
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n").dropFirst()
    return lines.map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      return (String(columns[0]), String(columns.last ?? ""))
    }
  }

  @Test func loadsOrRefusesEveryFile() throws {
    guard let quirks = try quirks(for: "loadsOrRefusesEveryFile") else { return }
    #expect(quirks.count == 111)
    for (name, quirk) in quirks {
      let report = PatternFile.check(path: try path(of: name))
      let codes = Set(report.diagnostics.compactMap(\.code?.rawValue))
      let expected: Set<Int> =
        switch quirk {
        case "unknown-event-param": [-4820]
        case "top-level-not-object", "unrecoverable-json": [-4813, -4814]
        default: []
        }
      if expected.isEmpty {
        #expect(report.pattern != nil && codes.isEmpty, "\(name) (\(quirk)): \(report.diagnostics)")
      } else {
        #expect(report.pattern == nil, "\(name) (\(quirk)) is accepted")
        #expect(!codes.isEmpty && codes.isSubset(of: expected), "\(name) (\(quirk)): \(report.diagnostics)")
      }
      for diagnostic in report.diagnostics { #expect(diagnostic.position != nil, "\(diagnostic)") }
    }
  }

  @Test func throwsTheCodeOfTheQuirk() throws {
    guard let quirks = try quirks(for: "throwsTheCodeOfTheQuirk") else { return }
    for (name, quirk) in quirks where quirk == "unknown-event-param" {
      let file = try path(of: name)
      #expect { try PatternFile.read(path: file) } throws: {
        ($0 as? Diagnostic)?.code == .invalidParameterType
      }
    }
  }

  @Test func warnsOfEveryQuirkThatChangesWhatIsFelt() throws {
    guard let quirks = try quirks(for: "warnsOfEveryQuirkThatChangesWhatIsFelt") else { return }
    let words = [
      "value-out-of-range": "is used", "duration-over-30s": "longer than 30 s",
      "unknown-pattern-key": "did you mean `ParameterCurve`?",
      "duration-on-transient": "has a length of its own",
      "trailing-comma": "a comma before the closing bracket",
      "curve-points-absolute": "counted from the pattern's start",
    ]
    for (name, quirk) in quirks {
      guard let word = words[quirk] else { continue }
      let report = PatternFile.check(path: try path(of: name))
      #expect(report.diagnostics.contains { $0.message.contains(word) }, "\(name) (\(quirk))")
    }
  }

  @Test func findsTheSoundsThatAreThere() throws {
    guard let list = try SharedFiles.bytes("corpus/ahap/WAVEFORMS.tsv", for: "findsTheSoundsThatAreThere")
    else {
      return
    }
    for line in String(decoding: list, as: UTF8.self).split(separator: "\n").dropFirst() {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      let report = PatternFile.check(path: try path(of: String(columns[0])))
      let isMissed = report.diagnostics.contains { $0.message.hasPrefix("no file \"\(columns[1])\" in ") }
      #expect(isMissed == (columns[3] != "ok"), "\(columns[0])")
    }
  }

  @Test func survivesTheRoundOfEveryFile() throws {
    guard let quirks = try quirks(for: "survivesTheRoundOfEveryFile") else { return }
    for (name, _) in quirks {
      guard let pattern = PatternFile.check(path: try path(of: name)).pattern else { continue }
      #expect(try decode(AHAPEncoder.encode(pattern)).pattern == pattern, "\(name)")
    }
  }

  private func path(of file: String) throws -> String {
    let folder = try #require(SharedFiles.locate("corpus/ahap", for: file))
    return folder.appendingPathComponent(file).path
  }
}
