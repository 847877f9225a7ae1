import ThrumActuator
import ThrumRealtime
import Testing

@Suite("Profiles of actuators as files")
struct ProfileReadingTests {
  /// A profile with everything in it.
  static let whole = """
    {
      "thrumActuator": 1,
      "name": "bench-1",
      "kind": "lra",
      "resonance": { "hz": 174.8, "q": 14.6, "hzUncertaintyPercent": 0.3, "qUncertaintyPercent": 2 },
      "volts": { "fullScalePeak": 4, "ratedRMS": 1.2, "overdrivePeak": 3.4, "overdriveSeconds": 0.05 },
      "gain": 0.9,
      "frequency": { "minimumHz": 160, "maximumHz": 190 },
      "intensity": { "gamma": 1.5 },
      "drive": { "form": "half-cycle", "overdrive": true, "brake": true },
      "protection": { "highPassHz": 30, "thermalSeconds": 2, "excursionRatio": 1.2, "peak": "soft-ceiling", "ceiling": 0.9 },
      "channels": [1, 4],
      "mounting": "glued to a 6 mm plate, 150 g",
      "measurement": "thrum calibrate",
      "notes": "ü"
    }

    """

  private func read(_ text: String) throws(ActuatorProfileError) -> ActuatorProfile {
    try ActuatorProfile.read(bytes: Array(text.utf8), path: "p")
  }

  /// A small profile with some members more.
  private func small(_ more: String, kind: String = "wideband") -> String {
    #"{"thrumActuator": 1, "name": "x", "kind": "\#(kind)"\#(more.isEmpty ? "" : ",\n")\#(more)}"#
  }

  @Test("Every key is read, and written back to the same text")
  func everyKey() throws {
    let profile = try read(Self.whole)
    let expected = ActuatorProfile(
      name: "bench-1", kind: .lra,
      resonance: .init(hz: 174.8, q: 14.6, hzUncertainty: 0.003, qUncertainty: 0.02),
      volts: .init(fullScalePeak: 4, ratedRMS: 1.2, overdrivePeak: 3.4, overdriveSeconds: 0.05), gain: 0.9,
      frequency: .init(minimumHz: 160, maximumHz: 190), law: .power(1.5),
      drive: .halfCycle(overdrives: true, brakes: true),
      protection: .init(
        highPassHz: 30, thermalSeconds: 2, excursionRatio: 1.2, peak: .softCeiling, ceiling: 0.9),
      channels: [1, 4], mounting: "glued to a 6 mm plate, 150 g", measurement: "thrum calibrate", notes: "ü")
    #expect(profile == expected)
    #expect(profile.text == Self.whole)
  }

