import CoreHaptics
import Testing

@Suite struct PatternSymbolTests {
  @Test func fourInitializers() throws {
    let event = CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 1)
    let one = try CHHapticPattern(events: [event], parameters: [])
    let two = try CHHapticPattern(events: [event], parameterCurves: [])
    let dictionary: [CHHapticPattern.Key: Any] = try one.exportDictionary()
    let three = try CHHapticPattern(dictionary: dictionary)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ahap")
    try JSONSerialization.data(withJSONObject: dictionary).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    let four = try CHHapticPattern(contentsOf: file)
    for pattern in [one, two, three, four] {
      let duration: TimeInterval = pattern.duration
      #expect(duration == 1)
    }
    let sendable: any Sendable = one
    let object: NSObject = one
    #expect(sendable as? CHHapticPattern === one && object.isEqual(one))
  }

  @Test(arguments: [
    (CHHapticPattern.Key.version, "Version"), (.pattern, "Pattern"), (.event, "Event"),
    (.eventType, "EventType"), (.time, "Time"), (.eventDuration, "EventDuration"),
    (.eventWaveformPath, "EventWaveformPath"), (.eventParameters, "EventParameters"),
    (.parameter, "Parameter"), (.parameterID, "ParameterID"), (.parameterValue, "ParameterValue"),
    (.parameterCurve, "ParameterCurve"), (.parameterCurveControlPoints, "ParameterCurveControlPoints"),
    (.eventWaveformUseVolumeEnvelope, "EventWaveformUseVolumeEnvelope"),
    (.eventWaveformLoopEnabled, "EventWaveformLoopEnabled"),
  ])
  func keysAreTheirStrings(key: CHHapticPattern.Key, name: String) {
    #expect(key.rawValue == name && CHHapticPattern.Key(rawValue: name) == key)
  }
}
