import CoreHaptics
import CoreHapticsTesting
import Testing

/// What is asked of players and engines while sounds play.
@Suite struct SoundControlTests {
  let folder: SoundFolder
  /// One second of 0.5 in two channels.
  let file: URL
  let level: Float = 0.5

  init() throws {
    folder = try SoundFolder()
    file = try folder.wav(Array(repeating: level, count: 16_000), channels: 2)
  }

  private func player(
    _ scene: Scene, isAdvanced: Bool, _ parameters: [CHHapticDynamicParameter] = []
  ) throws -> any CHHapticPatternPlayer {
    let pattern = try CHHapticPattern(
      events: [.buzz(for: 1), .sound(try scene.register(file))], parameters: parameters)
    return isAdvanced
      ? try scene.engine.makeAdvancedPlayer(with: pattern) : try scene.engine.makePlayer(with: pattern)
  }

  @Test(arguments: [false, true])
  func liveAndWrittenParametersAct(isAdvanced: Bool) throws {
    let scene = try Scene()
    let player = try player(scene, isAdvanced: isAdvanced, [.volume(0.5, at: 0.25)])
    try player.start(atTime: 0)
    scene.advance(0.5)
    try player.sendParameters([.volume(0.25, at: 0.125)], atTime: 0)
    scene.advance(0.5)
    let heard = scene.sound()
    // The smoother takes 61 frames; a live value takes effect on the next multiple of eight.
    #expect(heard[0..<2000].allSatisfy { $0 == level })
    #expect(heard[2062..<5000].allSatisfy { abs($0 - level / 2) < 1e-6 })
    #expect(heard[5000] < heard[4999])
    #expect(heard[5070..<7900].allSatisfy { abs($0 - level / 4) < 1e-6 })
    expectEqual(scene.signal(), try rendered(.buzz(for: 1), seconds: 1))
  }

  @Test(arguments: [false, true])
  func curvesAct(isAdvanced: Bool) throws {
    let points = [
      CHHapticParameterCurve.ControlPoint(relativeTime: 0, value: 1),
      CHHapticParameterCurve.ControlPoint(relativeTime: 0.5, value: 0),
    ]
    let curve = CHHapticParameterCurve(
      parameterID: .audioVolumeControl, controlPoints: points, relativeTime: 0.25)
    func check(_ heard: [Float], from start: Int) {
      for step in 1..<10 {
        let expected = level * (1 - Float(step) / 10)
        #expect(abs(heard[start + step * 400] - expected) < 0.005, "step \(step)")
      }
    }
    let live = try Scene()
    let player = try player(live, isAdvanced: isAdvanced)
    try player.start(atTime: 0)
    live.advance(0.25)
    try player.scheduleParameterCurve(curve, atTime: 0)
    live.advance(0.75)
    check(live.sound(), from: 2000)

    let written = try Scene()
    let pattern = try CHHapticPattern(
      events: [.sound(try written.register(file))], parameterCurves: [curve])
    if isAdvanced {
      try written.engine.makeAdvancedPlayer(with: pattern).start(atTime: 0)
    } else {
      try written.engine.makePlayer(with: pattern).start(atTime: 0)
    }
    written.advance(1)
    check(written.sound(), from: 2000)
  }

  @Test func panPitchAndBrightnessMoveWhilePlaying() throws {
    let tone = try folder.wav((0..<8000).map { 0.5 * sin(Float($0) * 0.8) }, named: "tone.wav")
    let cases: [(CHHapticDynamicParameter.ID, Float)] = [
      (.audioPanControl, 1), (.audioBrightnessControl, -1), (.audioPitchControl, -1),
    ]
    for (id, value) in cases {
      let scene = try Scene()
      let player = try scene.player(.sound(try scene.register(tone)))
      try player.start(atTime: 0)
      scene.advance(0.25)
      let change = CHHapticDynamicParameter(parameterID: id, value: value, relativeTime: 0)
      try player.sendParameters([change], atTime: 0)
      scene.advance(0.25)
      let heard = scene.sound()
      switch id {
      case .audioPanControl:
        #expect(peak(heard[2100..<4000]) < 1e-6 && peak(scene.sound(.right)[2100..<4000]) > 0.4)
      case .audioBrightnessControl: #expect(peak(heard[2400..<4000]) < peak(heard[500..<1900]) / 4)
      default: #expect(abs(crossings(heard[2100..<4000]) - crossings(heard[100..<2000]) / 2) <= 4)
      }
    }
  }

