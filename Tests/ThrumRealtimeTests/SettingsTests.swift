import Testing

@testable import ThrumRealtime

/// Makes an output of settings and profiles, which is what checks them.
private func makeOutput(
  _ settings: RendererSettings = RendererSettings(), profiles: [BusProfile] = [.none]
) -> Int {
  let stage = OutputStage(
    settings: settings, profiles: profiles, map: .allHaptic(channels: 1), rate: 8000, format: .float)
  return stage.hapticBusCount
}

/// Makes one with a changed setting.
private func makeOutput(_ change: (inout RendererSettings) -> Void) -> Int {
  var settings = RendererSettings()
  change(&settings)
  return makeOutput(settings)
}

/// Makes one with a changed profile.
private func makeOutput(profile change: (inout BusProfile) -> Void) -> Int {
  var profile = BusProfile.safe
  change(&profile)
  return makeOutput(profiles: [profile])
}

@Suite("An output cannot be made")
struct SettingsTests {
  @Test("without voices, fades, players or engines, or with too many")
  func capacities() async {
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.voiceCapacity = 0 }) }
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.voiceCapacity = 65_537 }) }
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.fadeCapacity = 0 }) }
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.playerCapacity = 0 }) }
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.engineCapacity = 257 }) }
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.commandCapacity = 7 }) }
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.commandCapacity = 8193 }) }
    await #expect(processExitsWith: .failure) { print(makeOutput { $0.notificationCapacity = -1 }) }
  }

  @Test("with a profile that is no number, or beyond what 8 kHz carries")
  func profiles() async {
    await #expect(processExitsWith: .failure) { print(makeOutput(profile: { $0.gain = .nan })) }
    await #expect(processExitsWith: .failure) { print(makeOutput(profile: { $0.gain = .infinity })) }
    await #expect(processExitsWith: .failure) { print(makeOutput(profile: { $0.minimumHz = 0 })) }
    await #expect(processExitsWith: .failure) { print(makeOutput(profile: { $0.maximumHz = 79 })) }
    await #expect(processExitsWith: .failure) { print(makeOutput(profile: { $0.maximumHz = 4000 })) }
    await #expect(processExitsWith: .failure) { print(makeOutput(profile: { $0.highPassHz = .nan })) }
    await #expect(processExitsWith: .failure) { print(makeOutput(profiles: [])) }
  }

  @Test("and says which value is wrong")
  func message() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(makeOutput { $0.fadeCapacity = 0 })
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("fadeCapacity is 1…65,536"))
  }

  @Test("but with any value within its range, and has as many buses as profiles")
  func within() {
    var settings = RendererSettings()
    settings.voiceCapacity = 1
    settings.fadeCapacity = 1
    settings.playerCapacity = 1
    settings.engineCapacity = 1
    settings.commandCapacity = 8
    settings.notificationCapacity = 1
    let wide = BusProfile(name: "wide", minimumHz: 1, maximumHz: 3999, gain: -1000, highPassHz: 1000)
    #expect(makeOutput(settings, profiles: [wide, .none, .safe]) == 3)
    #expect(makeOutput(profile: { $0.maximumHz = $0.minimumHz }) == 1)
  }

  @Test("with a filter whose tail nobody has computed")
  func tails() {
    #expect(BusProfile.none.tailFrames == 0)
    #expect(BusProfile(name: "limited", protection: .init()).tailFrames == 0)
    // e^(−2π·40·t/√2) = 10⁻⁶ at t = 77.74 ms.
    #expect(BusProfile.safe.tailFrames == 622)
    let timing = OutputTiming(rate: 48_000, isLimited: true, tailFrames: 622)
    #expect(timing.endOfSound(afterVoices: 245) == 872 + 8)
    #expect(OutputTiming(rate: 48_000, isLimited: true).endOfSound(afterVoices: 245) == 253)
  }
}
