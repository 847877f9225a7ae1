import CoreHaptics
import TestSupport
import Testing

/// Patterns (API sheet, 2.5 and 1.7): durations, snapshots, dictionaries, files and errors.
@Suite struct PatternBehaviourTests {
  @Test func durationIsTheEndOfTheLastEventOrParameter() throws {
    let events = [CHHapticEvent.buzz(at: 0.5, for: 1), .tap(at: 1.25)]
    #expect(try CHHapticPattern(events: events, parameters: []).duration == 1.5)
    #expect(try CHHapticPattern(events: events, parameters: [.intensity(1, at: 2)]).duration == 2)
    #expect(try CHHapticPattern(events: [.tap()], parameters: []).duration == 0)
    #expect(try CHHapticPattern(events: [], parameters: []).duration == 0)
  }

  @Test func aPatternIsACopyOfWhatItWasMadeFrom() throws {
    let parameter = CHHapticEventParameter(parameterID: .hapticIntensity, value: 1)
    let event = CHHapticEvent(eventType: .hapticTransient, parameters: [parameter], relativeTime: 0.1)
    let control = CHHapticDynamicParameter.intensity(1, at: 0.05)
    let pattern = try CHHapticPattern(events: [event], parameters: [control])
    let before = try rendered(pattern, seconds: 0.5)
    event.relativeTime = 0.3
    parameter.value = 0
    control.value = 0
    #expect(try rendered(pattern, seconds: 0.5) == before && pattern.duration == 0.1)
  }