  @Test func mutesActLiveAndEachOnItsOwnTrack() throws {
    let scene = try Scene()
    let player = try player(scene, isAdvanced: true)
    try player.start(atTime: 0)
    scene.advance(0.1)
    scene.engine.isMutedForAudio = true
    scene.advance(0.2)
    scene.engine.isMutedForAudio = false
    scene.engine.isMutedForHaptics = true
    scene.advance(0.2)
    scene.engine.isMutedForHaptics = false
    player.isMuted = true
    scene.advance(0.2)
    player.isMuted = false
    scene.advance(0.4)
    let (felt, heard) = (scene.signal(), scene.sound())
    // 61 frames of ramp, after the multiple of eight on which a command acts.
    #expect(heard[0..<800].allSatisfy { $0 == level } && heard[872..<2400].allSatisfy { $0 == 0 })
    #expect(felt[808..<2400].contains { abs($0) > 0.1 })
    #expect(heard[2472..<4000].allSatisfy { $0 == level } && felt[2472..<4000].allSatisfy { $0 == 0 })
    #expect(heard[4072..<5600].allSatisfy { $0 == 0 } && felt[4072..<5600].allSatisfy { $0 == 0 })
    #expect(heard[5672..<7900].allSatisfy { $0 == level })
    #expect(heard.dropFirst(8000).allSatisfy { $0 == 0 })
  }

  @Test func aMuteBeforeTheStartHolds() throws {
    let scene = try Scene(isStarted: false)
    scene.engine.isMutedForAudio = true
    try scene.engine.start()
    try player(scene, isAdvanced: false).start(atTime: 0)
    scene.advance(0.5)
    #expect(scene.sound().allSatisfy { $0 == 0 } && onsets(scene.signal()).first == 1)
    scene.engine.isMutedForAudio = false
    scene.advance(0.25)
    #expect(scene.sound()[4072..<6000].allSatisfy { $0 == level })
  }

  @Test func onlyOneOfTheTwoTracksFromTheNextStartOn() throws {
    let scene = try Scene()
    let old = try player(scene, isAdvanced: false)
    scene.engine.playsHapticsOnly = true
    try old.start(atTime: 0)
    scene.advance(0.1)
    #expect(scene.sound()[0..<800].allSatisfy { $0 == level })
    try restart(scene)
    var mark = scene.sound().count
    // Nothing is looked for any more, and what was made before has no sound either.
    let missing = try CHHapticPattern(dictionary: [
      .pattern: [
        [
          CHHapticPattern.Key.event: [
            CHHapticPattern.Key.eventType: "AudioCustom", .time: 0, .eventWaveformPath: "nowhere.wav",
          ]
        ]
      ]
    ])
    let silent = try scene.engine.makePlayer(with: missing)
    try silent.start(atTime: 0)
    try old.start(atTime: 0)
    try scene.player(.tone(for: 0.1)).start(atTime: 0)
    scene.advance(0.2)
    #expect(scene.sound()[mark...].allSatisfy { $0 == 0 })
    #expect(scene.signal()[mark...].contains { abs($0) > 0.1 })

    scene.engine.playsHapticsOnly = false
    try restart(scene)
    mark = scene.sound().count
    #expect(code { try silent.start(atTime: 0) } == .fileNotFound)
    try old.start(atTime: 0)
    scene.advance(0.2)
    #expect(scene.sound()[(mark + 8)...].allSatisfy { $0 == level })

    scene.engine.playsAudioOnly = true
    try restart(scene)
    mark = scene.sound().count
    try old.start(atTime: 0)
    scene.advance(0.2)
    #expect(scene.sound()[(mark + 8)...].allSatisfy { $0 == level })
    #expect(scene.signal()[mark...].allSatisfy { $0 == 0 })
  }

  private func restart(_ scene: Scene) throws {
    scene.engine.stop()
    scene.advance(0.1)
    try scene.engine.start()
  }

