import Testing

@testable import ThrumRealtime

@Suite("A drive")
struct DriveTests {
  static let profiles: [BusProfile] = [
    BusProfile(
      name: "lra", drive: .resonant(resonanceHz: 175, q: 15), highPassHz: 20,
      protection: .init(excursion: .init(resonanceHz: 175, q: 15))),
    BusProfile(
      name: "slow", law: .power(1.5), drive: .resonant(resonanceHz: 40, q: 4, headroom: 3, brakes: false)),
    BusProfile(
      name: "coil", law: .sensation(40),
      drive: .equalizer(resonanceHz: 65, q: 3, targetHz: 40, targetQ: 0.707), highPassHz: 20,
      protection: .init(peak: .softCeiling)),
    BusProfile(name: "speaker", law: .power(2), drive: .speaker(octaves: 2), protection: .init()),
  ]

  /// A busy pattern with everything that can happen to a player in the midst of it.
  private func rig(_ profile: BusProfile, seed: UInt64, kernel: RenderKernel = .best) -> TestRig {
    var settings = RendererSettings()
    settings.voiceCapacity = seed % 2 == 0 ? 256 : 12
    settings.kernel = kernel
    let rig = TestRig(settings: settings, profiles: [profile])
    rig.play(BusyPattern.schedule(seed: seed, events: 200))
    rig.send(.setControl(player: 0, parameter: .hapticSharpness, value: 0.4), at: 1600)
    rig.send(.setControl(player: 0, parameter: .hapticIntensity, value: 0.5), at: 1608)
    rig.send(.setMuted(player: 0, isMuted: true), at: 2400)
    rig.send(.setMuted(player: 0, isMuted: false), at: 2560)
    rig.send(.setRate(player: 0, rate: 1.5), at: 3200)
    rig.send(.pause(player: 0), at: 4000)
    rig.send(.resume(player: 0), at: 4400)
    rig.send(.stop(player: 0), at: 8000)
    return rig
  }

  @Test("renders the same bits in fills of any size, with every kernel", arguments: profiles, 30..<36)
  func sameBits(profile: BusProfile, seed: UInt64) {
    let expected = rig(profile, seed: seed).render(12_000, by: 480)
    #expect(expected.contains { abs($0) > 0.1 })
    for size in [1, 7, 64, 1024] {
      #expect(
        firstDifference(rig(profile, seed: seed).render(12_000, by: size), expected) == nil,
        "\(profile.name), fills of \(size), seed \(seed)")
    }
    for kernel in KernelTests.kernels {
      #expect(
        firstDifference(rig(profile, seed: seed, kernel: kernel).render(12_000, by: 480), expected) == nil,
        "\(profile.name), \(kernel), seed \(seed)")
    }
  }

  @Test("is silent when all is over", arguments: profiles)
  func ends(profile: BusProfile) {
    let samples = rig(profile, seed: 40).render(24_000, by: 64)
    // The stop fades for 61 frames; then the drive and the filters ring out.
    let end = 8000 + 61 + Int(profile.tailFrames) + 16
    #expect(end < 20_000)
    #expect(samples[end...].allSatisfy { $0 == 0 })
  }

  private static func schedule(_ event: ScheduledEvent) -> TestSchedule {
    TestSchedule(events: [event], durationFrames: event.startFrame + event.durationFrames)
  }

  @Test("keeps in step with one that looks ahead")
  func inStep() {
    let soft = BusProfile(name: "soft", protection: .init(peak: .softCeiling))
    func onset(_ profiles: [BusProfile], bus: Int32) -> Int? {
      let rig = TestRig(profiles: profiles, map: ChannelMap(profiles.indices.map { .haptic(Int32($0)) }))
      rig.play(
        Self.schedule(
          ScheduledEvent(startFrame: 100, durationFrames: 0, kind: .transient, intensity: 1, sharpness: 1)),
        bus: bus)
      return rig.render(400).firstIndex { $0 != 0 }.map { $0 / rig.channels }
    }
    #expect(onset([soft], bus: 0) == 101)
    #expect(onset([.none], bus: 0) == 101)
    #expect(onset([soft, BusProfile(name: "ahead", protection: .init())], bus: 0) == 109)
    #expect(onset([soft, BusProfile(name: "ahead", protection: .init())], bus: 1) == 109)
  }

  @Test("counts what was limited by its kind")
  func counts() {
    func status(_ protection: ActuatorProtection, gain: Float) -> (
      all: Int, rms: Int, excursion: Int, peak: Int
    ) {
      let rig = TestRig(profiles: [BusProfile(name: "p", gain: gain, protection: protection)])
      rig.play(
        Self.schedule(
          ScheduledEvent(startFrame: 0, durationFrames: 8000, kind: .continuous, intensity: 1, sharpness: 0.5)
        ))
      #expect(rig.render(9000).count == 9000)
      let status = rig.port.status
      return (
        status.pointee.limitedFrames.load(ordering: .relaxed),
        status.pointee.thermallyLimitedFrames.load(ordering: .relaxed),
        status.pointee.excursionLimitedFrames.load(ordering: .relaxed),
        status.pointee.peakLimitedFrames.load(ordering: .relaxed)
      )
    }
    let rms = status(.init(ratedSquare: 0.02, thermalSeconds: 0.1), gain: 1)
    #expect(rms.rms > 4000 && rms.excursion == 0 && rms.peak == 0 && rms.all == rms.rms)
    let peak = status(.init(ratedSquare: 1), gain: 2.5)
    #expect(peak.rms == 0 && peak.excursion == 0 && peak.peak > 4000)
    let far = status(.init(ratedSquare: 1, excursion: .init(resonanceHz: 136, q: 10, ratio: 0.2)), gain: 1)
    #expect(far.rms == 0 && far.excursion > 4000 && far.peak == 0)
    let quiet = status(.init(), gain: 0.5)
    #expect(quiet.all == 0)
  }

  @Test("and a protection refuse what is out of range")
  func flaws() {
    for profile in DriveTests.profiles + [.none, .safe] { #expect(profile.flaw == nil) }
    func expect(_ word: String, _ change: (inout BusProfile) -> Void) {
      var profile = BusProfile.safe
      change(&profile)
      let flaw = profile.flaw ?? "nothing"
      #expect(flaw.contains(word))
    }
    expect("power") { $0.law = .power(0.9) }
    expect("power") { $0.law = .power(.nan) }
    expect("dB") { $0.law = .sensation(90) }
    expect("resonanceHz") { $0.drive = .resonant(resonanceHz: 600, q: 15) }
    expect("q is") { $0.drive = .resonant(resonanceHz: 175, q: .nan) }
    expect("headroom") { $0.drive = .resonant(resonanceHz: 175, q: 15, headroom: 0.5) }
    expect("targetHz") { $0.drive = .equalizer(resonanceHz: 65, q: 3, targetHz: 5, targetQ: 1) }
    expect("octaves") { $0.drive = .speaker(octaves: 4) }
    expect("harmonic") {
      $0.maximumHz = 600
      $0.drive = .speaker(octaves: 2)
    }
    expect("ceiling") { $0.protection?.ceiling = 1.1 }
    expect("ratedSquare") { $0.protection?.ratedSquare = 0 }
    expect("thermalSeconds") { $0.protection?.thermalSeconds = .nan }
    expect("q is") { $0.protection?.excursion = .init(resonanceHz: 65, q: 0) }
  }
}
