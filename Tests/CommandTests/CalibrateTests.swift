import Foundation
import TestSupport
import Testing
import ThrumActuator
import ThrumIdentification

/// `thrum calibrate` on an actuator of the tests' sound card, which nothing but the card's configuration knows.
@Suite("calibrate")
struct CalibrateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An ALSA configuration of a card that drives an actuator and of an input with a sensor on it.
  private func card(_ actuator: String, input: String? = nil) throws -> [String: String] {
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let common = "type thrum_test_card rates \"48000\" channels \"1\" formats \"S32_LE\""
    let path = try folder.write(
      """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.out { \(common) loop "w" frames "\(folder.path("frames"))" motion "\(folder.path("motion"))" \(actuator) }
      pcm.in { \(common) \(input ?? "loop \"w\" loop_delay \"1440\" loop_noise \"-60\" \(actuator)") }

      """, to: "asound.conf")
    return ["ALSA_CONFIG_PATH": path]
  }

  private func calibrate(_ words: [String], _ environment: [String: String]) throws -> ThrumProcess.Outcome {
    try ThrumProcess.run(
      ["calibrate", "-d", "out", "-i", "in", "-p", "20"] + words, environment: environment)
  }

  /// f0 and Q of a resonant actuator.
  private func draw(seed: UInt64) -> (f0: Double, q: Double) {
    var random = SeededGenerator(seed: seed)
    return (random.number(in: 140..<240), random.number(in: 8..<25))
  }

  @Test(
    "f0 is found within 0.2 % and Q within 3 % of an actuator that was drawn at random",
    arguments: [
      (UInt64(11), "acceleration", "accelerometer"), (12, "velocity", "microphone"),
      (13, "current 0.4", "resistor"),
    ])
  func acceptance(seed: UInt64, told: String, sensor: String) throws {
    let plant = draw(seed: seed)
    let outcome = try calibrate(
      ["--sensor", sensor, "-n", "2", "--json"],
      try card("loop_actuator \"\(plant.f0) \(plant.q)\" loop_sensor \"\(told)\""))
    #expect(outcome.status == 0, "seed \(seed), \(plant): \(outcome.errors)")
    let object = try outcome.object()
    let f0 = try #require(object["f0Hz"] as? Double)
    let q = try #require(object["q"] as? Double)
    print("seed \(seed), \(sensor): f0 \(plant.f0) found \(f0), Q \(plant.q) found \(q)")
    #expect(abs(f0 / plant.f0 - 1) <= 0.002, "seed \(seed), \(plant): \(f0)")
    #expect(abs(q / plant.q - 1) <= 0.03, "seed \(seed), \(plant): \(q)")
    #expect(object["braking"] as? Bool == true && object["usable"] as? Bool == true)
    let hertz = try #require(object["hertz"] as? [Double])
    #expect((object["fittedDecibels"] as? [Double])?.count == hertz.count && hertz.count > 100)
  }

  @Test("The profile that is written is loaded, and a click through the actuator has the modelled length")
  func click() throws {
    let plant = draw(seed: 21)
    let environment = try card("loop_actuator \"\(plant.f0) \(plant.q)\"")
    let profile = folder.path("own.json")
    let picture = folder.path("own.png")
    let outcome = try calibrate(["-n", "2", "-o", profile, "--picture", picture], environment)
    #expect(outcome.status == 0, "\(plant): \(outcome.errors)")
    #expect(outcome.output.contains("good enough for braking, which takes f0 within 1 %"))
    #expect(outcome.output.contains("written to \(profile); --actuator takes it"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: picture))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let read = try ActuatorProfile.read(
      bytes: Array(Data(contentsOf: URL(fileURLWithPath: profile))), path: profile)
    #expect(read.name == "own" && read.kind == .lra)
    #expect(read.drive == .halfCycle(overdrives: true, brakes: true))
    #expect(read.measurement?.contains("accelerometer, out to in, channel 1: 2 sweeps") == true)

    // The second tap is too faint to count; it keeps the card playing while the actuator rings.
    let taps = try folder.write(
      """
      {"Version": 1, "Pattern": [
        {"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 1}, {"ParameterID": "HapticSharpness", "ParameterValue": 1}]}},
        {"Event": {"Time": 0.5, "EventType": "HapticTransient", "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 0.01}]}}]}

      """, to: "taps.ahap")
    let played = try ThrumProcess.run(
      ["play", "-d", "out", "-p", "20", "--actuator", profile, taps], environment: environment)
    #expect(played.status == 0, "\(played.errors)")
    let length = try #require(self.length(try motion()))
    // A cycle of drive and one of braking (signal model, section 2): 1.89 / f0 above a tenth of the peak.
    let modelled = 1.89 / plant.f0
    print("\(plant): a click of \(length * 1000) ms, by the model \(modelled * 1000) ms")
    #expect(abs(length / modelled - 1) < 0.1, "\(plant): \(length), \(modelled)")
    // The same without the brake rings by itself.
    let coasting = try folder.write(
      read.text.replacingOccurrences(of: "\"brake\": true", with: "\"brake\": false"), to: "coasting.json")
    let other = try ThrumProcess.run(
      ["play", "-d", "out", "-p", "20", "--actuator", coasting, taps], environment: environment)
    #expect(other.status == 0, "\(other.errors)")
    let ringing = try #require(self.length(try motion()))
    print("without the brake \(ringing * 1000) ms")
    #expect(ringing > 2 * length)
  }

  /// What the actuator did in the last run.
  private func motion() throws -> [Float] {
    try Data(contentsOf: folder.url("motion")).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  /// How long the motion is above a tenth of its peak, seconds.
  private func length(_ motion: [Float]) -> Double? {
    let peak = motion.reduce(0) { max($0, $1.magnitude) }
    guard peak > 0.01, let first = motion.firstIndex(where: { $0.magnitude > peak / 10 }),
      let last = motion.lastIndex(where: { $0.magnitude > peak / 10 })
    else { return nil }
    return Double(last - first) / 48000
  }

  @Test(
    "What is not good enough is refused with the reason, and writes no profile",
    arguments: [
      ("loop \"elsewhere\"", "in, channel 1 is silent: only zeros came in"),
      ("loop \"elsewhere\" loop_noise \"-40\"", "the sweep is not heard on in, channel 1"),
      (
        "loop \"w\" loop_delay \"1440\" loop_noise \"-70\" loop_actuator \"150 14 205 16\"",
        "there are two resonances, at 1"
      ),
      ("loop \"w\" loop_delay \"1440\" loop_noise \"-70\"", "hears has no resonance"),
      (
        "loop \"w\" loop_delay \"1440\" loop_gain \"26\" loop_actuator \"175 15\"",
        "clipped, which makes every resonance blunt"
      ),
    ])
  func refusals(input: String, message: String) throws {
    let profile = folder.path("none.json")
    let outcome = try calibrate(["-n", "1", "-o", profile], try card("", input: input))
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.errorLines.count <= 3)
    #expect(!FileManager.default.fileExists(atPath: profile))
  }

  @Test("ctrl-C in a sweep silences through a ramp")
  func interrupted() throws {
    let process = try ThrumProcess(
      ["calibrate", "-d", "out", "-i", "in", "-p", "20", "-n", "20"],
      environment: try card("loop_actuator \"175 15\""), wiring: .terminal)
    #expect(try process.screen(until: "Enter begins").contains("20 % of the rated amplitude"))
    process.type("\n")
    #expect(try process.screen(until: " Hz; ctrl-C").contains("sweep 1 of 20"))
    process.type("\u{3}")
    #expect(try process.wait().status == 130)
    let samples = try Data(contentsOf: folder.url("frames")).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Float(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)) / 2_147_483_648
      }
    }
    let last = try #require(samples.lastIndex { $0 != 0 })
    #expect(samples.count - last > 900, "the last period is silent")
    #expect(samples.map(\.magnitude).max() ?? 1 < 0.1001)
    // A step of the sweep itself is 0.1 · 2π · 500 / 48000.
    for (left, right) in zip(samples, samples.dropFirst()) { #expect(abs(right - left) < 0.0067) }
  }

  @Test("Sweeps are written, and a recording of them made elsewhere is measured")
  func files() throws {
    let sweeps = folder.path("sweeps.wav")
    let written = try ThrumProcess.run(["calibrate", "--write-sweep", sweeps, "-n", "2", "-r", "16000"])
    #expect(written.status == 0, "\(written.errors)")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: sweeps)))
    let plant = draw(seed: 31)
    var model = ActuatorModel(resonanceHz: plant.f0, q: plant.q, rate: 16000)
    var random = SeededGenerator(seed: 31)
    // In the place of the samples: what an actuator does by them 100 ms later, with noise.
    let start = 44
    let drive = (0..<(bytes.count - start) / 2).map { index in
      Int16(bitPattern: UInt16(bytes[start + 2 * index]) | UInt16(bytes[start + 2 * index + 1]) << 8)
    }
    #expect(drive.count == 2 * Int(3.3 * 16000))
    for index in drive.indices {
      let now = index < 1600 ? 0 : Double(drive[index - 1600]) / 32768
      let sample = model.step(now).acceleration + random.number(in: -0.002..<0.002)
      let value = UInt16(bitPattern: Int16(sample * 32767))
      bytes[start + 2 * index] = UInt8(truncatingIfNeeded: value)
      bytes[start + 2 * index + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }
    let recording = folder.path("recorded.wav")
    try Data(bytes).write(to: URL(fileURLWithPath: recording))
    let outcome = try ThrumProcess.run(["calibrate", "--from", recording, "--json"])
    #expect(outcome.status == 0, "seed 31, \(plant): \(outcome.errors)")
    let object = try outcome.object()
    #expect(object["sweeps"] as? Int == 2)
    let f0 = try #require(object["f0Hz"] as? Double)
    let q = try #require(object["q"] as? Double)
    #expect(abs(f0 / plant.f0 - 1) <= 0.002 && abs(q / plant.q - 1) <= 0.03, "\(plant): \(f0), \(q)")
    let other = try ThrumProcess.run(["calibrate", "--from", recording, "--input-channel", "2"])
    #expect(other.status == 1 && other.errors.contains("has 1 channel; --input-channel asks for 2"))
  }

  @Test("Answers about pairs lead to f0, which is told with its uncertainty and never brakes")
  func ear() throws {
    let plant = ActuatorModel(resonanceHz: 182, q: 14, rate: 48000)
    var staircase = StrengthStaircase(range: 50...400, near: 170, seed: 5)
    var answers = ""
    while !staircase.isDone {
      let pair = staircase.pair
      let difference = log(plant.magnitude(at: pair.first) / plant.magnitude(at: pair.second))
      let answer: StrengthStaircase.Answer =
        abs(difference) < 0.1 ? .neither : difference > 0 ? .first : .second
      answers += answer == .neither ? "=" : answer == .first ? "1" : "2"
      staircase.take(answer)
    }
    let profile = folder.path("by-ear.json")
    let outcome = try ThrumProcess.run(
      ["calibrate", "--by-ear", "-d", "virtual", "--near", "170", "--seed", "5", "-o", profile],
      input: Array(answers.utf8))
    #expect(outcome.status == 0, "\(answers): \(outcome.errors)")
    #expect(outcome.output.contains("not good enough for braking"))
    let read = try ActuatorProfile.read(
      bytes: Array(Data(contentsOf: URL(fileURLWithPath: profile))), path: profile)
    let resonance = try #require(read.resonance)
    #expect(abs(resonance.hz - 182) <= 182 * (resonance.hzUncertainty ?? 0), "\(resonance)")
    #expect(read.drive == .halfCycle(overdrives: true, brakes: false))
    #expect(resonance.hzUncertainty ?? 0 >= 0.03)
  }

  @Test("A person who ends it is told that nothing was found")
  func earEnds() throws {
    let outcome = try ThrumProcess.run(["calibrate", "--by-ear", "-d", "virtual"], input: Array("q".utf8))
    #expect(outcome.status == 1 && outcome.errors.contains("ended before the answers told anything"))
  }

  @Test(
    "What makes no sense is refused before anything is played",
    arguments: [
      (["--from", "a.wav", "--by-ear"], "one way at a time"), (["--picture", "a.gif"], ".png or .svg"),
      (["--level", "0"], "decibels from -60 to -6"), (["--range", "300..200"], "such as 40..500"),
      (["-d", "virtual"], "the virtual actuator does not move"), (["--name", "A b"], "--name takes"),
      (["--sensor", "nose"], "accelerometer, microphone, resistor"),
    ])
  func usage(words: [String], message: String) throws {
    let outcome = try ThrumProcess.run(["calibrate"] + words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
