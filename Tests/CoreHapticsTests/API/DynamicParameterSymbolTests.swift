import CoreHaptics
import Testing

@Suite struct DynamicParameterSymbolTests {
  @Test(arguments: [
    (CHHapticDynamicParameter.ID.hapticIntensityControl, "HapticIntensityControl"),
    (.hapticSharpnessControl, "HapticSharpnessControl"),
    (.hapticAttackTimeControl, "HapticAttackTimeControl"),
    (.hapticDecayTimeControl, "HapticDecayTimeControl"),
    (.hapticReleaseTimeControl, "HapticReleaseTimeControl"), (.audioVolumeControl, "AudioVolumeControl"),
    (.audioPanControl, "AudioPanControl"), (.audioBrightnessControl, "AudioBrightnessControl"),
    (.audioPitchControl, "AudioPitchControl"), (.audioAttackTimeControl, "AudioAttackTimeControl"),
    (.audioDecayTimeControl, "AudioDecayTimeControl"), (.audioReleaseTimeControl, "AudioReleaseTimeControl"),
  ])
  func idsAreTheirStrings(id: CHHapticDynamicParameter.ID, name: String) {
    #expect(id.rawValue == name && CHHapticDynamicParameter.ID(rawValue: name) == id)
  }

  @Test func aParameterHasAnIDAValueAndATime() {
    let parameter = CHHapticDynamicParameter(
      parameterID: .hapticIntensityControl, value: 0.5, relativeTime: 1)
    parameter.value = 0.25
    parameter.relativeTime = 2
    let (id, value, time): (CHHapticDynamicParameter.ID, Float, TimeInterval) =
      (parameter.parameterID, parameter.value, parameter.relativeTime)
    let object: NSObject = parameter
    #expect(id == .hapticIntensityControl && value == 0.25 && time == 2 && object.isEqual(parameter))
  }

  @Test func aCurveHasPointsAndATime() {
    let curve = CHHapticParameterCurve(
      parameterID: .hapticSharpnessControl,
      controlPoints: [.init(relativeTime: 0, value: 0), .init(relativeTime: 1, value: 1)], relativeTime: 0.5)
    curve.relativeTime = 0.75
    let points: [CHHapticParameterCurve.ControlPoint] = curve.controlPoints
    points[1].relativeTime = 2
    points[1].value = -1
    let object: NSObject = curve
    #expect(curve.parameterID == .hapticSharpnessControl && curve.relativeTime == 0.75)
    #expect(curve.controlPoints[1].relativeTime == 2 && curve.controlPoints[1].value == -1)
    #expect(object.isEqual(curve) && (points[0] as NSObject).isEqual(points[0]))
  }
}
