import Foundation
import TestSupport
import Testing

/// `thrum render` and `thrum plot` on the real binary.
@Suite("render and plot")
struct RenderTests {
  private func render(_ file: String, _ options: String...) throws -> ThrumProcess.Outcome {
    try ThrumProcess.run(["render", file, "-o", "-"] + options)
  }

  @Test("A file and a pipe get the same bytes, twice, in every block size")
  func equality() throws {
    let folder = try TemporaryFolder()
    let file = SharedFiles.packageFolder.appendingPathComponent("patterns/swell.ahap").path
    for options in [[], ["--rate", "48000", "--format", "s16"], ["--actuator", "safe", "--rate", "44100"]] {
      let out = folder.path("out.wav")
      let toFile = try ThrumProcess.run(["render", file, "-o", out] + options)
      #expect(toFile.status == 0, "\(toFile.errors)")
      let bytes = try SharedFiles.bytes(of: URL(fileURLWithPath: out))
      #expect(bytes.count > 1000)
      for block in ["1024", "1", "7", "64", "480"] {
        let piped = try ThrumProcess.run(["render", file, "-o", "-", "--block", block] + options)
        #expect(piped.outputBytes == bytes, "block \(block), \(options)")
      }
    }
  }

  @Test(
    "Every format is the WAV file it says",
    arguments: [("s16", 16, false), ("s24_3", 24, false), ("s32", 32, false), ("float", 32, true)])
  func formats(word: String, bits: Int, isFloat: Bool) throws {
    let folder = try TemporaryFolder()
    let outcome = try render(try folder.write(tapText, to: "tap.ahap"), "-f", word, "-r", "16000")
    let wave = try WAVFile(outcome.outputBytes)
    #expect(wave.bits == bits)
    #expect(wave.isFloat == isFloat)
    #expect(wave.rate == 16000)
    #expect(wave.channels == 1)
    #expect(outcome.errors == "")
  }

