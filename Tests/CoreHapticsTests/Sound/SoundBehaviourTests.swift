import CoreHaptics
import CoreHapticsTesting
import Testing

/// Sounds as they are heard beside what is felt: where, for how long, with which parameters.
@Suite struct SoundBehaviourTests {
  let folder: SoundFolder
  let left = saw(400)
  let right = saw(400, -0.25)
  /// Two channels, which pass to the bit where nothing is asked of them.
  let file: URL

  init() throws {
    folder = try SoundFolder()
    file = try folder.wav(zip(left, right).flatMap { [$0, $1] }, channels: 2)
  }

  @Test(arguments: [false, true])
  func aRegisteredSoundIsHeardOnTheFrameOfTheTapBesideIt(isAdvanced: Bool) throws {
    let scene = try Scene()
    let number = try scene.register(file)
    let pattern = try CHHapticPattern(
      events: [.tap(at: 0.0125), .sound(number, at: 0.0125)], parameters: [])
    let player: any CHHapticPatternPlayer =
      isAdvanced
      ? try scene.engine.makeAdvancedPlayer(with: pattern) : try scene.engine.makePlayer(with: pattern)
    scene.advance(0.5)
    try player.start(atTime: scene.engine.currentTime + 0.1)
    scene.advance(0.5)
    // Frame 4000 and 0.1125 s. A tap's first sample is 0 by its formula, a sound's is what the file has.
    let start = 4900
    #expect(scene.signal().firstIndex { $0 != 0 } == start + 1)
    #expect(scene.sound(.left) == zeros(start) + left + zeros(8000 - start - 400))
    #expect(scene.sound(.right) == zeros(start) + right + zeros(8000 - start - 400))
  }

  @Test func touchIsTheSameWithSoundBesideIt() throws {
    let scene = try Scene()
    let number = try scene.register(file)
    try scene.player(.tap(), .buzz(at: 0.1, for: 0.1), .sound(number), .tone(at: 0.1, for: 0.1)).start(
      atTime: 0)
    scene.advance(0.5)
    expectEqual(scene.signal(), try rendered(.tap(), .buzz(at: 0.1, for: 0.1), seconds: 0.5))
  }

  @Test func theBuiltInSoundHasItsDurationVolumeAndPlace() throws {
    func heard(_ parameters: [CHHapticEvent.ParameterID: Float]) throws -> (left: Float, right: Float) {
      let scene = try Scene()
      try scene.player(.tone(at: 0.1, for: 0.2, parameters)).start(atTime: 0)
      scene.advance(0.5)
      #expect(scene.signal().allSatisfy { $0 == 0 })
      let (left, right) = (scene.sound(.left), scene.sound(.right))
      #expect(left.prefix(800).allSatisfy { $0 == 0 } && right.prefix(800).allSatisfy { $0 == 0 })
      #expect(left.dropFirst(2700).allSatisfy { $0 == 0 } && right.dropFirst(2700).allSatisfy { $0 == 0 })
      return (peak(left), peak(right))
    }
    let plain = try heard([:])
    #expect(plain.left > 0.3 && plain.left == plain.right)
    let soft = try heard([.audioVolume: 0.5])
    #expect(abs(soft.left / plain.left - 0.5) < 0.001)
    let aside = try heard([.audioPan: -1])
    #expect(aside.left > plain.left && aside.right < 1e-6)
    let dark = try heard([.audioBrightness: 0])
    #expect(dark.left < plain.left)
  }

  @Test func pitchIsTheSpeedOfARegisteredSound() throws {
    let long = try folder.wav((0..<4000).map { 0.5 * sin(Float($0) * 0.05) }, named: "long.wav")
    for (pitch, seconds) in [(Float(1), 0.25), (0, 0.5), (-1, 1)] {
      let scene = try Scene()
      let number = try scene.register(long)
      try scene.player(.sound(number, [.audioPitch: pitch])).start(atTime: 0)
      scene.advance(1.5)
      let last = try #require(scene.sound().lastIndex { abs($0) > 1e-3 })
      #expect(abs(Double(last) / 8000 - seconds) < 0.005, "pitch \(pitch)")
    }
  }

