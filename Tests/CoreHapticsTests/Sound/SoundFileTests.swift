import CoreHaptics
import CoreHapticsTesting
import Testing

/// Where sounds are found, how long they are kept, and what is said of those that cannot be played.
@Suite struct SoundFileTests {
  let folder: SoundFolder
  let samples = saw(300)

  init() throws { folder = try SoundFolder() }

  private func write(_ name: String) throws -> URL {
    try folder.wav(samples.flatMap { [$0, $0] }, named: name, channels: 2)
  }

  /// Expects the sound and the tap on a frame.
  private func expectHeard(
    _ scene: Scene, from frame: Int = 0, location: SourceLocation = #_sourceLocation
  ) {
    let heard = scene.sound()
    #expect(Array(heard[frame..<frame + 300]) == samples, sourceLocation: location)
    #expect(scene.signal()[frame + 1] != 0 && scene.signal()[frame] == 0, sourceLocation: location)
  }

  @Test func aPathIsRelativeToItsPatternsFile() throws {
    _ = try write("pack/snd/low.wav")
    let file = try folder.pattern("snd/low.wav", named: "pack/pattern.ahap")
    let scene = try Scene()
    try scene.engine.makePlayer(with: CHHapticPattern(contentsOf: file)).start(atTime: 0)
    scene.advance(0.1)
    expectHeard(scene)
    try scene.engine.playPattern(from: file)
    scene.advance(0.1)
    expectHeard(scene, from: 800)
  }

  @Test func bytesAndDictionariesHaveTheFolderThatTheyAreGiven() throws {
    let sound = try write("low.wav")
    let bytes = SoundFolder.pattern("low.wav")
    let scene = try Scene()
    let error = #expect(throws: CHHapticError.self) { try scene.engine.playPattern(from: bytes) }
    #expect(error?.code == .fileNotFound)
    #expect(error?.localizedDescription.contains("\"low.wav\"") == true)
    #expect(error?.localizedDescription.contains("soundFolder") == true)
    scene.engine.soundFolder = folder.url
    #expect(scene.engine.soundFolder == folder.url)
    try scene.engine.playPattern(from: bytes)
    scene.advance(0.1)
    expectHeard(scene)
    for path in ["low.wav", sound.path] {
      let event: [CHHapticPattern.Key: Any] = [
        .eventType: "AudioCustom", .time: 0, .eventWaveformPath: path, .eventWaveformUseVolumeEnvelope: false,
      ]
      let tap: [CHHapticPattern.Key: Any] = [.eventType: "HapticTransient", .time: 0]
      let pattern = try CHHapticPattern(dictionary: [
        .pattern: [[CHHapticPattern.Key.event: tap], [CHHapticPattern.Key.event: event]]
      ])
      if path == sound.path { scene.engine.soundFolder = nil }
      let frame = scene.sound().count
      try scene.engine.makeAdvancedPlayer(with: pattern).start(atTime: 0)
      scene.advance(0.1)
      expectHeard(scene, from: frame)
    }
  }

  @Test func theCurrentFolderIsNeverLookedIn() throws {
    let name = "sound-\(UUID().uuidString).wav"
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent(name)
    try FileManager.default.copyItem(at: try write("low.wav"), to: here)
    defer {
      do { try FileManager.default.removeItem(at: here) } catch { Issue.record(error) }
    }
    let scene = try Scene()
    #expect(code { try scene.engine.playPattern(from: SoundFolder.pattern(name)) } == .fileNotFound)
    let file = try folder.pattern(name)
    #expect(code { try scene.engine.playPattern(from: file) } == .fileNotFound)
  }

