import Testing
import ThrumAudition
import ThrumPattern

/// What was played comes out as it was played.
@Suite struct TakeTests {
  @Test func writesTapsAndHolds() throws {
    var take = Take()
    take.tap(at: 0.5, intensity: 0.8, sharpness: 0.4)
    take.beginHold(at: 1, intensity: 0.6, sharpness: 0.2)
    #expect(take.isHolding)
    take.endHold(at: 1.75)
    take.tap(at: 0.25, intensity: 2, sharpness: -1)
    #expect(!take.isHolding && take.duration == 1.75)
    #expect(
      String(decoding: take.encoded(), as: UTF8.self) == """
        {
          "Version": 1.0,
          "Pattern": [
            {
              "Event": {
                "Time": 0.25,
                "EventType": "HapticTransient",
                "EventParameters": [
                  { "ParameterID": "HapticIntensity", "ParameterValue": 1.0 },
                  { "ParameterID": "HapticSharpness", "ParameterValue": 0.0 }
                ]
              }
            },
            {
              "Event": {
                "Time": 0.5,
                "EventType": "HapticTransient",
                "EventParameters": [
                  { "ParameterID": "HapticIntensity", "ParameterValue": 0.8 },
                  { "ParameterID": "HapticSharpness", "ParameterValue": 0.4 }
                ]
              }
            },
            {
              "Event": {
                "Time": 1.0,
                "EventType": "HapticContinuous",
                "EventDuration": 0.75,
                "EventParameters": [
                  { "ParameterID": "HapticIntensity", "ParameterValue": 0.6 },
                  { "ParameterID": "HapticSharpness", "ParameterValue": 0.2 }
                ]
              }
            }
          ]
        }

        """)
  }

  @Test func movesAHoldByCurves() throws {
    var take = Take()
    take.beginHold(at: 1, intensity: 0.4, sharpness: 0.5)
    take.moveHold(at: 1.5, intensity: 0.8, sharpness: 0.5)
    take.moveHold(at: 2, intensity: 0.8, sharpness: 0.25)
    take.endHold(at: 2.5)
    take.tap(at: 3, intensity: 1, sharpness: 1)
    let pattern = take.pattern()
    #expect(try read(take.encoded()) == pattern)
    let curves = pattern.entries.compactMap { if case .curve(let curve) = $0 { curve } else { nil } }
    #expect(
      curves == [
        ParameterCurve(
          id: .hapticIntensityControl, time: 1,
          points: [
            .init(time: 0, value: 0.5), .init(time: 0.49, value: 0.5), .init(time: 0.5, value: 1),
            .init(time: 1, value: 1),
          ]),
        ParameterCurve(
          id: .hapticSharpnessControl, time: 1,
          points: [.init(time: 0, value: 0), .init(time: 0.99, value: 0), .init(time: 1, value: -0.25)]),
      ])
    #expect(pattern.events.map { $0.value(of: .hapticIntensity) } == [0.8, 1])
    // The intensity has gone back by itself; the sharpness goes back before the tap.
    let parameters = pattern.entries.compactMap { if case .parameter(let one) = $0 { one } else { nil } }
    #expect(parameters == [DynamicParameter(id: .hapticSharpnessControl, value: 0, time: 3)])
  }

  @Test func letsTapsOverAMovedHoldComeOutAsPlayed() {
    var take = Take()
    take.beginHold(at: 0, intensity: 1, sharpness: 0.5)
    take.moveHold(at: 1, intensity: 0.5, sharpness: 0.75)
    take.tap(at: 2, intensity: 0.4, sharpness: 0.5)
    take.tap(at: 2.5, intensity: 0.9, sharpness: 0.1)
    take.endHold(at: 3)
    let taps = take.pattern().events.filter { $0.type == .hapticTransient }
    #expect(taps.map { $0.value(of: .hapticIntensity) } == [0.8, 1])
    #expect(taps.map { $0.value(of: .hapticSharpness) } == [0.25, 0])
  }

  @Test func thinsAKnobToItsShape() {
    var take = Take()
    take.beginHold(at: 0, intensity: 0, sharpness: 0.5)
    for step in 1...400 {
      let time = Double(step) / 200
      let value = Float(step <= 200 ? time : 2 - time)
      take.moveHold(at: time, intensity: value, sharpness: 0.5)
    }
    take.endHold(at: 2)
    let curves = take.pattern().entries.compactMap { if case .curve(let curve) = $0 { curve } else { nil } }
    #expect(curves.count == 1)
    #expect(curves.first?.points.map(\.time) == [0, 1, 2])
    #expect(curves.first?.points.map(\.value) == [0, 1, 0])
  }

  @Test func comesOutReadableWhateverIsPlayed() throws {
    for seed in UInt64(1)...60 {
      var generator = Coin(state: seed)
      var take = Take()
      var time = 0.0
      for _ in 0..<80 {
        time += Double(generator.next() % 300) / 1000
        let key = Int(generator.next() % 3)
        let intensity = Float(generator.next() % 101) / 100
        let sharpness = Float(generator.next() % 101) / 100
        switch generator.next() % 5 {
        case 0: take.tap(at: time, intensity: intensity, sharpness: sharpness)
        case 1: take.beginHold(key, at: time, intensity: intensity, sharpness: sharpness)
        case 2: take.endHold(key, at: time)
        default: take.moveHold(key, at: time, intensity: intensity, sharpness: sharpness)
        }
      }
      take.finish(at: time)
      #expect(!take.isHolding, "seed \(seed)")
      for grid in [
        nil, Quantisation(beatsPerMinute: 120, division: 4), Quantisation(gridSeconds: 0.1, strength: 0.5),
      ] {
        let pattern = take.pattern(quantised: grid, startsAtFirst: true)
        #expect(try read(take.encoded(quantised: grid, startsAtFirst: true)) == pattern, "seed \(seed)")
        #expect(pattern.events.count == take.taps.count + take.holds.count, "seed \(seed)")
        #expect(pattern.events.first?.time == 0, "seed \(seed)")
        #expect(
          pattern.events.allSatisfy { $0.type == .hapticTransient || $0.duration ?? 0 >= 0.001 },
          "seed \(seed)")
      }
    }
  }

  @Test func bringsTimesToTheGrid() {
    let grid = Quantisation(beatsPerMinute: 120, division: 2)
    #expect(grid.gridSeconds == 0.25)
    #expect([0.1, 0.125, 0.3, 0.374, 0.376].map(grid.moved) == [0, 0.25, 0.25, 0.25, 0.5])
    #expect(Quantisation(gridSeconds: 0.5, strength: 0.5).moved(0.6) == 0.55)
    #expect(Quantisation(gridSeconds: 0.5, strength: 0).moved(0.6) == 0.6)
    #expect(Quantisation(gridSeconds: 0, strength: 1).moved(0.6) == 0.6)
    var take = Take()
    take.tap(at: 0.61, intensity: 1, sharpness: 0)
    take.beginHold(at: 1.12, intensity: 1, sharpness: 0)
    take.endHold(at: 1.4)
    take.beginHold(at: 1.6, intensity: 1, sharpness: 0)
    take.endHold(at: 1.625)
    let events = take.pattern(quantised: grid).events
    #expect(events.map(\.time) == [0.5, 1, 1.5])
    #expect(events.map(\.duration) == [nil, 0.5, 0.25])
    #expect(take.pattern(startsAtFirst: true).events.map(\.time) == [0, 0.51, 0.99])
  }

  @Test func makesATapOfWhatWasHeldForNoTime() {
    var take = Take()
    take.beginHold(1, at: 1, intensity: 0.5, sharpness: 0.5)
    take.beginHold(2, at: 1, intensity: 0.25, sharpness: 0.5)
    take.endHold(1, at: 1)
    take.endHold(2, at: 2)
    take.endHold(3, at: 2)
    take.moveHold(3, at: 2, intensity: 1, sharpness: 1)
    #expect(take.taps.map(\.intensity) == [0.5])
    #expect(take.holds.map(\.intensity) == [0.25] && take.holds.map(\.end) == [2])
  }

  private func read(_ bytes: [UInt8]) throws -> Pattern {
    try bytes.withUnsafeBytes { try AHAPDecoder.decode($0, file: "t") }.pattern
  }
}

/// Random bits of a seed.
struct Coin: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33 ^ state << 31
  }
}
