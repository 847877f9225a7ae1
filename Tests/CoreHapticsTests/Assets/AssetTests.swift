import CoreHaptics
import CoreHapticsTesting
import Testing

/// Haptic data assets: patterns by name, variants by settings and language.
@Suite final class AssetTests {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("assets-\(UUID().uuidString)")

  init() throws {
    try write(0.9, "Beat.ahap")
    try write(0.3, "Beat~reduced.ahap")
    try write(0.8, "sk.lproj/Beat.ahap")
    try write(0.2, "sk.lproj/Beat~reduced.ahap")
    try write(0.7, "Lone.ahap")
    try write(1, "Door.dataset/slam.ahap")
    try write(0.4, "Door.dataset/click.ahap")
    try write(0.6, "Door.dataset/tuer.ahap")
    let contents = """
      { "info": { "version": 1 },
        "data": [ { "filename": "slam.ahap", "idiom": "universal" }, { "idiom": "watch" },
                  { "filename": "click.ahap", "settings": ["reduced"] },
                  { "filename": "tuer.ahap", "language": "de" } ] }
      """
    try Data(contents.utf8).write(to: folder.appendingPathComponent("Door.dataset/Contents.json"))
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record(error)
    }
  }

  private func write(_ intensity: Float, _ path: String) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let pattern = try CHHapticPattern(events: [.tap(at: 0, intensity)], parameters: [])
    try JSONSerialization.data(withJSONObject: pattern.exportDictionary()).write(to: file)
  }

  /// The intensity of the tap that an engine plays for a URL under settings.
  private func played(_ url: URL, _ settings: HapticAssetSettings) throws -> Float? {
    let haptics = VirtualHaptics()
    haptics.assetSettings = settings
    let engine = try haptics.use { try CHHapticEngine() }
    try engine.playPattern(from: url)
    return haptics.requests.first?.events.first?[.hapticIntensity]
  }

  @Test(arguments: [
    ("Beat", false, [], Float(0.9)), ("Beat", true, [], 0.3), ("Beat", false, ["sk-SK", "en"], 0.8),
    ("Beat", true, ["sk"], 0.2), ("Beat", false, ["fr"], 0.9), ("Lone", true, ["sk"], 0.7),
    ("Door", false, [], 1), ("Door", true, ["de"], 0.4), ("Door", false, ["de_AT"], 0.6),
    ("Door", false, ["den"], 1),
  ])
  func theVariantThatSuitsIsFound(name: String, reduces: Bool, languages: [String], expected: Float) throws {
    let settings = HapticAssetSettings(reducesMotion: reduces, languages: languages)
    let asset = try #require(try HapticAsset(named: name, in: folder))
    #expect(asset.name == name)
    #expect(try played(asset.file(for: settings), HapticAssetSettings()) == expected)
  }

  @Test func anAssetsURLPlaysTheVariantThatSuits() throws {
    let (beat, door) = (
      try #require(try HapticAsset(named: "Beat", in: folder)),
      try #require(try HapticAsset(named: "Door", in: folder))
    )
    let plain = HapticAssetSettings()
    let reduced = HapticAssetSettings(reducesMotion: true)
    #expect(try played(beat.url, plain) == 0.9 && played(beat.url, reduced) == 0.3)
    #expect(try played(door.url, plain) == 1 && played(door.url, reduced) == 0.4)
    let haptics = VirtualHaptics()
    haptics.assetSettings = reduced
    let pattern = try haptics.use { try CHHapticPattern(contentsOf: door.url) }
    expectEqual(try rendered(pattern, seconds: 0.3), try rendered(.tap(at: 0, 0.4), seconds: 0.3))
  }

  @Test func whatIsNotThereIsNil() throws {
    #expect(try HapticAsset(named: "None", in: folder) == nil)
    #expect(try HapticAsset(named: "None", in: folder.appendingPathComponent("nowhere")) == nil)
    #expect(try HapticAsset(named: "None") == nil)
  }

  @Test(arguments: [
    ("[]", CHHapticError.Code.invalidPatternDictionary), ("{\"data\": []}", .fileNotFound),
  ])
  func aWrongTableIsRefused(text: String, expected: CHHapticError.Code) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent("Door.dataset/Contents.json"))
    #expect(code { _ = try HapticAsset(named: "Door", in: self.folder) } == expected)
  }
}
