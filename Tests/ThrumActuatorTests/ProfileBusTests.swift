import Foundation
import ThrumActuator
import ThrumRealtime
import Testing

/// What the render thread gets of a profile.
@Suite("Profiles as buses")
struct ProfileBusTests {
  @Test("Volts become gain, headroom, ceiling and the time constant of the thermal limit")
  func volts() throws {
    let profile = ActuatorProfile(
      name: "x", kind: .lra, resonance: .init(hz: 175, q: 15, hzUncertainty: 0.002),
      volts: .init(fullScalePeak: 5, ratedRMS: 1, overdrivePeak: 3, overdriveSeconds: 0.1),
      drive: .halfCycle(overdrives: true, brakes: true))
    let bus = profile.busProfile
    let rated = 2.0.squareRoot() / 5
    // Intensity 1 of a continuous event is half of full scale before the gain.
    #expect(abs(Double(bus.gain) * 0.5 - rated) < 1e-6)
    let protection = try #require(bus.protection)
    #expect(abs(protection.ratedSquare - 0.04) < 1e-12)
    #expect(abs(protection.ceiling - 0.6) < 1e-12)
    guard case .resonant(let hz, let q, let headroom, let overdrives, let brakes) = bus.drive else {
      Issue.record("\(bus.drive)")
      return
    }
    #expect(hz == 175 && q == 15 && overdrives && brakes)
    #expect(abs(headroom - 3 / 2.0.squareRoot()) < 1e-12)
    // From rest, e(t) = 1 − exp(−t/τ) of 4.5 times the rated square reaches that after 0.1 s.
    let ratio = 9.0 / 2
    #expect(abs(ratio * (1 - exp(-0.1 / protection.thermalSeconds)) - 1) < 1e-9)
  }

  @Test("A gain lowers the thermal limit with the signal, and never raises it above the rating")
  func gain() throws {
    var profile = ActuatorProfile(
      name: "x", kind: .wideband, volts: .init(fullScalePeak: 4, ratedRMS: 1, overdrivePeak: 2))
    let rated = try #require(profile.busProfile.protection)
    for gain in [0.5, 1, 2, 8] {
      profile.gain = gain
      let bus = profile.busProfile
      #expect(abs(Double(bus.gain) - gain / 2.0.squareRoot()) < 1e-6)
      let protection = try #require(bus.protection)
      let share = min(gain, 1)
      #expect(abs(protection.ratedSquare - rated.ratedSquare * share * share) < 1e-12, "gain \(gain)")
      #expect(protection.ceiling == rated.ceiling)
    }
  }

  @Test("Nothing asks for more than the amplifier gives")
  func amplifier() {
    var profile = ActuatorProfile(
      name: "x", kind: .lra, resonance: .init(hz: 175, q: 15),
      volts: .init(fullScalePeak: 2, ratedRMS: 2, overdrivePeak: 8),
      drive: .halfCycle(overdrives: true, brakes: false))
    #expect(profile.ratedAmplitude == 1 && profile.overdriveRatio == 1)
    #expect(profile.busProfile.gain == 2 && profile.problems() == [])
    profile.volts = nil
    profile.headroom = 4
    // Full scale holds 1.96 times half of it below the ceiling.
    #expect(abs(profile.overdriveRatio - 1.96) < 1e-12)
  }

