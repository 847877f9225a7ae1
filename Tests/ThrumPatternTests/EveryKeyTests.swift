import Testing

@testable import ThrumPattern

/// No key is decoded and then reaches no voice without a warning.
///
/// What a voice takes from a pattern is stated here once, by the signal model; whatever else a pattern can
/// carry must be warned of, by its name.
@Suite struct EveryKeyTests {
  /// An event that can carry a parameter.
  enum Host: CaseIterable {
    case transient, sustained, unsustained, audioContinuous, audioCustom

    /// The event parameters that shape its voice.
    var felt: Set<EventParameterID> {
      switch self {
      case .transient: [.hapticIntensity, .hapticSharpness, .attackTime, .decayTime]
      case .sustained: [.hapticIntensity, .hapticSharpness, .attackTime, .releaseTime, .sustained]
      case .unsustained: [.hapticIntensity, .hapticSharpness, .attackTime, .decayTime, .sustained]
      case .audioContinuous, .audioCustom:
        [
          .audioVolume, .audioPitch, .audioPan, .audioBrightness, .attackTime, .releaseTime, .sustained,
        ]
      }
    }

    /// The controls that shape its voice.
    var feltControls: Set<DynamicParameterID> {
      let all: Set<DynamicParameterID> = [
        .hapticIntensityControl, .hapticSharpnessControl, .hapticAttackTimeControl,
      ]
      let heard: Set<DynamicParameterID> = [
        .audioVolumeControl, .audioPanControl, .audioBrightnessControl, .audioPitchControl,
        .audioAttackTimeControl,
      ]
      return switch self {
      case .transient: all.union([.hapticDecayTimeControl])
      case .sustained: all.union([.hapticReleaseTimeControl])
      case .unsustained: all.union([.hapticDecayTimeControl, .hapticReleaseTimeControl])
      // A file that plays to its own end is not released by a control.
      case .audioContinuous: heard.union([.audioReleaseTimeControl])
      case .audioCustom: heard
      }
    }

    /// The event with some more members, its parameters among them.
    func entry(_ more: String = "", parameters list: [(String, String)] = []) -> String {
      var list = list
      let members =
        switch self {
        case .transient: "\"EventType\": \"HapticTransient\""
        case .sustained, .unsustained: "\"EventType\": \"HapticContinuous\", \"EventDuration\": 1"
        case .audioContinuous: "\"EventType\": \"AudioContinuous\", \"EventDuration\": 1"
        case .audioCustom: "\"EventType\": \"AudioCustom\", \"EventWaveformPath\": \"/proc/self/stat\""
        }
      if self == .unsustained, !list.contains(where: { $0.0 == "Sustained" }) {
        list.append(("Sustained", "0"))
      }
      let values = list.map { "{\"ParameterID\": \"\($0.0)\", \"ParameterValue\": \($0.1)}" }
      let all = "\"EventParameters\": [\(values.joined(separator: ", "))]"
      return "{\"Event\": {\"Time\": 0, \(members), \(all)\(more)}}"
    }

    /// The warnings on the event alone.
    func own() throws -> [Diagnostic] { try decode(file(entry())).diagnostics }
  }

  /// The warnings on a file.
  private func warnings(_ text: String) throws -> [Diagnostic] {
    try decode(text).diagnostics.filter { $0.severity == .warning }
  }

  @Test(arguments: Host.allCases)
  func warnsOfParametersThatShapeNoVoice(host: Host) throws {
    let own = try host.own()
    #expect(own.isEmpty, "\(own)")
    for id in EventParameterID.allCases {
      let value = id == .sustained && host == .unsustained ? "0" : "1"
      let warnings = try warnings(file(host.entry(parameters: [(id.rawValue, value)])))
      if host.felt.contains(id) {
        #expect(warnings.isEmpty, "\(host) \(id): \(warnings)")
      } else {
        let isNamed = warnings.contains { $0.message.contains(id.rawValue) }
        #expect(isNamed, "\(host) \(id)")
      }
    }
  }

