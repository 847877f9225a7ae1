import CoreHaptics
import Testing

@Suite struct EventSymbolTests {
  @Test func fourInitializersAndFourProperties() {
    let parameter = CHHapticEventParameter(parameterID: .hapticIntensity, value: 0.5)
    let tap = CHHapticEvent(eventType: .hapticTransient, parameters: [parameter], relativeTime: 1)
    let buzz = CHHapticEvent(
      eventType: .hapticContinuous, parameters: [parameter], relativeTime: 1, duration: 2)
    let sound = CHHapticEvent(audioResourceID: 7, parameters: [], relativeTime: 3)
    let cut = CHHapticEvent(audioResourceID: 7, parameters: [], relativeTime: 3, duration: 4)
    let type: CHHapticEvent.EventType = tap.type
    let parameters: [CHHapticEventParameter] = tap.eventParameters
    #expect(type == .hapticTransient && parameters == [parameter])
    #expect(tap.relativeTime == 1 && tap.duration == 0 && buzz.duration == 2)
    #expect(sound.type == .audioCustom && cut.duration == 4)
    buzz.relativeTime = 0.25
    buzz.duration = 0.5
    #expect(buzz.relativeTime == 0.25 && buzz.duration == 0.5)
    let object: NSObject = tap
    #expect(object.isEqual(tap) && !object.isEqual(buzz))
  }

  @Test(arguments: [
    (CHHapticEvent.EventType.hapticTransient, "HapticTransient"), (.hapticContinuous, "HapticContinuous"),
    (.audioContinuous, "AudioContinuous"), (.audioCustom, "AudioCustom"),
  ])
  func eventTypesAreTheirStrings(type: CHHapticEvent.EventType, name: String) {
    #expect(type.rawValue == name && CHHapticEvent.EventType(rawValue: name) == type)
  }

  @Test(arguments: [
    (CHHapticEvent.ParameterID.hapticIntensity, "HapticIntensity"), (.hapticSharpness, "HapticSharpness"),
    (.attackTime, "AttackTime"), (.decayTime, "DecayTime"), (.releaseTime, "ReleaseTime"),
    (.sustained, "Sustained"), (.audioVolume, "AudioVolume"), (.audioPitch, "AudioPitch"),
    (.audioPan, "AudioPan"), (.audioBrightness, "AudioBrightness"),
  ])
  func eventParametersAreTheirStrings(id: CHHapticEvent.ParameterID, name: String) {
    #expect(id.rawValue == name && CHHapticEvent.ParameterID(rawValue: name) == id)
    #expect(Set([id, CHHapticEvent.ParameterID(rawValue: name)]).count == 1)
  }

  @Test func anEventParameterHasAnIDAndAValue() {
    let parameter = CHHapticEventParameter(parameterID: .attackTime, value: 0.5)
    let id: CHHapticEvent.ParameterID = parameter.parameterID
    parameter.value = 0.75
    let value: Float = parameter.value
    let object: NSObject = parameter
    #expect(id == .attackTime && value == 0.75 && object.isEqual(parameter))
  }
}
