import Testing
import TestSupport
import ThrumPattern

/// What is accepted, and what it means.
@Suite struct DecodingTests {
  @Test func readsEveryKeyInAnyOrder() throws {
    let text = """
      {"Metadata": {"Project": "p", "Tags": ["a", {"b": null}]},
       "Pattern": [
        {"ParameterCurve": {"ParameterCurveControlPoints": [
           {"ParameterValue": 0.25, "Time": 0}, {"Time": 0.5, "ParameterValue": 1}],
          "Time": 0.125, "ParameterID": "HapticIntensityControl"}},
        {"Event": {"EventParameters": [
           {"ParameterValue": 0.75, "ParameterID": "HapticIntensity"},
           {"ParameterID": "HapticSharpness", "ParameterValue": 0.1}],
          "EventDuration": 2, "EventType": "HapticContinuous", "Time": 0.25}},
        {"Parameter": {"Time": 1, "ParameterValue": -0.5, "ParameterID": "HapticSharpnessControl"}},
        {"Event": {"Time": 3, "EventType": "AudioCustom", "EventWaveformPath": "a.wav",
          "EventWaveformUseVolumeEnvelope": false, "EventWaveformLoopEnabled": true}}],
       "Version": 1}
      """
    var parameters = EventParameters()
    parameters[.hapticIntensity] = 0.75
    parameters[.hapticSharpness] = 0.1
    let expected = Pattern(
      entries: [
        .curve(
          ParameterCurve(
            id: .hapticIntensityControl, time: 0.125,
            points: [.init(time: 0, value: 0.25), .init(time: 0.5, value: 1)])),
        .event(Event(type: .hapticContinuous, time: 0.25, duration: 2, parameters: parameters)),
        .parameter(DynamicParameter(id: .hapticSharpnessControl, value: -0.5, time: 1)),
        .event(
          Event(
            type: .audioCustom, time: 3, waveformPath: "a.wav", usesVolumeEnvelope: false, isLooped: true)),
      ], version: 1)
    #expect(try decode(text).pattern == expected)
  }

  @Test(arguments: EventType.allCases)
  func readsEveryEventType(type: EventType) throws {
    let text = file("{\"Event\": {\"Time\": 0.5, \"EventType\": \"\(type.rawValue)\"}}")
    #expect(try decode(text).pattern == Pattern(entries: [.event(Event(type: type, time: 0.5))]))
  }

  @Test(arguments: EventParameterID.allCases)
  func readsEveryEventParameter(id: EventParameterID) throws {
    for value in [id.range.lowerBound, 0.25, id.range.upperBound] {
      let events = try decode(file(tap(parameters((id.rawValue, value.description))))).pattern.events
      #expect(events.map { $0.parameters[id] } == [value])
      #expect(EventParameterID.allCases.filter { events[0].parameters[$0] != nil } == [id])
    }
  }