  @Test("--gain is in dB: -6.0206 halves every sample, and --loop repeats them")
  func gain() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    let full = try WAVFile(try render(file).outputBytes).values()
    let half = try WAVFile(try render(file, "--gain", "-6.020599913279624").outputBytes).values()
    #expect(half.count == full.count)
    let difference = zip(full, half).map { abs($0 / 2 - $1) }.max() ?? 1
    #expect(difference < 1e-7)
    let thrice = try WAVFile(try render(file, "--loop", "3").outputBytes).values()
    // Passes follow each other without touching, so the highest sample comes back each time.
    let peak = full.max()
    #expect(full.count { $0 == peak } == 1)
    #expect(thrice.count { $0 == peak } == 3)
  }

  @Test("--gain above 0 dB passes full scale in float with none, as the model says")
  func gainAboveFullScale() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    let full = try WAVFile(try render(file).outputBytes).values()
    let fourfold = try WAVFile(try render(file, "--gain", "12.041199826559248").outputBytes).values()
    #expect((fourfold.max() ?? 0) > 1.5)
    #expect((zip(full, fourfold).map { abs($0 * 4 - $1) }.max() ?? 1) < 1e-6)
  }

  @Test("--json tells what was written; nothing is told of what did not happen")
  func summary() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    let outcome = try ThrumProcess.run(["render", file, "-o", folder.path("o.wav"), "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.outputBytes)) as? [String: Any])
    let wave = try WAVFile(try SharedFiles.bytes(of: folder.url("o.wav")))
    #expect(object["frames"] as? Int == wave.frames)
    #expect(object["clippedSamples"] as? Int == 0)
    #expect(object["limitedFrames"] as? Int == 0)
    #expect(object["limits"] as? [String: Int] == ["thermal": 0, "excursion": 0, "peak": 0])
    #expect(outcome.errors == "")
    let quiet = try ThrumProcess.run(["render", file, "-o", folder.path("o.wav")])
    #expect(quiet.output == "" && quiet.errors == "")
  }

  @Test("What an actuator's protection turned down is told by its reason")
  func limits() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    let outcome = try ThrumProcess.run([
      "render", file, "-o", folder.path("o.wav"), "--json", "-a", "safe", "--gain", "20",
    ])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.outputBytes)) as? [String: Any])
    let limits = try #require(object["limits"] as? [String: Int])
    let total = try #require(object["limitedFrames"] as? Int)
    let peak = try #require(limits["peak"])
    #expect(peak > 0 && peak <= total)
    #expect(outcome.errors.contains("frames limited (") && outcome.errors.contains("peak \(peak)"))
  }

  @Test("Case overlap-mix, checks 3 and 5: 16 bits saturate, and the clipped samples are counted")
  func overlap() throws {
    guard let folder = SharedFiles.locate("cases/overlap-mix", for: "overlap-mix") else { return }
    let file = folder.appendingPathComponent("six-full.ahap").path
    let float = try WAVFile(try render(file).outputBytes).values()
    let outcome = try render(file, "--format", "s16")
    let integers = try WAVFile(outcome.outputBytes).values()
    #expect(float.count == integers.count)
    let saturated = float.map { min(max($0 * 32767, -32767), 32767).rounded() }
    let largest = zip(saturated, integers).map { abs($0 - $1) }.max()
    #expect(try #require(largest) <= 1)
    let clipped = float.count { abs($0) > 1 }
    #expect(clipped > 0)
    let words = outcome.errors.split(separator: " ")
    let told = try #require(words.firstIndex { $0.hasPrefix("sample") }.flatMap { Int(words[$0 - 1]) })
    // Dither decides on samples within one unit of full scale.
    #expect(abs(told - clipped) <= clipped / 20 + 1)
    #expect(outcome.errors == "thrum render: \(told) samples clipped (lower --gain)\n")
    let half = try render(folder.appendingPathComponent("one-half.ahap").path, "--format", "s16")
    #expect(half.errors == "")
  }

  @Test("Case decimal-comma-locale: every report and every sample is the same under LC_ALL=de_DE.UTF-8")
  func locale() throws {
    guard let case_ = SharedFiles.locate("cases/decimal-comma-locale/input.ahap", for: "decimal-comma-locale")
    else {
      return
    }
    guard let locales = try CommaLocale() else { return }
    let folder = try TemporaryFolder()
    let file = case_.path
    for words in [
      ["render", file, "-o", "-"], ["render", file, "-o", "-", "-f", "s16", "-r", "44100", "-g", "-1.5"],
      ["inspect", file], ["inspect", "--json", file], ["check", "--json", file],
      ["plot", file, "-t", "svg", "-o", "-"], ["render", file, "--json", "-o", folder.path("o.wav")],
    ] {
      let plain = try ThrumProcess.run(words, environment: ["LC_ALL": "C.UTF-8"])
      let comma = try ThrumProcess.run(words, environment: locales.environment)
      #expect(plain.outputBytes == comma.outputBytes, "\(words)")
      #expect(plain.errors == comma.errors)
      #expect(plain.status == 0 && comma.status == 0)
    }
  }

  @Test("A reader that goes away ends render quietly")
  func brokenPipe() throws {
    let folder = try TemporaryFolder()
    let text = #"{"Pattern": [{"Event": {"EventType": "HapticContinuous", "Time": 0, "EventDuration": 20}}]}"#
    try folder.write(text, to: "long.ahap")
    let line = "\(ThrumProcess.path) render long.ahap -o - | head -c 10 | wc -c; echo ${PIPESTATUS[0]}"
    let shell = try ThrumProcess(["-c", line], in: folder.path(""), program: "/bin/bash")
    let outcome = try shell.wait()
    #expect(outcome.output == "10\n141\n")
    #expect(outcome.errors == "")
  }

  @Test("What cannot be written is told, and an older file stays as it was")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    let nowhere = try ThrumProcess.run(["render", file, "-o", folder.path("no/o.wav")])
    #expect(
      nowhere.errors
        == "thrum render: cannot write \(folder.path("no/o.wav")): No such file or directory; "
        + "its folder does not exist\n")
    #expect(nowhere.status == 1)
    let itself = try ThrumProcess.run(["render", file, "-o", file])
    #expect(itself.errors.hasPrefix("thrum render: \(file) is the pattern itself; name another output\n"))
    #expect(itself.status == 2)
    #expect(try String(contentsOf: folder.url("tap.ahap"), encoding: .utf8) == tapText)
    let full = try ThrumProcess.run(["render", file, "-o", "/dev/full"])
    #expect(
      full.errors
        == "thrum render: cannot write /dev/full: No space left on device; nothing was left behind\n")
    #expect(full.status == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(names == ["tap.ahap"])
  }

  @Test("An output that is a link keeps being one; a new file has the usual permissions")
  func links() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    try folder.write("old", to: "real.wav")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.wav"), withDestinationPath: "real.wav")
    #expect(try ThrumProcess.run(["render", file, "-o", folder.path("link.wav")]).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.wav")) == "real.wav")
    #expect(try WAVFile(SharedFiles.bytes(of: folder.url("real.wav"))).frames > 0)
    #expect(try ThrumProcess.run(["render", file, "-o", folder.path("new.wav")]).status == 0)
    let mode =
      try FileManager.default.attributesOfItem(atPath: folder.path("new.wav"))[.posixPermissions] as? Int
    let mask = umask(0)
    umask(mask)
    #expect(mode == 0o666 & ~Int(mask))
  }

  @Test("A pattern that no WAV file can hold is refused before it is rendered")
  func tooLong() throws {
    let text = #"{"Pattern": [{"Event": {"EventType": "HapticTransient", "Time": 1e9}}]}"#
    let outcome = try ThrumProcess.run(["render", "-", "-o", "-"], input: Array(text.utf8))
    #expect(outcome.errors.contains("more than the 4 GiB that a WAV file can hold"))
    #expect(outcome.output == "")
    #expect(outcome.status == 1)
  }

  @Test("plot writes what its name says, and the same twice", arguments: ["png", "svg"])
  func plot(type: String) throws {
    let folder = try TemporaryFolder()
    let file = SharedFiles.packageFolder.appendingPathComponent("patterns/heartbeat.ahap").path
    let named = try ThrumProcess.run(["plot", file, "-o", folder.path("a.\(type)"), "-s", "1"])
    #expect(named.status == 0, "\(named.errors)")
    let piped = try ThrumProcess.run(["plot", file, "-t", type, "-o", "-", "-s", "1"])
    let bytes = try SharedFiles.bytes(of: folder.url("a.\(type)"))
    #expect(piped.outputBytes == bytes)
    let start: [UInt8] = type == "png" ? [0x89, 0x50, 0x4E, 0x47] : Array("<?xml".utf8)
    #expect(bytes.starts(with: start))
    #expect(named.output == "" && named.errors == "")
  }
}