  @Test func soundsOutsideWhatIsAllowedAreRefused() throws {
    let outside = try write("outside/low.wav")
    _ = try write("inside/low.wav")
    let scene = try Scene()
    scene.engine.allowedSoundFolders = [folder.url.appendingPathComponent("inside")]
    #expect(scene.engine.allowedSoundFolders?.count == 1)
    for path in [outside.path, "../outside/low.wav"] {
      let error = #expect(throws: CHHapticError.self) {
        try scene.engine.playPattern(from: folder.pattern(path, named: "inside/bad.ahap"))
      }
      #expect(error?.code == .operationNotPermitted)
      #expect(error?.localizedDescription.contains(path) == true && error?.userInfo["Error"] is String)
    }
    try scene.engine.playPattern(from: folder.pattern("low.wav", named: "inside/good.ahap"))
    scene.advance(0.1)
    expectHeard(scene)
  }

  @Test func eachErrorHasItsCodeAndItsWords() throws {
    let scene = try Scene()
    _ = try write("snd/blip.wav")
    try folder.write(Data("no sound".utf8), named: "snd/text.wav")
    try folder.write(Data(), named: "snd/empty.wav")
    try folder.wav([.nan], named: "snd/nan.wav")
    let cases: [(String, CHHapticError.Code, String)] = [
      ("snd/none.wav", .fileNotFound, "snd/none.wav"), ("snd/Blip.wav", .fileNotFound, "snd/blip.wav"),
      ("snd/text.wav", .invalidAudioResource, "snd/text.wav"), ("snd", .invalidAudioResource, "folder"),
      ("snd/empty.wav", .invalidAudioResource, "empty"),
      ("snd/nan.wav", .invalidAudioResource, "not a number"),
    ]
    for (path, expected, words) in cases {
      let pattern = try folder.pattern(path)
      let error = #expect(throws: CHHapticError.self) { try scene.engine.playPattern(from: pattern) }
      #expect(error?.code == expected, "\(path)")
      #expect(
        error?.localizedDescription.contains(words) == true, "\(path): \(error?.localizedDescription ?? "")")
      #expect((error?.userInfo["Error"] as? String)?.isEmpty == false)
      let bridged = try #require(error) as NSError
      #expect(bridged.domain == CoreHapticsErrorDomain && bridged.code == expected.rawValue)
      #expect(bridged.localizedDescription == error?.localizedDescription)
      let file = folder.url.appendingPathComponent(path)
      let other = #expect(throws: CHHapticError.self) { try scene.engine.registerAudioResource(file) }
      #expect(other?.code == expected, "\(path)")
    }
    // Nothing of any of them was played.
    scene.advance(0.1)
    #expect(scene.signal().allSatisfy { $0 == 0 } && scene.sound().allSatisfy { $0 == 0 })
    let web = try #require(URL(string: "https://example.com/a.wav"))
    #expect(code { _ = try scene.engine.registerAudioResource(web) } == .fileNotFound)
    let option = [CHHapticAudioResourceKeyLoopEnabled: "yes"]
    let good = folder.url.appendingPathComponent("snd/blip.wav")
    #expect(
      code { _ = try scene.engine.registerAudioResource(good, options: option) } == .invalidEngineParameter)
  }

  @Test(arguments: [0, -1, 7, Int.max])
  func aNumberThatIsNotRegisteredIsRefused(number: Int) throws {
    let scene = try Scene()
    let error = #expect(throws: CHHapticError.self) { try scene.player(.tap(), .sound(number)) }
    #expect(error?.code == .invalidAudioResource)
    #expect(error?.localizedDescription.contains("\(number)") == true)
    #expect(code { try scene.engine.unregisterAudioResource(number) } == .invalidAudioResource)
  }

  @Test func aNumberIsForItsOwnEngine() throws {
    let haptics = VirtualHaptics()
    let (one, two) = try haptics.use { (try CHHapticEngine(), try CHHapticEngine()) }
    let number = try one.registerAudioResource(try write("low.wav"))
    let pattern = try CHHapticPattern(events: [.sound(number)], parameters: [])
    #expect(code { _ = try two.makePlayer(with: pattern) } == .invalidAudioResource)
    #expect(code { try two.unregisterAudioResource(number) } == .invalidAudioResource)
    try one.start()
    try one.makePlayer(with: pattern).start(atTime: 0)
  }

  @Test func aSoundThatIsTakenBackPlaysOnWhereItIsPlayed() throws {
    let scene = try Scene()
    let number = try scene.register(try write("low.wav"))
    let pattern = try CHHapticPattern(events: [.tap(), .sound(number)], parameters: [])
    let player = try scene.engine.makePlayer(with: pattern)
    try player.start(atTime: 0)
    scene.advance(0.01)
    try scene.engine.unregisterAudioResource(number)
    scene.advance(0.19)
    expectHeard(scene)
    #expect(code { _ = try scene.engine.makePlayer(with: pattern) } == .invalidAudioResource)
    // The player has it, and plays it again.
    try player.start(atTime: 0)
    scene.advance(0.1)
    expectHeard(scene, from: 1600)
  }

  @Test func theMemoryForSoundsIsOneAndIsGivenBack() throws {
    // 300 frames of two channels are 2,400 bytes; their rate is the machine's, so nothing is converted.
    let haptics = VirtualHaptics(soundMemory: 5000)
    let engines = try (0..<2).map { _ in try haptics.use { try CHHapticEngine() } }
    let files = try ["a.wav", "b.wav", "c.wav"].map(write)
    let first = try engines[0].registerAudioResource(files[0])
    let again = try engines[1].registerAudioResource(files[0])
    #expect(haptics.soundBytes == 2400)
    let second = try engines[1].registerAudioResource(files[1])
    let error = #expect(throws: CHHapticError.self) { try engines[0].registerAudioResource(files[2]) }
    #expect(error?.code == .resourceNotAvailable && haptics.soundBytes == 4800)
    #expect(error?.localizedDescription.contains("c.wav") == true)
    // Nothing else is disturbed.
    let pattern = try CHHapticPattern(events: [.sound(second)], parameters: [])
    try engines[1].start()
    var player: (any CHHapticPatternPlayer)? = try engines[1].makePlayer(with: pattern)
    try player?.start(atTime: 0)
    try engines[1].unregisterAudioResource(second)
    #expect(haptics.soundBytes == 4800)
    haptics.advance(seconds: 0.1)
    player = nil
    haptics.advance(seconds: 0.1)
    // The pattern is still there; the sound has gone with its number and its player.
    #expect(haptics.soundBytes == 2400)
    try engines[0].unregisterAudioResource(first)
    #expect(haptics.soundBytes == 2400)
    try engines[1].unregisterAudioResource(again)
    #expect(haptics.soundBytes == 0)
    #expect(try engines[0].registerAudioResource(files[2]) > second)
    withExtendedLifetime(pattern) {}
  }

  @Test func aSoundWhoseConversionDoesNotFitIsRefusedWhereItIsWanted() throws {
    // 600 frames at 48 kHz are 100 here: 2,400 bytes and 400.
    let file = try folder.wav(saw(600), rate: 48_000)
    let haptics = VirtualHaptics(soundMemory: 2600)
    let engine = try haptics.use { try CHHapticEngine() }
    let number = try engine.registerAudioResource(file)
    let pattern = try CHHapticPattern(events: [.tap(), .sound(number)], parameters: [])
    let early = try engine.makePlayer(with: pattern)
    try engine.start()
    #expect(code { try early.start(atTime: 0) } == .resourceNotAvailable)
    #expect(code { _ = try engine.makePlayer(with: pattern) } == .resourceNotAvailable)
    try engine.unregisterAudioResource(number)
    #expect(code { _ = try engine.registerAudioResource(file) } == .resourceNotAvailable)
    haptics.advance(seconds: 0.1)
    #expect(haptics.signal().allSatisfy { $0 == 0 })
  }

  @Test func soundsGoWithTheirEngine() throws {
    let haptics = VirtualHaptics()
    let file = try write("low.wav")
    var engine: CHHapticEngine? = try haptics.use { try CHHapticEngine() }
    #expect(try engine?.registerAudioResource(file) == 1)
    #expect(haptics.soundBytes == 2400)
    // A player outlives it.
    let player = try engine?.makePlayer(with: CHHapticPattern(events: [.tap()], parameters: []))
    engine = nil
    haptics.advance(seconds: 1)
    #expect(haptics.soundBytes == 0)
    #expect(code { try player?.start(atTime: 0) } == .engineNotRunning)
  }

  @Test func tenThousandSoundsComeAndGo() throws {
    let haptics = VirtualHaptics(soundMemory: 10_000, isRecording: false)
    let engine = try haptics.use { try CHHapticEngine() }
    let file = try write("low.wav")
    for round in 1...10_000 {
      let number = try engine.registerAudioResource(file)
      #expect(number == round)
      try engine.unregisterAudioResource(number)
    }
    #expect(haptics.soundBytes == 0)
  }

  @Test func aPatternThatNamesManySoundsOfOneFileReadsItOnce() throws {
    let file = try write("low.wav")
    let haptics = VirtualHaptics()
    let engine = try haptics.use { try CHHapticEngine() }
    let pattern = try CHHapticPattern(contentsOf: folder.pattern(file.path))
    let players = try (0..<100).map { _ in try engine.makePlayer(with: pattern) }
    #expect(haptics.soundBytes == 2400)
    withExtendedLifetime(players) {}
  }
}