  @Test func aDurationCutsOrPadsAndALoopFillsIt() throws {
    for (isLooped, duration, length) in [
      (false, 0.02, 160), (false, 0.2, 400), (true, 0.2, 1600), (false, 0, 400),
    ] {
      let scene = try Scene()
      let number = try scene.register(file, isLooped: isLooped)
      try scene.player(.sound(number, for: duration)).start(atTime: 0)
      scene.advance(0.5)
      let heard = scene.sound()
      let whole = Array((0..<5).flatMap { _ in left }.prefix(isLooped ? length : min(length, 400)))
      // A cut has a release of some milliseconds after it.
      #expect(Array(heard.prefix(whole.count)) == whole, "\(duration)")
      #expect(heard.dropFirst(length + 240).allSatisfy { $0 == 0 }, "\(duration)")
    }
  }

  @Test func aSoundIsRampedUnlessItIsSaidOtherwise() throws {
    func first(_ options: [AnyHashable: Any]) throws -> Float {
      let scene = try Scene()
      let number = try scene.engine.registerAudioResource(file, options: options)
      try scene.player(.sound(number)).start(atTime: 0)
      scene.advance(0.2)
      #expect(scene.sound()[200] == left[200])
      return abs(scene.sound(.left)[3])
    }
    #expect(try first([:]) < left[3] / 2)
    #expect(try first([CHHapticAudioResourceKeyUseVolumeEnvelope: true]) < left[3] / 2)
    #expect(try first([CHHapticAudioResourceKeyUseVolumeEnvelope: false]) == left[3])
    #expect(
      try first([NSString(string: CHHapticAudioResourceKeyUseVolumeEnvelope): NSNumber(value: 0)]) == left[3])
  }

  @Test func aSoundThatOutlastsItsPatternIsHeardToItsEnd() throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap(), .sound(try scene.register(file)))
    player.completionHandler = { [weak scene] _ in scene?.note("ended at \(scene?.haptics.seconds ?? 0)") }
    try player.start(atTime: 0)
    scene.advance(0.2)
    #expect(scene.log == ["ended at 0.05"] || scene.log == ["ended at 0.055"])
    #expect(Array(scene.sound().prefix(400)) == left)
  }

  @Test func severalActuatorsHearASoundOnce() throws {
    let scene = try Scene(actuators: 3)
    try scene.player(.tap(), .sound(try scene.register(file)), .tone(at: 0.1, for: 0.1)).start(atTime: 0)
    scene.advance(0.5)
    let single = try Scene()
    try single.player(.tap(), .sound(try single.register(file)), .tone(at: 0.1, for: 0.1)).start(atTime: 0)
    single.advance(0.5)
    let start = try #require(scene.sound().firstIndex { $0 != 0 })
    #expect(Array(scene.sound().dropFirst(start)) == Array(single.sound().prefix(4000 - start)))
    for channel in 0..<3 { #expect(scene.signal(channel: channel).firstIndex { $0 != 0 } == start + 1) }
  }

  @Test func theSoundsOfTwoEnginesAreMixed() throws {
    let haptics = VirtualHaptics()
    let engines = try (0..<2).map { _ in try haptics.use { try CHHapticEngine() } }
    for engine in engines {
      try engine.start()
      let number = try engine.registerAudioResource(
        file, options: [CHHapticAudioResourceKeyUseVolumeEnvelope: false])
      try engine.makePlayer(with: CHHapticPattern(events: [.sound(number)], parameters: [])).start(atTime: 0)
    }
    haptics.advance(seconds: 0.1)
    #expect(Array(haptics.sound().prefix(400)) == left.map { $0 + $0 })
  }
}

func zeros(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }

func peak(_ samples: some Collection<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }
