import Glibc

/// The keys of an AHAP file.
enum AHAPKey: UInt8, CaseIterable {
  case version, pattern, metadata
  case event, parameter, parameterCurve
  case eventType, time, eventDuration, eventParameters
  case eventWaveformPath, eventWaveformUseVolumeEnvelope, eventWaveformLoopEnabled
  case parameterID, parameterValue, parameterCurveControlPoints
  /// A key that the format does not have.
  case unknown

  /// The key as the file spells it.
  var name: StaticString {
    switch self {
    case .version: "Version"
    case .pattern: "Pattern"
    case .metadata: "Metadata"
    case .event: "Event"
    case .parameter: "Parameter"
    case .parameterCurve: "ParameterCurve"
    case .eventType: "EventType"
    case .time: "Time"
    case .eventDuration: "EventDuration"
    case .eventParameters: "EventParameters"
    case .eventWaveformPath: "EventWaveformPath"
    case .eventWaveformUseVolumeEnvelope: "EventWaveformUseVolumeEnvelope"
    case .eventWaveformLoopEnabled: "EventWaveformLoopEnabled"
    case .parameterID: "ParameterID"
    case .parameterValue: "ParameterValue"
    case .parameterCurveControlPoints: "ParameterCurveControlPoints"
    case .unknown: ""
    }
  }

  /// The position of the key in a set of keys.
  var bit: UInt32 { 1 << UInt32(rawValue) }

  /// Finds the key spelled by the bytes.
  init(spelled bytes: UnsafeRawBufferPointer) {
    self =
      switch bytes.count {
      case 4: bytes.spell(.time) ? .time : .unknown
      case 5: bytes.spell(.event) ? .event : .unknown
      case 7: bytes.spell(.pattern) ? .pattern : bytes.spell(.version) ? .version : .unknown
      case 8: bytes.spell(.metadata) ? .metadata : .unknown
      case 9: bytes.spell(.eventType) ? .eventType : bytes.spell(.parameter) ? .parameter : .unknown
      case 11: bytes.spell(.parameterID) ? .parameterID : .unknown
      case 13: bytes.spell(.eventDuration) ? .eventDuration : .unknown
      case 14:
        bytes.spell(.parameterValue)
          ? .parameterValue : bytes.spell(.parameterCurve) ? .parameterCurve : .unknown
      case 15: bytes.spell(.eventParameters) ? .eventParameters : .unknown
      case 17: bytes.spell(.eventWaveformPath) ? .eventWaveformPath : .unknown
      case 24: bytes.spell(.eventWaveformLoopEnabled) ? .eventWaveformLoopEnabled : .unknown
      case 27: bytes.spell(.parameterCurveControlPoints) ? .parameterCurveControlPoints : .unknown
      case 30: bytes.spell(.eventWaveformUseVolumeEnvelope) ? .eventWaveformUseVolumeEnvelope : .unknown
      default: .unknown
      }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are exactly the name.
  @inline(__always)
  func spell(_ name: StaticString) -> Bool {
    count == name.utf8CodeUnitCount && baseAddress.map { memcmp($0, name.utf8Start, count) == 0 } ?? false
  }

  /// Whether the bytes are exactly the key; the lengths are known to be equal.
  @inline(__always)
  fileprivate func spell(_ key: AHAPKey) -> Bool { spell(key.name) }
}

/// The objects of an AHAP file.
enum AHAPObject {
  case top, entry, event, eventParameter, parameter, curve, controlPoint

  /// What to call it in a message.
  var noun: String {
    switch self {
    case .top: "the top level"
    case .entry: "a pattern entry"
    case .event: "an event"
    case .eventParameter: "an event parameter"
    case .parameter: "a parameter"
    case .curve: "a curve"
    case .controlPoint: "a control point"
    }
  }

  /// The keys it can have.
  var keys: [AHAPKey] {
    switch self {
    case .top: [.version, .metadata, .pattern]
    case .entry: [.event, .parameter, .parameterCurve]
    case .event:
      [
        .eventType, .time, .eventDuration, .eventParameters, .eventWaveformPath,
        .eventWaveformUseVolumeEnvelope, .eventWaveformLoopEnabled,
      ]
    case .eventParameter: [.parameterID, .parameterValue]
    case .parameter: [.parameterID, .parameterValue, .time]
    case .curve: [.parameterID, .time, .parameterCurveControlPoints]
    case .controlPoint: [.time, .parameterValue]
    }
  }