  @Test func anExportedPatternReadsBackEqual() throws {
    let curve = CHHapticParameterCurve(
      parameterID: .hapticSharpnessControl,
      controlPoints: [.init(relativeTime: 0, value: -1), .init(relativeTime: 0.3, value: 0.7)],
      relativeTime: 0.2)
    let pattern = try CHHapticPattern(
      events: [.tap(at: 0.1, 0.3), .buzz(at: 0.2, for: 0.7, 0.6, sharpness: 0.1, [.sustained: 0])],
      parameterCurves: [curve])
    let dictionary = try pattern.exportDictionary()
    let bytes = try JSONSerialization.data(withJSONObject: dictionary)
    let object = try JSONSerialization.jsonObject(with: bytes)
    let parsed = try #require(object as? [String: Any])
    var keyed: [CHHapticPattern.Key: Any] = [:]
    for (key, value) in parsed { keyed[CHHapticPattern.Key(rawValue: key)] = value }
    for again in [try CHHapticPattern(dictionary: dictionary), try CHHapticPattern(dictionary: keyed)] {
      #expect(
        NSDictionary(dictionary: try again.exportDictionary()).isEqual(NSDictionary(dictionary: dictionary)))
      expectEqual(try rendered(again, seconds: 1.5), try rendered(pattern, seconds: 1.5))
    }
  }

  @Test func anExportHasThePublishedShape() throws {
    let dictionary = try CHHapticPattern(events: [.tap(at: 0.5, 0.25)], parameters: [.intensity(0.5, at: 1)])
      .exportDictionary()
    #expect(dictionary[.version] as? Double == 1)
    let entries = try #require(dictionary[.pattern] as? [[CHHapticPattern.Key: Any]])
    let event = try #require(entries[0][.event] as? [CHHapticPattern.Key: Any])
    #expect(event[.eventType] as? String == "HapticTransient" && event[.time] as? Double == 0.5)
    let parameters = try #require(event[.eventParameters] as? [[CHHapticPattern.Key: Any]])
    #expect(parameters[0][.parameterID] as? String == "HapticIntensity")
    #expect(parameters[0][.parameterValue] as? Float == 0.25)
    let control = try #require(entries[1][.parameter] as? [CHHapticPattern.Key: Any])
    #expect(control[.parameterID] as? String == "HapticIntensityControl" && control[.time] as? Double == 1)
  }

  @Test func aDictionaryOfConstantsIsRead() throws {
    let dictionary: [CHHapticPattern.Key: Any] = [
      .pattern: [
        [
          CHHapticPattern.Key.event: [
            CHHapticPattern.Key.eventType: CHHapticEvent.EventType.hapticContinuous,
            CHHapticPattern.Key.time: 0.25, CHHapticPattern.Key.eventDuration: 1,
            CHHapticPattern.Key.eventParameters: [
              [
                CHHapticPattern.Key.parameterID: CHHapticEvent.ParameterID.hapticIntensity,
                CHHapticPattern.Key.parameterValue: Float(0.5),
              ]
            ],
          ]
        ],
        [
          "ParameterCurve": [
            "ParameterID": "HapticIntensityControl", "Time": 0,
            "ParameterCurveControlPoints": [["Time": 0, "ParameterValue": 1]],
          ]
        ],
      ]
    ]
    let pattern = try CHHapticPattern(dictionary: dictionary)
    #expect(pattern.duration == 1.25)
    expectEqual(
      try rendered(pattern, seconds: 0.5),
      try rendered(.buzz(at: 0.25, for: 1, 0.5, sharpness: 0.422601), seconds: 0.5))
  }

  @Test func aRegisteredSoundIsNotExported() throws {
    let event = CHHapticEvent(audioResourceID: 1, parameters: [], relativeTime: 0)
    let pattern = try CHHapticPattern(events: [event], parameters: [])
    #expect(code { _ = try pattern.exportDictionary() } == .operationNotPermitted)
  }

  static var wrongEvents: [(CHHapticEvent, CHHapticError.Code)] {
    [
      (CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: -1), .invalidEventTime),
      (CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: .nan), .invalidEventTime),
      (CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 1e300), .invalidEventTime),
      (
        CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: -1),
        .invalidEventDuration
      ),
      (
        CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: .infinity),
        .invalidEventDuration
      ),
      (CHHapticEvent(eventType: .init(rawValue: "Buzz"), parameters: [], relativeTime: 0), .invalidEventType),
      (CHHapticEvent(eventType: .audioCustom, parameters: [], relativeTime: 0), .invalidAudioResource),
      (
        CHHapticEvent(
          eventType: .hapticTransient,
          parameters: [CHHapticEventParameter(parameterID: .init(rawValue: "Colour"), value: 1)],
          relativeTime: 0), .invalidParameterType
      ),
    ]
  }

  @Test(arguments: 0..<8)
  func whatIsWrongInAnEventIsRefused(index: Int) {
    let (event, expected) = Self.wrongEvents[index]
    #expect(code { _ = try CHHapticPattern(events: [.tap(), event], parameters: []) } == expected)
  }

  @Test(arguments: [
    ("{}", CHHapticError.Code.invalidPatternDictionary), (#"{"Pattern": 3}"#, .invalidPatternDictionary),
    ("not a pattern", .invalidPatternData), ("", .invalidPatternData),
    (#"{"Pattern": [{"Event": {"Time": 0}}]}"#, .badEventEntry),
    (#"{"Pattern": [{"Event": {"Time": 0, "EventType": "Buzz"}}]}"#, .invalidEventType),
    (#"{"Pattern": [{"Parameter": {"Time": 0, "ParameterValue": 1}}]}"#, .badParameterEntry),
  ])
  func whatIsWrongInBytesIsRefusedWithItsCode(text: String, expected: CHHapticError.Code) throws {
    let scene = try Scene()
    #expect(code { try scene.engine.playPattern(from: Data(text.utf8)) } == expected)
  }

  @Test func aMessageNamesThePlace() throws {
    let text = #"{"Pattern": [{"Event": {"Time": 0, "EventType": "Buzz"}}]}"#
    let scene = try Scene()
    let error = #expect(throws: CHHapticError.self) {
      try scene.engine.playPattern(from: Data(text.utf8))
    }
    #expect(error?.localizedDescription.contains("Pattern[0].Event.EventType") == true)
    #expect(error?.userInfo["Error"] as? String != nil)
  }

  @Test func aMissingFileIsNotFound() {
    let error = #expect(throws: CHHapticError.self) {
      try CHHapticPattern(contentsOf: URL(fileURLWithPath: "/nowhere/at/all.ahap"))
    }
    #expect(
      error?.code == .fileNotFound && error?.localizedDescription.contains("/nowhere/at/all.ahap") == true)
    #expect(
      code { _ = try CHHapticPattern(contentsOf: #require(URL(string: "https://a.b/c"))) } == .fileNotFound)
  }

  @Test func everyCaseFileIsRefusedWithTheCodeOfItsReading() throws {
    guard let folder = SharedFiles.locate("cases/bad-files", for: "bad files by the API") else { return }
    let expected: [String: CHHapticError.Code] = [
      "unknown-event-type": .invalidEventType, "unknown-parameter": .invalidParameterType,
      "negative-time": .invalidEventTime, "too-large-number": .invalidEventTime,
      "negative-duration": .invalidEventDuration, "missing-type": .badEventEntry,
      "parameter-no-id": .badParameterEntry,
    ]
    for (name, expected) in expected {
      let url = folder.appendingPathComponent("\(name).ahap")
      #expect(code { _ = try CHHapticPattern(contentsOf: url) } == expected, "\(name)")
    }
  }
}