  @Test("What a profile does not say suits its kind")
  func usual() throws {
    let coil = try read(small(""))
    #expect(coil == ActuatorProfile(name: "x", kind: .wideband))
    let lra = try read(small(#""resonance": {"hz": 175, "q": 15}"#, kind: "lra"))
    #expect(lra.drive == .halfCycle(overdrives: true, brakes: false))
    // The band of the signal model, which is 165.2 to 185.4 Hz for twice the rated amplitude; below the ceiling there
    // is a little less.
    #expect(lra.frequency == .init(minimumHz: 165.4, maximumHz: 185.1))
    #expect(lra.protection?.excursionRatio == 1.3)
    let measured = try read(
      small(#""resonance": {"hz": 175, "q": 15, "hzUncertaintyPercent": 1}"#, kind: "lra"))
    #expect(measured.drive == .halfCycle(overdrives: true, brakes: true))
    let speaker = try read(small(#""speakerCornerHz": 200"#, kind: "speaker"))
    #expect(speaker.octaves == 2 && speaker.protection?.highPassHz == 100)
  }

  @Test("Built-in profiles are right, and survive being written", arguments: ActuatorProfile.builtIn)
  func builtIn(profile: ActuatorProfile) throws {
    #expect(profile.problems() == [])
    #expect(try read(profile.text) == profile)
    #expect(try read(profile.text).text == profile.text)
    #expect(profile.busProfile.name == profile.name && profile.busProfile.flaw == nil)
    #expect((profile.busProfile.protection == nil) == (profile == .none))
  }

  @Test("None and safe are those of the core")
  func core() {
    #expect(ActuatorProfile.none.busProfile == BusProfile.none)
    #expect(ActuatorProfile.safe.busProfile == BusProfile.safe)
  }

  @Test(
    "A mistake is told with file, line, column and key",
    arguments: [
      ("[]", "p:1:1: error: a profile is an object, not a list"),
      ("{", "p:1:2: error: the text ends too early; a key in double quotes belongs here"),
      (#"{"name": "x", "kind": "wideband"}"#, "thrumActuator is missing; \"thrumActuator\": 1 says that"),
      (
        #"{"thrumActuator": 2, "name": "x", "kind": "wideband"}"#,
        "p:1:19: error: thrumActuator takes the version"
      ),
      (#"{"thrumActuator": 1, "kind": "wideband"}"#, "p:1:1: error: name is missing"),
      (#"{"thrumActuator": 1, "name": "x"}"#, "kind is missing, one of wideband, lra, speaker"),
      (#"{"thrumActuator": 1, "name": "X", "kind": "lra"}"#, "p:1:30: error: name takes 1 to 64 lower-case"),
      (
        #"{"thrumActuator": 1, "name": "x", "kind": "LRA"}"#,
        "p:1:43: error: kind takes one of wideband, lra, speaker, not \"LRA\""
      ),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: ActuatorProfileError.self) { try read(text) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "nothing")")
  }

  @Test(
    "A value that is not right is told at its place",
    arguments: [
      (#""reson": 1"#, "p:2:1: error: has an unknown key \"reson\"; the keys are"),
      (#""resonanse": {"hz": 1}"#, "p:2:1: error: has an unknown key \"resonanse\"; did you mean resonance?"),
      (
        #""volts": {"ratedRms": 1}"#,
        "p:2:11: error: volts has an unknown key \"ratedRms\"; did you mean ratedRMS?"
      ),
      (#""resonance": 175"#, "p:2:14: error: resonance takes an object with hz, q,"),
      (#""resonance": {"hz": "175", "q": 15}"#, "p:2:21: error: resonance.hz takes a number, not a text"),
      (#""resonance": {"q": 15}"#, "p:2:14: error: resonance.hz is missing"),
      (
        #""resonance": {"hz": 5, "q": 15}"#,
        "p:2:21: error: resonance.hz takes a number from 10 to 1000, not 5"
      ),
      (#""resonance": {"hz": 65, "q": 300}"#, "resonance.q takes a number from 0.3 to 200, not 300"),
      (
        #""resonance": {"hz": 65, "q": 3, "hzUncertaintyPercent": -1}"#,
        "resonance.hzUncertaintyPercent takes a number from 0 to 100, not -1"
      ),
      (#""gain": 0"#, "p:2:9: error: gain takes a number from 0.001 to 8, not 0"),
      (#""headroom": 9"#, "headroom takes a number from 1 to 8, not 9"),
      (
        #""volts": {"fullScalePeak": 4, "ratedRMS": 2, "overdrivePeak": 2.5}"#,
        "p:2:63: error: volts.overdrivePeak is less than the rated amplitude, 2.828 V: ratedRMS is rms and overdrivePeak a "
          + "peak; give 2.828 or more"
      ),
      (
        #""volts": {"fullScalePeak": 4, "ratedRMS": 1, "overdrivePeak": 3}, "headroom": 2"#,
        "headroom follows from volts.ratedRMS and volts.overdrivePeak"
      ),
      (
        #""volts": {"fullScalePeak": 4, "ratedRMS": 1, "overdriveSeconds": 1}"#,
        "volts.overdriveSeconds says how long volts.overdrivePeak may last, which is missing"
      ),
      (#""frequency": {"minimumHz": 300}"#, "frequency.maximumHz is below frequency.minimumHz, 300"),
      (#""intensity": {"gamma": 5}"#, "p:2:24: error: intensity.gamma takes a number from 1 to 3, not 5"),
      (#""intensity": {"gamma": 1, "sensationDecibels": 40}"#, "intensity takes gamma or sensationDecibels"),
      (#""drive": {"form": "eq"}"#, "drive.form takes one of plain, equalizer, half-cycle, not \"eq\""),
      (#""drive": {"form": "equalizer"}"#, "p:2:19: error: drive.form needs the resonance"),
      (#""drive": {"form": "half-cycle"}"#, "drive.form half-cycle is for the kind lra, not for wideband"),
      (#""drive": {"brake": true}"#, "drive.brake is for the form half-cycle, not for plain"),
      (#""speakerCornerHz": 200"#, "speakerCornerHz is for the kind speaker"),
      (#""protection": {"peak": "look"}"#, "protection.peak takes one of look-ahead, soft-ceiling"),
      (#""protection": {"ceiling": 1.5}"#, "protection.ceiling takes a number from 0.05 to 0.98"),
      (
        #""protection": {"excursionRatio": 1.3}"#, "protection.excursionRatio is estimated from the resonance"
      ),
      (#""protection": null"#, "p:2:15: error: protection is missing; only the built-in profile none"),
      (#""channels": [0]"#, "channels takes numbers from 1 to 64"),
      (#""channels": [1, 1]"#, "none of them twice"), (#""channels": [1.5]"#, "channels takes a list"),
      (#""channels": 1"#, "channels takes a list of whole numbers"),
      (#""notes": 1"#, "notes takes a text, not a number"),
    ])
  func values(more: String, message: String) {
    let error = #expect(throws: ActuatorProfileError.self) { try read(small(more)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "nothing")")
  }

  @Test(
    "Braking takes a measured resonance",
    arguments: [
      (#""hz": 175, "q": 15"#, false), (#""hz": 175, "q": 15, "hzUncertaintyPercent": 1.5"#, false),
      (#""hz": 175, "q": 15, "hzUncertaintyPercent": 1"#, true),
    ], [#""form": "half-cycle", "brake": true"#, #""form": "equalizer""#])
  func braking(resonance: (text: String, isRight: Bool), drive: String) throws {
    let text = small("\"resonance\": {\(resonance.text)}, \"drive\": {\(drive)}", kind: "lra")
    if resonance.isRight {
      #expect(try read(text).busProfile.drive != .none)
    } else {
      let error = #expect(throws: ActuatorProfileError.self) { try read(text) }
      #expect(error?.description.contains("measured, in place, to 1 % or better") == true)
    }
  }

  @Test("Everything that is wrong is told, in the order of the file")
  func several() {
    let error = #expect(throws: ActuatorProfileError.self) {
      try read(small("\"gain\": 99,\n\"channels\": [65],\n\"headroom\": 0.5"))
    }
    #expect(error?.problems.map(\.line) == [2, 3, 4])
    #expect(error?.problems.map(\.keyPath) == ["gain", "channels", "headroom"])
  }

  @Test("Values out of their range are told beside those that cannot be read, and no defaults are")
  func rangesBesideTypes() {
    let error = #expect(throws: ActuatorProfileError.self) {
      try read(
        small("\"gain\": 99,\n\"resonance\": {\"hz\": \"175\",\n\"q\": 900},\n\"headroom\": 0.5", kind: "lra")
      )
    }
    #expect(error?.problems.map(\.keyPath) == ["gain", "resonance.hz", "resonance.q", "headroom"])
    // The band that follows from a resonance is not the file's.
    let band = #expect(throws: ActuatorProfileError.self) {
      try read(small("\"resonance\": {\"hz\": 600, \"q\": 0.5}", kind: "lra"))
    }
    #expect(band?.problems.map(\.keyPath) == ["resonance.hz", "resonance.q"])
  }

  @Test("A loudspeaker has no equalizer, and says so")
  func speakerEqualizer() {
    let error = #expect(throws: ActuatorProfileError.self) {
      try read(
        small(
          "\"speakerCornerHz\": 200, \"resonance\": {\"hz\": 100, \"q\": 1}, \"drive\": {\"form\": \"equalizer\"}",
          kind: "speaker"))
    }
    #expect(error?.problems.map(\.keyPath) == ["drive.form"])
  }

  @Test("A profile that is too long is still a profile")
  func long() {
    let text = "{\"thrumActuator\": 1, \"notes\": \"\(String(repeating: "x", count: 70_000))\"}"
    #expect(ActuatorProfile.isProfile(Array(text.utf8)))
    #expect(!ActuatorProfile.isProfile(Array("{\"Pattern\": []}".utf8)))
  }

  @Test("What is hostile is refused", arguments: [UInt64(8)])
  func hostile(seed: UInt64) throws {
    let text = Array(Self.whole.utf8)
    for length in stride(from: 0, to: text.count - 2, by: 3) {
      #expect(throws: ActuatorProfileError.self) {
        try ActuatorProfile.read(bytes: Array(text[..<length]), path: "p")
      }
    }
    #expect(throws: ActuatorProfileError.self) {
      try ActuatorProfile.read(
        bytes: [UInt8](repeating: 0x20, count: ActuatorProfile.mostBytes + 1), path: "p")
    }
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var (good, bad) = (0, 0)
    for _ in 0..<3000 {
      var changed = text
      changed[next(changed.count)] = Array("0123456789-.e\"{}[],:x".utf8)[next(21)]
      do throws(ActuatorProfileError) {
        let profile = try ActuatorProfile.read(bytes: changed, path: "p")
        // Whatever is let pass, the core takes, and so does the reader again.
        #expect(profile.busProfile.flaw == nil, "seed \(seed)")
        #expect(
          try ActuatorProfile.read(bytes: Array(profile.text.utf8), path: "p") == profile, "seed \(seed)")
        good += 1
      } catch {
        #expect(!error.problems.isEmpty, "seed \(seed)")
        bad += 1
      }
    }
    #expect(good > 100 && bad > 100, "seed \(seed): \(good) read, \(bad) refused")
  }
}