  @Test(
    "A coil is flattened from as low as 9 dB of boost allow, a resonant actuator made quicker",
    arguments: [(65.0, 40.0), (120, 71.479), (45, 40)])
  func equalizer(hz: Double, target: Double) {
    let coil = ActuatorProfile(
      name: "x", kind: .wideband, resonance: .init(hz: hz, q: 3),
      drive: .equalizer(targetHz: nil, targetQ: nil))
    guard case .equalizer(let from, let q, let to, let targetQ) = coil.busProfile.drive else {
      Issue.record("\(coil.busProfile.drive)")
      return
    }
    #expect(from == hz && q == 3 && abs(to - target) < 1e-3 && targetQ == 0.707)
    let lra = ActuatorProfile(
      name: "x", kind: .lra, resonance: .init(hz: 175, q: 15, hzUncertainty: 0.01), headroom: 1.5,
      drive: .equalizer(targetHz: nil, targetQ: nil))
    #expect(lra.problems() == [])
    #expect(
      lra.busProfile.drive == .equalizer(resonanceHz: 175, q: 15, targetHz: 175, targetQ: 10))
  }

  @Test(
    "A loudspeaker's octaves bring the lowest frequency above its corner",
    arguments: [(60.0, 0), (80, 0), (81, 1), (200, 2), (400, 3)])
  func octaves(corner: Double, octaves: Int) {
    let profile = ActuatorProfile(name: "x", kind: .speaker, speakerCornerHz: corner)
    #expect(profile.busProfile.drive == .speaker(octaves: octaves))
  }

  @Test("A value that is no number is told, and so is what contradicts it")
  func noNumbers() {
    for value in [Double.nan, .infinity, -.infinity] {
      let profile = ActuatorProfile(
        name: "x", kind: .lra, resonance: .init(hz: value, q: value, hzUncertainty: value),
        headroom: value, gain: value, frequency: .init(minimumHz: value, maximumHz: value),
        law: .power(value),
        protection: .init(highPassHz: value, thermalSeconds: value, excursionRatio: value, ceiling: value))
      let keys = Set(profile.problems().map(\.keyPath))
      let expected: Set = [
        "resonance.hz", "resonance.q", "resonance.hzUncertaintyPercent", "headroom", "gain",
        "frequency.minimumHz", "frequency.maximumHz", "intensity.gamma", "protection.highPassHz",
        "protection.thermalSeconds", "protection.excursionRatio", "protection.ceiling",
      ]
      #expect(keys.isSuperset(of: expected), "\(value): \(expected.subtracting(keys))")
    }
  }
}

@Suite("Profiles by name")
struct ProfileLibraryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "thrum-\(UUID().uuidString)")

  @discardableResult
  private func write(_ name: String, _ text: String) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func remove() {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record(error)
    }
  }

  @Test("Built-in names come first, then those of the user's folder; paths are files")
  func names() throws {
    defer { remove() }
    var own = ActuatorProfile(name: "mine", kind: .wideband, gain: 0.5)
    let path = try write("mine.json", own.text)
    own.name = "safe"
    own.gain = 8
    try write("safe.json", own.text)
    try write("Bad Name.json", own.text)
    try write("notes.txt", "x")
    let library = ActuatorLibrary(folder: folder.path)
    #expect(library.names == ActuatorLibrary.builtInNames + ["mine"])
    #expect(try library.profile("mine").gain == 0.5)
    #expect(try library.profile(path).name == "mine")
    #expect(try library.profile("mine.json", relativeTo: folder.path).name == "mine")
    // Who writes safe means safe.
    #expect(try library.profile("safe") == .safe)
    #expect(
      throws: ActuatorLibrary.Problem.unknown("there is no actuator \"mime\"; did you mean mine?")
    ) { try library.profile("mime") }
    // Nobody is led to the profile without protection by a slip.
    let slip = #expect(throws: ActuatorLibrary.Problem.self) { try library.profile("nope") }
    #expect(slip?.description.contains("did you mean") == false)
    let problem = #expect(throws: ActuatorLibrary.Problem.self) { try library.profile("zzzzzz") }
    #expect(
      problem?.description.contains(
        "there are none, safe, wideband, lra-175, lra-235, speaker, dualsense, mine") == true)
  }

  @Test("A file that is not there, a folder and a wrong file are told with their path")
  func files() throws {
    defer { remove() }
    let path = try write("a.json", "{")
    let library = ActuatorLibrary(folder: nil)
    #expect(library.names == ActuatorLibrary.builtInNames)
    let missing = #expect(throws: ActuatorLibrary.Problem.self) { try library.profile("/no/such.json") }
    #expect(missing?.description == "/no/such.json: error: cannot be read: No such file or directory")
    let isFolder = #expect(throws: ActuatorLibrary.Problem.self) { try library.profile(folder.path) }
    #expect(isFolder?.description == "\(folder.path): error: is no file; a profile is a JSON file")
    let broken = #expect(throws: ActuatorLibrary.Problem.self) { try library.profile(path) }
    #expect(broken?.description.hasPrefix("\(path):1:2: error: the text ends too early") == true)
  }
}