  /// The same keys as a set of their bits.
  var keySet: UInt32 {
    switch self {
    case .top: AHAPKey.version.bit | AHAPKey.metadata.bit | AHAPKey.pattern.bit
    case .entry: AHAPKey.event.bit | AHAPKey.parameter.bit | AHAPKey.parameterCurve.bit
    case .event:
      AHAPKey.eventType.bit | AHAPKey.time.bit | AHAPKey.eventDuration.bit | AHAPKey.eventParameters.bit
        | AHAPKey.eventWaveformPath.bit | AHAPKey.eventWaveformUseVolumeEnvelope.bit
        | AHAPKey.eventWaveformLoopEnabled.bit
    case .eventParameter: AHAPKey.parameterID.bit | AHAPKey.parameterValue.bit
    case .parameter: AHAPKey.parameterID.bit | AHAPKey.parameterValue.bit | AHAPKey.time.bit
    case .curve: AHAPKey.parameterID.bit | AHAPKey.time.bit | AHAPKey.parameterCurveControlPoints.bit
    case .controlPoint: AHAPKey.time.bit | AHAPKey.parameterValue.bit
    }
  }
}

extension EventType {
  /// Finds the event type spelled by the bytes.
  init?(spelled bytes: UnsafeRawBufferPointer) {
    if bytes.spell("HapticTransient") {
      self = .hapticTransient
    } else if bytes.spell("HapticContinuous") {
      self = .hapticContinuous
    } else if bytes.spell("AudioContinuous") {
      self = .audioContinuous
    } else if bytes.spell("AudioCustom") {
      self = .audioCustom
    } else {
      return nil
    }
  }
}

extension EventParameterID {
  /// Finds the event parameter spelled by the bytes.
  init?(spelled bytes: UnsafeRawBufferPointer) {
    let found: EventParameterID? =
      switch bytes.count {
      case 8: bytes.spell("AudioPan") ? .audioPan : nil
      case 9: bytes.spell("DecayTime") ? .decayTime : bytes.spell("Sustained") ? .sustained : nil
      case 10: bytes.spell("AttackTime") ? .attackTime : bytes.spell("AudioPitch") ? .audioPitch : nil
      case 11: bytes.spell("ReleaseTime") ? .releaseTime : bytes.spell("AudioVolume") ? .audioVolume : nil
      case 15:
        bytes.spell("HapticIntensity")
          ? .hapticIntensity
          : bytes.spell("HapticSharpness")
            ? .hapticSharpness : bytes.spell("AudioBrightness") ? .audioBrightness : nil
      default: nil
      }
    guard let found else { return nil }
    self = found
  }
}

extension DynamicParameterID {
  /// Finds the dynamic parameter spelled by the bytes.
  init?(spelled bytes: UnsafeRawBufferPointer) {
    let found: DynamicParameterID? =
      switch bytes.count {
      case 15: bytes.spell("AudioPanControl") ? .audioPanControl : nil
      case 17: bytes.spell("AudioPitchControl") ? .audioPitchControl : nil
      case 18: bytes.spell("AudioVolumeControl") ? .audioVolumeControl : nil
      case 21: bytes.spell("AudioDecayTimeControl") ? .audioDecayTimeControl : nil
      case 22:
        bytes.spell("HapticIntensityControl")
          ? .hapticIntensityControl
          : bytes.spell("HapticSharpnessControl")
            ? .hapticSharpnessControl
            : bytes.spell("HapticDecayTimeControl")
              ? .hapticDecayTimeControl
              : bytes.spell("AudioBrightnessControl")
                ? .audioBrightnessControl
                : bytes.spell("AudioAttackTimeControl") ? .audioAttackTimeControl : nil
      case 23:
        bytes.spell("HapticAttackTimeControl")
          ? .hapticAttackTimeControl
          : bytes.spell("AudioReleaseTimeControl") ? .audioReleaseTimeControl : nil
      case 24: bytes.spell("HapticReleaseTimeControl") ? .hapticReleaseTimeControl : nil
      default: nil
      }
    guard let found else { return nil }
    self = found
  }
}