  @Test func aRateMovesSoundsTogetherAndKeepsTheirPitch() throws {
    let scene = try Scene()
    let click = try folder.wav(saw(40).flatMap { [$0, $0] }, named: "click.wav", channels: 2)
    let number = try scene.register(click)
    let player = try scene.advanced(.sound(number), .sound(number, at: 0.2))
    player.playbackRate = 2
    try player.start(atTime: 0)
    scene.advance(0.3)
    let once = saw(40) + zeros(760)
    #expect(Array(scene.sound().prefix(1600)) == once + once)
  }

  @Test func aLoopPlaysItsSoundsEachPassAndASeekGoesPastThem() throws {
    let scene = try Scene()
    let click = try folder.wav(saw(40).flatMap { [$0, $0] }, named: "click.wav", channels: 2)
    let player = try scene.advanced(.sound(try scene.register(click)), .tap(at: 0.05))
    player.loopEnabled = true
    player.loopEnd = 0.1
    try player.start(atTime: 0)
    scene.advance(0.35)
    player.loopEnabled = false
    scene.advance(0.25)
    let once = saw(40) + zeros(760)
    #expect(Array(scene.sound().prefix(4000)) == once + once + once + once + zeros(800))

    let sought = try scene.advanced(.sound(try scene.register(click)), .tap(at: 0.05))
    try sought.seek(toOffset: 0.02)
    try sought.start(atTime: 0)
    scene.advance(0.2)
    #expect(scene.sound().dropFirst(4800).allSatisfy { $0 == 0 })
    #expect(scene.signal().dropFirst(4800).contains { $0 != 0 })
  }

  @Test func aLoopOfAPatternOfNoLengthWaitsForItsSoundAndItsTap() throws {
    let click = try folder.wav(saw(40).flatMap { [$0, $0] }, named: "click.wav", channels: 2)
    func looped(_ event: (Scene) throws -> CHHapticEvent) throws -> Scene {
      let scene = try Scene()
      let player = try scene.advanced(event(scene))
      #expect(player.loopEnd == 0)
      player.loopEnabled = true
      try player.start(atTime: 0)
      scene.advance(0.2)
      return scene
    }
    let sounds = try looped { .sound(try $0.register(click)) }
    #expect(Array(sounds.sound().prefix(410)) == repeated(saw(40) + zeros(1), 10))
    let taps = try looped { _ in .tap() }.signal()
    let tap = try rendered(.tap(), seconds: 0.2)
    #expect(taps.map(abs).max() == tap.map(abs).max())
    #expect(taps.suffix(400).contains { $0 != 0 } && tap.suffix(400).allSatisfy { $0 == 0 })
    // A file that repeats by itself is not begun again.
    let options: [AnyHashable: Any] = [
      CHHapticAudioResourceKeyUseVolumeEnvelope: false, CHHapticAudioResourceKeyLoopEnabled: true,
    ]
    let endless = try looped {
      let number = try $0.engine.registerAudioResource(click, options: options)
      return .sound(number)
    }
    #expect(Array(endless.sound().prefix(1600)) == repeated(saw(40), 40))
  }

  private func repeated(_ samples: [Float], _ count: Int) -> [Float] {
    Array([[Float]](repeating: samples, count: count).joined())
  }

  @Test func aPauseHoldsASoundAndStopEndsIt() throws {
    let scene = try Scene()
    let ramp = try folder.wav(
      (0..<8000).flatMap { [Float($0) / 8000, Float($0) / 8000] }, named: "ramp.wav", channels: 2)
    let player = try scene.advanced(.sound(try scene.register(ramp)))
    try player.start(atTime: 0)
    scene.advance(0.25)
    try player.pause(atTime: 0)
    scene.advance(0.25)
    try player.resume(atTime: 0)
    scene.advance(0.25)
    let heard = scene.sound()
    #expect(heard[2072..<4000].allSatisfy { $0 == 0 })
    #expect(heard[4100..<6000].enumerated().allSatisfy { abs($1 - Float(2100 + $0) / 8000) < 1e-6 })
    try player.stop(atTime: 0)
    scene.advance(0.25)
    #expect(scene.sound().dropFirst(6072).allSatisfy { $0 == 0 })
  }

  private func crossings(_ samples: ArraySlice<Float>) -> Int {
    zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
  }
}