  @Test(arguments: Host.allCases)
  func warnsOfControlsThatShapeNoVoice(host: Host) throws {
    for id in DynamicParameterID.allCases {
      for entry in [control(id.rawValue, "0.5", at: "0"), curve(id.rawValue, at: "0", ("0", "0.5"))] {
        let warnings = try warnings(file(host.entry(), entry)).filter { $0.keyPath.hasPrefix("Pattern[1]") }
        #expect(warnings.isEmpty == host.feltControls.contains(id), "\(host) \(id): \(warnings)")
        #expect(warnings.allSatisfy { $0.message.contains(id.rawValue) }, "\(host) \(id): \(warnings)")
      }
    }
  }

  /// The member of an event that a key is given by; nil where the key does not belong in an event.
  private func member(_ key: AHAPKey) -> String? {
    switch key {
    case .eventDuration: "\"EventDuration\": 0.5"
    case .eventWaveformPath: "\"EventWaveformPath\": \"/proc/self/stat\""
    case .eventWaveformUseVolumeEnvelope: "\"EventWaveformUseVolumeEnvelope\": false"
    case .eventWaveformLoopEnabled: "\"EventWaveformLoopEnabled\": true"
    default: nil
    }
  }

  @Test(arguments: AHAPKey.allCases)
  func warnsOfKeysThatShapeNoVoice(key: AHAPKey) throws {
    switch key {
    case .eventDuration, .eventWaveformPath, .eventWaveformUseVolumeEnvelope, .eventWaveformLoopEnabled:
      let given = try #require(member(key))
      for host in Host.allCases {
        // The host's own value of the key would be a repeated key, which is warned of for another reason.
        let entry =
          host.entry(", " + given)
          .replacing("\"EventDuration\": 1, ", with: key == .eventDuration ? "" : "\"EventDuration\": 1, ")
          .replacing(
            "\"EventWaveformPath\": \"/proc/self/stat\", \"EventParameters\"",
            with: key == .eventWaveformPath
              ? "\"EventParameters\"" : "\"EventWaveformPath\": \"/proc/self/stat\", \"EventParameters\"")
        let warnings = try warnings(file(entry))
        let isFelt = key == .eventDuration ? host != .transient : host == .audioCustom
        if isFelt {
          // What repeats for ever is told of too.
          let others =
            key == .eventWaveformLoopEnabled
            ? warnings.filter { !$0.message.contains("EventDuration") } : warnings
          #expect(others.isEmpty, "\(host): \(warnings)")
        } else {
          let isNamed = warnings.contains { $0.keyPath == "Pattern[0].Event.\(key.name)" }
          #expect(isNamed, "\(host) \(key): \(warnings)")
        }
      }
    case .unknown:
      #expect(try warnings(file(tap(", \"Colour\": 1"))).map(\.keyPath) == ["Pattern[0].Event.Colour"])
    case .version, .metadata:
      // About the file, not about what is played.
      #expect(
        try decode("{\"Version\": 1, \"Metadata\": {}, \"Pattern\": []}").pattern.entries.isEmpty)
    default:
      // The frame of every pattern: without these keys there is no event and no control. Each is tried by
      // leaving it out of a pattern that has them all; the pattern then is another one, or is refused.
      let whole = file(
        buzz(parameters(("HapticIntensity", "0.25"))).replacing("\"Time\": 0", with: "\"Time\": 0.5"),
        control("HapticIntensityControl", "0.5", at: "0.75"),
        curve("HapticSharpnessControl", at: "0.5", ("0.25", "0.5")))
      let expected = try decode(whole)
      #expect(expected.diagnostics.isEmpty)
      let other = check(whole.replacing("\"\(key.name)\":", with: "\"\(key.name)?\":"))
      #expect(other.pattern != expected.pattern, "\(key.name) changes nothing")
      #expect(!other.diagnostics.isEmpty, "\(key.name) is missed by nobody")
    }
  }
}
