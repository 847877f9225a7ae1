import TestSupport
import Testing
import ThrumPattern

/// Whole renders against the reference, sample by sample, at −80 dB of the file's peak.
@Suite struct ComparisonTests {
  /// The bar, in dB of the peak of the expected signal.
  static let bar = -80.0

  @Test(arguments: subjects) func randomPatternsRenderAsTheReferenceSays(_ subject: PatternRenderer) throws {
    var tally = Tally()
    for seed in UInt64(1)...(isReduced ? 60 : 200) {
      let pattern = RandomPatterns.pattern(seed: seed, withLongEvents: !isReduced)
      try tally.compare(subject, pattern, "seed \(seed)")
      if seed % 4 == 0 { try tally.compare(subject, pattern, "seed \(seed)", profile: .safe) }
      if seed % 10 == 0 {
        let rate = [48_000, 44_100, 96_000, 32_000, 16_000][Int(seed / 10) % 5]
        try tally.compare(subject, pattern, "seed \(seed)", profile: .safe, rate: rate)
        try tally.compare(subject, pattern, "seed \(seed)", rate: rate)
      }
    }
    tally.report("random patterns, \(subject)")
  }

  @Test(arguments: subjects) func crowdedPatternsRenderAsTheReferenceSays(_ subject: PatternRenderer) throws {
    var tally = Tally()
    for seed in UInt64(1)...(isReduced ? 100 : 1000) {
      try tally.compare(subject, RandomPatterns.crowded(seed: seed), "crowded seed \(seed)")
    }
    tally.report("crowded random patterns, \(subject)")
  }

  @Test(arguments: subjects) func corpusRendersAsTheReferenceSays(_ subject: PatternRenderer) throws {
    try compareFiles(below: "corpus/ahap", subject, test: "corpus against the reference")
  }

  @Test(arguments: subjects) func casesRenderAsTheReferenceSays(_ subject: PatternRenderer) throws {
    try compareFiles(below: "cases", subject, test: "cases against the reference")
  }

  @Test(arguments: subjects) func ownPatternsRenderAsTheReferenceSays(_ subject: PatternRenderer) throws {
    let folder = SharedFiles.packageFolder.appendingPathComponent("patterns")
    let files = SharedFiles.patterns(in: folder)
    try #require(!files.isEmpty)
    var tally = Tally()
    for file in files {
      let bytes = try SharedFiles.bytes(of: folder.appendingPathComponent(file))
      try tally.compare(subject, try decoded(bytes, file: file), file)
    }
    tally.report("our own patterns, \(subject)")
  }

  private func compareFiles(below path: String, _ subject: PatternRenderer, test: String) throws {
    guard let folder = SharedFiles.locate(path, for: test) else { return }
    var tally = Tally()
    for file in SharedFiles.patterns(in: folder) {
      let bytes = try SharedFiles.bytes(of: folder.appendingPathComponent(file))
      let pattern: Pattern
      do {
        pattern = try decoded(bytes, file: file)
      } catch {
        tally.refused += 1
        continue
      }
      try tally.compare(subject, pattern, file)
      try tally.compare(subject, pattern, file, profile: .safe)
      if !isReduced { try tally.compare(subject, pattern, file, profile: .safe, rate: 48_000) }
    }
    tally.report("\(path), \(subject)")
    #expect(tally.count > 0)
  }
}

/// What is compared with the reference.
private let subjects = renderers.filter { $0.name != PatternRenderer.reference.name }

/// The worst of many comparisons.
private struct Tally {
  var count = 0
  var refused = 0
  var worst = -400.0
  var worstName = ""

  /// Compares one render with the reference's; in debug builds, what begins in the first two seconds.
  mutating func compare(
    _ subject: PatternRenderer, _ pattern: Pattern, _ name: String, profile: ReferenceProfile = .none,
    rate: Int = 8000
  ) throws {
    let pattern = isReduced ? pattern.trimmed(toSeconds: 2) : pattern
    let actual = try subject(pattern, profile: profile, rate: rate)
    let expected = ReferenceRenderer.render(pattern, profile: profile, rate: rate)
    let deviation = Deviation(of: actual, from: expected)
    let full = "\(name), \(profile == .none ? "none" : "safe"), \(rate) Hz"
    count += 1
    if deviation.level > worst { (worst, worstName) = (deviation.level, full) }
    let matches = deviation.level <= ComparisonTests.bar && deviation.lengthDifference == 0
    if !matches { print("differs: \(full): \(deviation)") }
    #expect(matches, "\(full): \(deviation)")
  }

  func report(_ what: String) {
    print(
      "comparison\(isReduced ? " (reduced set)" : ""), \(what): \(count) renders, \(refused) files refused, worst "
        + "\(fixed(worst, 1)) dB of the peak [\(fixed(ComparisonTests.bar, 0))] (\(worstName))")
  }
}
