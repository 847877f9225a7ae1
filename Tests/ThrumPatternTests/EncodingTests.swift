import TestSupport
import Testing
import ThrumPattern

/// A pattern that is written and read again is the same pattern.
@Suite struct EncodingTests {
  @Test func writesAFixedLayout() {
    var tap = Event(type: .hapticTransient, time: 0)
    tap.parameters[.hapticIntensity] = 0.9
    tap.parameters[.hapticSharpness] = 1
    let sound = Event(
      type: .audioCustom, time: 1e-7, duration: 1e21, waveformPath: "snd/\"é\"\n\u{1}\u{1F}\\.wav",
      usesVolumeEnvelope: true, isLooped: false)
    let pattern = Pattern(
      entries: [
        .event(tap), .event(Event(type: .hapticContinuous, time: 0.1, duration: 0.5)), .event(sound),
        .parameter(DynamicParameter(id: .hapticSharpnessControl, value: -0.25, time: 0.2)),
        .curve(
          ParameterCurve(
            id: .hapticIntensityControl, time: 0.1,
            points: [.init(time: 0, value: 1), .init(time: 0.5, value: 0)])),
        .curve(ParameterCurve(id: .audioPanControl, time: 0, points: [])),
      ], version: 1)
    let expected = #"""
      {
        "Version": 1.0,
        "Pattern": [
          {
            "Event": {
              "Time": 0.0,
              "EventType": "HapticTransient",
              "EventParameters": [
                { "ParameterID": "HapticIntensity", "ParameterValue": 0.9 },
                { "ParameterID": "HapticSharpness", "ParameterValue": 1.0 }
              ]
            }
          },
          {
            "Event": {
              "Time": 0.1,
              "EventType": "HapticContinuous",
              "EventDuration": 0.5
            }
          },
          {
            "Event": {
              "Time": 1e-07,
              "EventType": "AudioCustom",
              "EventDuration": 1e+21,
              "EventWaveformPath": "snd/\"é\"\n\u0001\u001f\\.wav",
              "EventWaveformUseVolumeEnvelope": true,
              "EventWaveformLoopEnabled": false
            }
          },
          {
            "Parameter": { "ParameterID": "HapticSharpnessControl", "ParameterValue": -0.25, "Time": 0.2 }
          },
          {
            "ParameterCurve": {
              "ParameterID": "HapticIntensityControl",
              "Time": 0.1,
              "ParameterCurveControlPoints": [
                { "Time": 0.0, "ParameterValue": 1.0 },
                { "Time": 0.5, "ParameterValue": 0.0 }
              ]
            }
          },
          {
            "ParameterCurve": {
              "ParameterID": "AudioPanControl",
              "Time": 0.0,
              "ParameterCurveControlPoints": []
            }
          }
        ]
      }

      """#
    #expect(String(decoding: AHAPEncoder.encode(pattern), as: UTF8.self) == expected)
    #expect(String(decoding: AHAPEncoder.encode(Pattern()), as: UTF8.self) == "{\n  \"Pattern\": []\n}\n")
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func survivesTheRoundOfARandomPattern(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = random.whole(in: 0...20)
    let pattern = Pattern(
      entries: (0..<count).map { _ in entry(&random) },
      version: random.chance(0.5) ? random.one(of: [1, 1.5, 0, 1e-300, 1e300]) : nil)
    let written = AHAPEncoder.encode(pattern)
    #expect(try decode(written).pattern == pattern, "seed \(seed)")
    #expect(AHAPEncoder.encode(try decode(written).pattern) == written, "seed \(seed)")
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func survivesTheRoundOfAPlausiblePattern(seed: UInt64) throws {
    let pattern = RandomPatterns.pattern(seed: seed, withLongEvents: true)
    #expect(try decode(AHAPEncoder.encode(pattern)).pattern == pattern, "seed \(seed)")
  }

  // MARK: - Everything that a pattern can hold

  private func entry(_ random: inout SeededGenerator) -> Pattern.Entry {
    switch random.whole(in: 0...2) {
    case 0: return .event(event(&random))
    case 1:
      let id = random.one(of: DynamicParameterID.allCases)
      return .parameter(DynamicParameter(id: id, value: value(in: id.range, &random), time: time(&random)))
    default:
      let id = random.one(of: DynamicParameterID.allCases)
      let times = (0..<random.whole(in: 0...9)).map { _ in time(&random) }.sorted()
      let points = times.map { ParameterCurve.Point(time: $0, value: value(in: id.range, &random)) }
      return .curve(ParameterCurve(id: id, time: time(&random), points: points))
    }
  }

  private func event(_ random: inout SeededGenerator) -> Event {
    var event = Event(type: random.one(of: EventType.allCases), time: time(&random))
    if random.chance(0.5) { event.duration = random.chance(0.1) ? 3.4028234663852886e38 : time(&random) }
    for id in EventParameterID.allCases where random.chance(0.3) {
      event.parameters[id] = value(in: id.range, &random)
    }
    if random.chance(0.3) {
      event.waveformPath = random.one(of: [
        "", "a.wav", "é/😀.wav", "\"\\/\u{0}\u{7F}\u{2028}\n\t\r\u{8}", "\u{FFFD}",
      ])
    }
    if random.chance(0.3) { event.usesVolumeEnvelope = random.chance(0.5) }
    if random.chance(0.3) { event.isLooped = random.chance(0.5) }
    return event
  }

  private func time(_ random: inout SeededGenerator) -> Double {
    switch random.whole(in: 0...5) {
    case 0: 0
    case 1: Double(random.whole(in: 0...30))
    case 2: 1_125_899_906_842.624
    case 3: random.number(in: 0..<1e-300)
    case 4: Double(random.whole(in: 0...9999)) / 1000
    default: random.number(in: 0..<100)
    }
  }

  private func value(in range: ClosedRange<Float>, _ random: inout SeededGenerator) -> Float {
    switch random.whole(in: 0...5) {
    case 0: return range.lowerBound
    case 1: return range.upperBound
    case 2: return .leastNonzeroMagnitude
    case 3: return Float(random.whole(in: 0...100)) / 100
    default: return Float(random.number(in: Double(range.lowerBound)..<Double(range.upperBound)))
    }
  }
}
