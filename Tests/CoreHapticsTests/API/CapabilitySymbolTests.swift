import CoreHaptics
import CoreHapticsTesting
import Testing

@Suite struct CapabilitySymbolTests {
  let capability: any CHHapticDeviceCapability =
    VirtualHaptics().use { CHHapticEngine.capabilitiesForHardware() }

  @Test func supportIsTold() {
    let (haptics, audio): (Bool, Bool) = (capability.supportsHaptics, capability.supportsAudio)
    #expect(haptics && audio)
  }

  /// Parameter, event types that have it, range, and the default of continuous and audio events.
  static let eventParameters:
    [(CHHapticEvent.ParameterID, [CHHapticEvent.EventType], ClosedRange<Float>, Float)] = [
      (.hapticIntensity, [.hapticContinuous], 0...1, 0.6),
      (.hapticIntensity, [.hapticTransient], 0...1, 0.75),
      (.hapticSharpness, [.hapticContinuous], 0...1, 0.422601),
      (.hapticSharpness, [.hapticTransient], 0...1, 0.5),
      (.attackTime, [.hapticContinuous, .audioContinuous, .audioCustom], 0...1, 0),
      (.decayTime, [.hapticContinuous, .audioContinuous, .audioCustom], 0...1, 0),
      (.releaseTime, [.hapticContinuous, .audioContinuous, .audioCustom], 0...1, 0),
      (.sustained, [.hapticContinuous, .audioContinuous, .audioCustom], 0...1, 1),
      (.audioVolume, [.audioContinuous, .audioCustom], 0...1, 1),
      (.audioPitch, [.audioContinuous, .audioCustom], -1...1, 0),
      (.audioPan, [.audioContinuous, .audioCustom], -1...1, 0),
      (.audioBrightness, [.audioContinuous, .audioCustom], 0...1, 1),
    ]

  @Test(arguments: eventParameters.indices)
  func anEventParameterHasARangeAndADefault(index: Int) throws {
    let (id, types, range, value) = Self.eventParameters[index]
    for type in types {
      let attributes: any CHHapticParameterAttributes = try capability.attributes(
        forEventParameter: id, eventType: type)
      #expect(attributes.minValue == range.lowerBound && attributes.maxValue == range.upperBound)
      #expect(attributes.defaultValue == value)
    }
  }

  @Test(arguments: [
    (CHHapticEvent.ParameterID.audioVolume, CHHapticEvent.EventType.hapticTransient),
    (.audioPan, .hapticContinuous), (.hapticIntensity, .audioContinuous), (.hapticSharpness, .audioCustom),
    (.sustained, .hapticTransient), (.attackTime, .hapticTransient),
    (CHHapticEvent.ParameterID(rawValue: "Colour"), .hapticTransient),
  ])
  func aParameterThatTheEventDoesNotHaveIsRefused(
    id: CHHapticEvent.ParameterID, type: CHHapticEvent.EventType
  ) {
    let error = #expect(throws: CHHapticError.self) {
      try capability.attributes(forEventParameter: id, eventType: type)
    }
    #expect(error?.code == .invalidParameterType)
  }

  @Test func anUnknownEventTypeIsRefused() {
    let error = #expect(throws: CHHapticError.self) {
      try capability.attributes(
        forEventParameter: .hapticIntensity, eventType: CHHapticEvent.EventType(rawValue: "Buzz"))
    }
    #expect(error?.code == .invalidEventType)
  }

  @Test(arguments: [
    CHHapticDynamicParameter.ID.hapticIntensityControl, .audioVolumeControl,
  ])
  func aMultiplierIsNeutralAtOne(id: CHHapticDynamicParameter.ID) throws {
    let attributes = try capability.attributes(forDynamicParameter: id)
    #expect(attributes.minValue == 0 && attributes.maxValue == 1 && attributes.defaultValue == 1)
  }

  @Test(arguments: [
    CHHapticDynamicParameter.ID.hapticSharpnessControl, .hapticAttackTimeControl, .hapticDecayTimeControl,
    .hapticReleaseTimeControl, .audioPanControl, .audioBrightnessControl, .audioPitchControl,
    .audioAttackTimeControl, .audioDecayTimeControl, .audioReleaseTimeControl,
  ])
  func anAddendIsNeutralAtZero(id: CHHapticDynamicParameter.ID) throws {
    let attributes = try capability.attributes(forDynamicParameter: id)
    #expect(attributes.minValue == -1 && attributes.maxValue == 1 && attributes.defaultValue == 0)
  }

  @Test func anUnknownDynamicParameterIsRefused() {
    let error = #expect(throws: CHHapticError.self) {
      try capability.attributes(forDynamicParameter: CHHapticDynamicParameter.ID(rawValue: "Volume"))
    }
    #expect(error?.code == .invalidParameterType)
  }
}