  @Test(arguments: DynamicParameterID.allCases)
  func readsEveryControl(id: DynamicParameterID) throws {
    let text = file(
      control(id.rawValue, "0.25", at: "0.5"), curve(id.rawValue, at: "1", ("0", "1"), ("2", "0.5")))
    #expect(
      try decode(text).pattern.entries == [
        .parameter(DynamicParameter(id: id, value: 0.25, time: 0.5)),
        .curve(
          ParameterCurve(id: id, time: 1, points: [.init(time: 0, value: 1), .init(time: 2, value: 0.5)])),
      ])
  }

  @Test func readsEscapedNames() throws {
    let text = """
      {"\\u0050attern": [{"\\u0045vent": {"Ti\\u006de": 1, "EventType": "Haptic\\u0054ransient",
        "EventParameters": [{"Parameter\\u0049D": "Attack\\u0054ime", "ParameterValue": 1}]}},
       {"Event": {"Time": 0, "EventType": "AudioCustom",
        "EventWaveformPath": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\\ud83d\\u0041\\udc00é😀"}}]}
      """
    let events = try decode(text).pattern.events
    #expect(events[0].parameters[.attackTime] == 1)
    #expect(events[1].waveformPath == "\"\\/\u{8}\u{C}\n\r\té😀\u{FFFD}A\u{FFFD}é😀")
  }

  @Test func ignoresMetadataOfEveryKind() throws {
    for metadata in ["{}", "[]", "null", "true", "\"text\"", "1e999", "{\"Event\": [{}, []]}"] {
      let result = try decode("{\"Metadata\": \(metadata), \"Pattern\": [\(tap())]}")
      #expect(result.pattern.entries.count == 1)
      #expect(result.diagnostics.isEmpty)
    }
    let latin: [UInt8] =
      Array("{\"Metadata\": {\"é\": \"".utf8) + [0xE9] + Array("\"}, \"Pattern\": []}".utf8)
    #expect(try decode(latin).pattern == Pattern())
  }

  @Test func readsVersions() throws {
    func version(_ text: String) throws -> Double? { try decode("{\(text)\"Pattern\": []}").pattern.version }
    #expect(try version("") == nil)
    #expect(try version("\"Version\": 1, ") == 1)
    #expect(try version("\"Version\": 1.0, ") == 1)
    #expect(try version("\"Version\": 2.5, ") == 2.5)
    #expect(try version("\"Version\": \"1.0\", ") == nil)
  }

  @Test func acceptsTrailingCommas() throws {
    let parameter = "{\"ParameterID\": \"Sustained\", \"ParameterValue\": 1,}"
    let text = "{\"Pattern\": [\(tap(", \"EventParameters\": [\(parameter),],")),],}"
    #expect(try decode(text).pattern.events.map { $0.parameters[.sustained] } == [1])
  }

  @Test func acceptsMarksAndEveryLineEnd() throws {
    let plain = file(tap(), buzz())
    let expected = try decode(plain)
    #expect(try decode("\u{FEFF}" + plain) == expected)
    for end in ["\r\n", "\r"] {
      let other = plain.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
      #expect(try decode(other) == expected)
    }
    #expect(try decode("\n\t \r\n" + plain + "\n \n").pattern == expected.pattern)
  }

  @Test func countsAllKindsOfOneEntry() throws {
    let inner = [tap(), curve("HapticIntensityControl", at: "0", ("0", "1"))].map {
      $0.dropFirst().dropLast()
    }
    let pattern = try decode(file("{\(inner.joined(separator: ", "))}")).pattern
    #expect(
      pattern == (try decode(file(tap(), curve("HapticIntensityControl", at: "0", ("0", "1")))).pattern))
  }

  @Test func letsTheLastOfRepeatedKeysCount() throws {
    let expected = try decode(file(tap())).pattern
    let tap = String(tap().dropFirst().dropLast())
    let buzz = String(buzz().dropFirst().dropLast())
    let control = String(control("HapticIntensityControl", "1", at: "0").dropFirst().dropLast())
    #expect(try decode(file("{\(buzz), \(tap)}")).pattern == expected)
    let both = try decode(file("{\(buzz), \(control), \(buzz), \(control), \(tap)}")).pattern.entries
    #expect(
      both == [
        .parameter(DynamicParameter(id: .hapticIntensityControl, value: 1, time: 0)), expected.entries[0],
      ])
    #expect(
      try decode("{\"Pattern\": [{\(buzz)}, {\(control)}], \"Pattern\": [{\(tap)}]}").pattern == expected)
    let event = try decode(
      file(
        "{\"Event\": {\"Time\": 1, \"Time\": 2, \"EventType\": \"AudioCustom\", \"EventType\": "
          + "\"HapticTransient\", "
          + "\"EventParameters\": [{\"ParameterID\": \"Sustained\", \"ParameterValue\": 0}], "
          + "\"EventParameters\": ["
          + "{\"ParameterID\": \"AttackTime\", \"ParameterValue\": 0, \"ParameterValue\": 0.5}, "
          + "{\"ParameterID\": \"AttackTime\", \"ParameterValue\": 0.75}]}}")
    ).pattern.events[0]
    #expect(event.time == 2)
    #expect(event.type == .hapticTransient)
    #expect(event.parameters[.attackTime] == 0.75)
    #expect(event.parameters[.sustained] == nil)
    let curve = try decode(
      file(
        "{\"ParameterCurve\": {\"ParameterID\": \"HapticIntensityControl\", \"Time\": 0, "
          + "\"ParameterCurveControlPoints\": [{\"Time\": 0, \"ParameterValue\": 1}], "
          + "\"ParameterCurveControlPoints\": [{\"Time\": 1, \"ParameterValue\": 0}]}}")
    ).pattern.entries
    #expect(
      curve == [
        .curve(ParameterCurve(id: .hapticIntensityControl, time: 0, points: [.init(time: 1, value: 0)]))
      ])
  }

  @Test func takesDefaultsForWhatIsMissing() throws {
    let event = try decode(
      file(
        "{\"Event\": {\"EventType\": \"HapticTransient\", \"EventParameters\": [{\"ParameterID\": "
          + "\"HapticIntensity\"}]}}"
      )
    ).pattern.events[0]
    #expect(event.time == 0)
    #expect(event.parameters.isEmpty)
    #expect(event.value(of: .hapticIntensity) == 0.75)
    let entries = try decode(
      file(
        "{\"Parameter\": {\"ParameterID\": \"AudioPanControl\", \"ParameterValue\": 0.5}}",
        "{\"ParameterCurve\": {\"ParameterID\": \"AudioPanControl\", \"ParameterCurveControlPoints\": ["
          + "{\"ParameterValue\": 0.5}]}}", "{\"ParameterCurve\": {\"ParameterID\": \"AudioPanControl\"}}")
    ).pattern.entries
    #expect(
      entries == [
        .parameter(DynamicParameter(id: .audioPanControl, value: 0.5, time: 0)),
        .curve(ParameterCurve(id: .audioPanControl, time: 0, points: [.init(time: 0, value: 0.5)])),
        .curve(ParameterCurve(id: .audioPanControl, time: 0, points: [])),
      ])
  }

  @Test func clampsToTheNearerEnd() throws {
    for id in EventParameterID.allCases {
      for (value, end) in [("-1e400", id.range.lowerBound), ("1.0001", id.range.upperBound), ("1e39", 1)] {
        let event = try decode(file(tap(parameters((id.rawValue, value))))).pattern.events[0]
        #expect(event.parameters[id] == end)
      }
    }
    for id in DynamicParameterID.allCases {
      let text = file(
        control(id.rawValue, "-2", at: "0"), curve(id.rawValue, at: "0", ("0", "9"), ("1", "-9")))
      #expect(
        try decode(text).pattern.entries == [
          .parameter(DynamicParameter(id: id, value: id.range.lowerBound, time: 0)),
          .curve(
            ParameterCurve(
              id: id, time: 0, points: [.init(time: 0, value: 1), .init(time: 1, value: id.range.lowerBound)])
          ),
        ])
    }
  }

  @Test func clampsACurveWhoseIDComesLast() throws {
    let text = file(
      "{\"ParameterCurve\": {\"ParameterCurveControlPoints\": [{\"Time\": 0, \"ParameterValue\": -0.5}], "
        + "\"Time\": 0, \"ParameterID\": \"HapticIntensityControl\"}}")
    let report = check(text)
    #expect(
      report.pattern?.entries == [
        .curve(ParameterCurve(id: .hapticIntensityControl, time: 0, points: [.init(time: 0, value: 0)]))
      ])
    #expect(report.diagnostics.contains { $0.message.hasPrefix("found -0.5; HapticIntensityControl goes") })
  }

  @Test func sortsPointsAndKeepsTheOrderOfEqualTimes() throws {
    let text = file(
      curve("HapticIntensityControl", at: "0", ("1", "0.1"), ("0.5", "0.2"), ("1", "0.3"), ("0.5", "0.4")))
    guard case .curve(let curve) = try decode(text).pattern.entries[0] else {
      Issue.record("no curve")
      return
    }
    #expect(curve.points.map(\.value) == [0.2, 0.4, 0.1, 0.3])
  }

  @Test func givesNoNegativeZero() throws {
    let text = file(
      "{\"Event\": {\"Time\": -0.0, \"EventDuration\": -0, \"EventType\": \"HapticContinuous\""
        + parameters(("AudioPan", "-0e5")) + "}}", control("AudioPanControl", "-0.0", at: "-1e-999"),
      curve("AudioPanControl", at: "-0.0", ("-0.0", "-0.0")))
    let result = try decode("{\"Version\": -0.0, " + text.dropFirst())
    #expect(!String(decoding: AHAPEncoder.encode(result.pattern), as: UTF8.self).contains("-"))
  }

  @Test func readsAHugeDuration() throws {
    let event = try decode(file(buzz(", \"EventDuration\": 3.4028235e38"))).pattern.events[0]
    #expect(event.duration == 3.4028235e38)
  }

  @Test func storesAMillionEventsInLittle() {
    // The bound of ten times the file, with an array that doubles: the shortest entry has 42 bytes.
    #expect(MemoryLayout<Pattern.Entry>.stride <= 96)
  }
}
