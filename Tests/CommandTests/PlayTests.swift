import Foundation
import TestSupport
import Testing

/// `thrum play` on the real binary: the virtual actuator, ALSA without a card, and what a person or a script reads.
@Suite("play", .serialized)
struct PlayTests {
  static let notice =
    "thrum play: no sound card (default: No such file or directory); playing on the virtual actuator\n"

  /// An ALSA without any PCM of the machine's.
  static let noCard = ["ALSA_CONFIG_PATH": "/dev/null"]

  /// The lines of a log.
  private func log(_ outcome: ThrumProcess.Outcome) throws -> [[String: Any]] {
    try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("With no card and no device named it plays on the virtual actuator, says so on one line, and 0")
  func virtual() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    let outcome = try ThrumProcess.run(["play", file], environment: Self.noCard)
    #expect(outcome.errors == Self.notice)
    #expect(outcome.output == "")
    #expect(outcome.status == 0)
  }

  @Test("It takes as long as the pattern, and is quiet in a pipe")
  func realTime() throws {
    let text =
      #"{"Pattern": [{"Event": {"EventType": "HapticContinuous", "Time": 0, "EventDuration": 0.5}}]}"#
    let start = ContinuousClock.now
    let outcome = try ThrumProcess.run(["play", "-d", "virtual", "-"], input: Array(text.utf8))
    let duration = ContinuousClock.now - start
    #expect(outcome.errors == "" && outcome.output == "" && outcome.status == 0)
    #expect(duration >= .milliseconds(500))
  }

  @Test(
    "The log has every event with seconds, render frame and device frame, pass after pass, file after file")
  func json() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"Pattern": [
        {"Event": {"EventType": "HapticTransient", "Time": 0.05}},
        {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "Time": 0, "ParameterCurveControlPoints": [
          {"Time": 0, "ParameterValue": 1}]}},
        {"Event": {"EventType": "HapticContinuous", "Time": 0, "EventDuration": 0.1}}
      ]}
      """
    try folder.write(text, to: "a.ahap")
    try folder.write(tapText, to: "b.ahap")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "virtual", "-r", "48000", "-a", "none", "--json", "--loop", "2", "a.ahap", "b.ahap"],
      in: folder.path(""))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try log(outcome)
    let kinds = lines.compactMap { $0["event"] as? String }
    #expect(
      kinds == [
        "device", "file", "started", "started", "looped", "started", "started", "finished", "file", "started",
        "looped", "started", "finished", "statistics", "end",
      ])
    let started = lines.filter { $0["event"] as? String == "started" }
    #expect(started.compactMap { $0["entry"] as? Int } == [2, 0, 2, 0, 0, 0])
    #expect(started.compactMap { $0["kind"] as? String }.prefix(2) == ["continuous", "transient"])
    #expect(
      started.compactMap { $0["file"] as? String } == Array(repeating: "a.ahap", count: 4) + [
        "b.ahap", "b.ahap",
      ])
    let frames = started.compactMap { $0["renderFrame"] as? Int }
    #expect(frames.prefix(4) == [0, 400, 800, 1200])
    for line in started {
      let frame = try #require(line["renderFrame"] as? Int)
      #expect(line["seconds"] as? Double == Double(frame) / 8000)
      // The kernel delays by 6 render frames.
      #expect(line["deviceFrame"] as? Int == (frame + 6) * 6)
    }
    #expect(lines.last?["xruns"] as? Int == 0)
  }

  @Test("Sound in a pattern is told of in one line")
  func sound() throws {
    let text = """
      {"Pattern": [{"Event": {"EventType": "AudioContinuous", "Time": 0, "EventDuration": 0.05}},
                   {"Event": {"EventType": "HapticTransient", "Time": 0}}]}
      """
    let outcome = try ThrumProcess.run(["play", "-d", "virtual", "-"], input: Array(text.utf8))
    #expect(
      outcome.errors
        == "thrum play: standard input: 1 sound event not played; no channel carries sound, such as --channels "
        + "haptic=1:audio=2\n")
    #expect(outcome.status == 0)
  }

  @Test("Of several files the good ones play, the bad one is told of, and 1")
  func oneBad() throws {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "a.ahap")
    try folder.write("{", to: "b.ahap")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "virtual", "--json", "b.ahap", "a.ahap"], in: folder.path(""))
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("b.ahap:1:"))
    #expect(try log(outcome).contains { $0["event"] as? String == "finished" })
    #expect(outcome.status == 1)
  }

  @Test("Counts of what went wrong are told at the end")
  func counts() throws {
    let events = Array(repeating: #"{"Event": {"EventType": "HapticTransient", "Time": 0}}"#, count: 8)
    let text = "{\"Pattern\": [\(events.joined(separator: ","))]}"
    let outcome = try ThrumProcess.run(
      ["play", "-d", "virtual", "-a", "none", "-f", "s16", "-"], input: Array(text.utf8))
    #expect(outcome.errors.hasPrefix("thrum play: "))
    #expect(outcome.errors.hasSuffix(" samples clipped (lower --gain)\n"))
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.status == 0)
  }

  @Test(
    "Case alsa-no-card, checks 1 and 2: a named device that fails is 1, three lines at most, no lines of alsa-lib's"
  )
  func brokenDevice() throws {
    guard let folder = SharedFiles.locate("cases/alsa-no-card", for: "alsa-no-card") else { return }
    let home = try TemporaryFolder()
    try home.makeFolder(".config/thrum")
    try home.write("device = thrum_broken\n", to: ".config/thrum/config")
    let conf = ["ALSA_CONFIG_PATH": folder.appendingPathComponent("asound.conf").path]
    let input = folder.appendingPathComponent("input.ahap").path
    for (words, added) in [
      (["--device", "thrum_broken"], [:]), ([], ["THRUM_DEVICE": "thrum_broken"]),
      ([], ["HOME": home.path("")]),
    ] {
      let outcome = try ThrumProcess.run(["play", input] + words, environment: conf.merging(added) { $1 })
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.hasPrefix(
          "thrum play: cannot open sound device \"thrum_broken\": No such file or directory\n"))
      #expect(outcome.errorLines.count <= 3)
      #expect(outcome.errors.contains("thrum devices"))
      #expect(!outcome.errors.contains("ALSA lib"))
    }
    let absent = try ThrumProcess.run(["play", input, "-d", "nobody"], environment: conf)
    #expect(absent.errors.hasPrefix("thrum play: cannot open sound device \"nobody\": "))
    #expect(!absent.errors.contains("ALSA lib"))
    #expect(absent.status == 1)
    let verbose = try ThrumProcess.run(["play", "-v", input, "-d", "nobody"], environment: conf)
    #expect(verbose.errors.contains("ALSA lib"))
    #expect(verbose.status == 1)
    let unnamed = try ThrumProcess.run(["play", input], environment: conf)
    #expect(unnamed.errors == Self.notice)
    #expect(unnamed.status == 0)
  }

  @Test("Case alsa-no-card, checks 3 and 4: devices lists nothing with a reason, and 0; files need no card")
  func noCard() throws {
    guard let folder = SharedFiles.locate("cases/alsa-no-card", for: "alsa-no-card") else { return }
    let conf = ["ALSA_CONFIG_PATH": folder.appendingPathComponent("asound.conf").path]
    let input = folder.appendingPathComponent("input.ahap").path
    for words in [["render", input, "-o", "-"], ["check", input], ["inspect", input]] {
      let outcome = try ThrumProcess.run(words, environment: conf)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    let list = try ThrumProcess.run(["devices"], environment: conf)
    #expect(list.status == 0)
    #expect(list.errors == "")
    #expect(list.output.contains("\nplay would use the virtual actuator, since no device was named"))
    let json = try ThrumProcess.run(["devices", "--json"], environment: conf)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
    let choice = try #require(object["choice"] as? [String: Any])
    #expect(choice["device"] as? String == "virtual")
    let cards = try #require(object["cards"] as? [Any])
    // A machine with a card is no case of this, but the rest still holds on it.
    if cards.isEmpty {
      #expect((object["reason"] as? String)?.isEmpty == false)
      #expect(list.output.hasPrefix("No sound card. "))
    }
  }

  @Test("devices tells the choice and its reason", arguments: ["option", "environment"])
  func choice(by source: String) throws {
    let words = source == "option" ? ["--device", "hw:7"] : []
    let environment = source == "option" ? [:] : ["THRUM_DEVICE": "hw:7"]
    let outcome = try ThrumProcess.run(["devices"] + words, environment: environment)
    let name = source == "option" ? "--device" : "THRUM_DEVICE"
    #expect(outcome.output.hasSuffix("\nplay would use hw:7, named by \(name).\n"))
    #expect(outcome.status == 0)
  }

  @Test(
    "Case alsa-short-and-tail: what ALSA was given is the whole render to the byte, between zeros only",
    arguments: ["tap", "tail"], [(8000, "s32"), (8000, "float"), (48000, "s16"), (44100, "s24_3")])
  func shortAndTail(name: String, signal: (rate: Int, format: String)) throws {
    guard let folder = SharedFiles.locate("cases/alsa-short-and-tail", for: "alsa-short-and-tail") else {
      return
    }
    let conf = ["ALSA_CONFIG_PATH": folder.appendingPathComponent("asound.conf").path]
    let file = folder.appendingPathComponent("\(name).ahap").path
    let signalWords = ["-a", "none", "-r", "\(signal.rate)", "-f", signal.format]
    let wave = try WAVFile(try ThrumProcess.run(["render", file, "-o", "-"] + signalWords).outputBytes)
    let width = wave.bits / 8
    for options in [[], ["--period", "2730f"]] {
      for run in 1...3 {
        let place = try TemporaryFolder()
        let words = ["play", "-d", "thrum_capture", "--json", file] + signalWords + options
        let outcome = try ThrumProcess.run(words, in: place.path(""), environment: conf)
        #expect(outcome.status == 0, "run \(run): \(outcome.errors)")
        let device = try #require(try log(outcome).first)
        #expect(device["format"] as? String == signal.format)
        #expect(device["rate"] as? Int == signal.rate)
        #expect(device["channels"] as? Int == 1)
        let captured = trimmed(try SharedFiles.bytes(of: place.url("capture.raw")), width: width)
        let expected = trimmed(wave.bytes, width: width)
        // Whole arrays in the message would be pages of numbers.
        let isEqual = !expected.isEmpty && captured == expected
        #expect(isEqual, "run \(run), \(options): \(captured.count) bytes, \(expected.count) expected")
      }
    }
  }

  /// Bytes without the samples of zero at both ends.
  private func trimmed(_ bytes: [UInt8], width: Int) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { $0 != 0 }), let last = bytes.lastIndex(where: { $0 != 0 })
    else {
      return []
    }
    return bytes[(first - first % width)..<(last - last % width + width)]
  }
}
