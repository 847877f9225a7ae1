import Foundation
import Testing

/// `thrum latency` through the wire of the tests' sound card.
@Suite("latency through a wire", .serialized)
struct LatencyLoopTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An ALSA configuration of a card that plays on a wire and one that listens.
  private func wire(
    _ listener: String, format: String = "S32_LE", channels: Int = 1, script: String? = nil
  ) throws -> [String: String] {
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let faults = script.map { "script \"\($0)\"" } ?? ""
    let path = try folder.write(
      """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.out { type thrum_test_card rates "48000" channels "\(channels)" formats "\(format)" loop "w" log "\(folder.path("log"))" \(faults) }
      pcm.in { type thrum_test_card rates "48000" channels "\(channels)" formats "\(format)" \(listener) }

      """, to: "asound.conf")
    return ["ALSA_CONFIG_PATH": path]
  }

  private func remains(_ object: [String: Any], _ key: String = "medianFrames") throws -> Double {
    let part = try #require(object["remains"] as? [String: Any])
    return try #require(part[key] as? Double)
  }

  @Test("A thousand trials at 20 dB over the noise each lie within 0.05 frames of the wire's delay")
  func acceptance() throws {
    // The sequence's power is 9.9 dB below its peak, which is played at −12 dB of full scale.
    let environment = try wire("loop \"w\" loop_delay \"300.25\" loop_noise \"-42\"")
    let outcome = try ThrumProcess.run(
      ["latency", "--loopback", "-d", "out", "-i", "in", "-n", "1000", "-p", "40", "--json"],
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try outcome.object()
    #expect(object["count"] as? Int == 1000)
    let ratio = try #require(object["signalToNoise"] as? Double)
    #expect((19...25).contains(ratio))
    let part = try #require(object["remains"] as? [String: Any])
    let frames = try #require(part["frames"] as? [Double])
    #expect(frames.count == 1000)
    // The trials of one stretch between two xruns share the error of their clocks, which is told.
    let error = try remains(object, "commonErrorFrames")
    #expect(error < 0.025)
    let worst = frames.map { abs($0 - 300.25) }.max() ?? .infinity
    let median = try remains(object)
    #expect(worst < 0.05, "median \(median), worst by \(worst), error \(error)")
  }

  @Test(
    "Every format, a second channel, a turned wire and a click are heard alike",
    arguments: [
      ("S16_LE", 1, "0", "mls"), ("S24_LE", 1, "0", "mls"), ("S24_3LE", 1, "-6", "mls"),
      ("FLOAT_LE", 2, "-40", "mls"),
      ("S32_LE", 1, "0", "click"),
    ])
  func formats(format: String, channels: Int, gain: String, signal: String) throws {
    let environment = try wire(
      "loop \"w\" loop_delay \"480\" loop_gain \"\(gain)\" loop_noise \"-100\"", format: format,
      channels: channels)
    let outcome = try ThrumProcess.run(
      [
        "latency", "--loopback", "-d", "out", "-i", "in", "-n", "60", "-p", "40", "--input-channel",
        "\(channels)",
        "--signal", signal, "--json",
      ], environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try outcome.object()
    #expect(object["inputFormat"] as? String == format)
    #expect(object["count"] as? Int == 60)
    let heard = try #require(object["heardGain"] as? Double)
    #expect(abs(heard - (Double(gain) ?? .nan)) < 0.1)
    // Sixty trials have few pairs of the clocks: the error that it tells of holds all the same, three times over.
    let error = try remains(object, "commonErrorFrames")
    let median = try remains(object)
    #expect(abs(median - 480) < max(3 * error, 0.02) + 0.03, "\(median), error \(error)")
  }

  @Test(
    "The round trip is what both devices tell and what remains, and each trial has a line of CSV with all three"
  )
  func parts() throws {
    let environment = try wire("loop \"w\" loop_delay \"480\"")
    let outcome = try ThrumProcess.run(
      ["latency", "--loopback", "-d", "out", "-i", "in", "-n", "30", "-p", "40", "--csv"],
      environment: environment)
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    #expect(
      lines.first == [
        "trial", "frames", "ms", "playbackDelay", "captureDelay", "remainsFrames", "signalToNoiseDecibels",
      ], "\(outcome.errors)")
    #expect(lines.count == 31)
    for line in lines.dropFirst() {
      let values = line.compactMap(Double.init)
      #expect(abs(values[1] - values[3] - values[4] - values[5]) < 0.02, "\(line)")
      #expect(abs(values[1] / 48 - values[2]) < 0.001, "\(line)")
    }
  }

  @Test(
    "What cannot be heard is refused with the reason and what to try",
    arguments: [
      (
        "loop \"elsewhere\" loop_noise \"-60\"", "in",
        "nothing was heard of the probe on in, channel 1: all there is are -60 dB of noise"
      ),
      ("loop \"elsewhere\"", "in", "channel 1: it is silent"),
      ("loop \"w\" loop_gain \"-80\" loop_noise \"-30\"", "in", "nothing was heard"),
      ("loop \"w\"", "nobody", "arecord -l"),
    ])
  func refusals(listener: String, input: String, message: String) throws {
    let outcome = try ThrumProcess.run(
      ["latency", "--loopback", "-d", "out", "-i", input, "-n", "20", "-p", "40", "--search", "100"],
      environment: try wire(listener))
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.errorLines.count <= 3)
    #expect(outcome.output == "")
  }

  @Test("A probe that only its long form is found of ends with the reason, not never")
  func tooFaint() throws {
    let outcome = try ThrumProcess.run(
      ["latency", "--loopback", "-d", "out", "-i", "in", "-n", "20", "-p", "40", "--search", "100"],
      environment: try wire("loop \"w\" loop_delay \"480\" loop_gain \"-24\" loop_noise \"-24\""))
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("too faint on in, channel 1"), "\(outcome.errors)")
    #expect(outcome.output == "")
  }

  @Test("An input without that channel is refused with those it has")
  func channel() throws {
    let outcome = try ThrumProcess.run(
      ["latency", "--loopback", "-d", "out", "-i", "in", "--input-channel", "2"],
      environment: try wire("loop \"w\""))
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("It has 1 channels"), "\(outcome.errors)")
  }

  @Test(
    "A card that is unplugged gives the trials so far, and says so; an xrun only costs the trials under way",
    arguments: [
      ("xrun at 60000", "80", "without a figure: the devices ran dry", true),
      // Late enough for a trial on a machine that is busy, and long before the last.
      ("unplug at 240000", "1000", "ended early: lost sound device \"out\"", false),
    ])
  func faults(fault: String, trials: String, words: String, isWhole: Bool) throws {
    let script = try folder.write(fault, to: "faults.txt")
    let outcome = try ThrumProcess.run(
      ["latency", "--loopback", "-d", "out", "-i", "in", "-n", trials, "-p", "40"],
      environment: try wire("loop \"w\" loop_delay \"480\"", script: script))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(words), "\(outcome.output)")
    #expect(outcome.output.contains(" of \(trials)\n") == !isWhole, "\(outcome.output)")
  }

  @Test("Devices that do not tell their delay are refused")
  func untold() throws {
    let script = try folder.write("on delay 1.. return EIO", to: "faults.txt")
    let outcome = try ThrumProcess.run(
      ["latency", "--loopback", "-d", "out", "-i", "in", "-n", "20", "-p", "40"],
      environment: try wire("loop \"w\"", script: script))
    #expect(outcome.status == 1 && outcome.errors.contains("does not tell its delay"), "\(outcome.errors)")
  }

  @Test("ctrl-C gives the round trips so far")
  func interrupted() throws {
    let process = try ThrumProcess(
      ["latency", "--loopback", "-d", "out", "-i", "in", "-n", "100000", "-p", "40"],
      environment: try wire("loop \"w\" loop_delay \"480\""), wiring: .terminal)
    #expect(try process.screen(until: "of 100000 trials").contains("ctrl-C"))
    process.type("\u{3}")
    let outcome = try process.wait()
    #expect(outcome.status == 130)
    #expect(outcome.output.contains(" of 100000") && outcome.output.contains("beyond what ALSA tells"))
  }

  @Test("A sensor sees motion as much later than the output's clock as the wire is long")
  func sensor() throws {
    let environment = try wire("loop \"w\" loop_delay \"960\" loop_noise \"-80\"")
    let outcome = try ThrumProcess.run(
      ["latency", "--sensor", "-d", "out", "-i", "in", "-n", "12", "-p", "40", "--rest", "200", "--json"],
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try outcome.object()
    #expect(object["count"] as? Int == 12 && object["mode"] as? String == "sensor")
    // The tap's beginning rises over the threshold within a few frames; a late wake-up moves single trials. Where the
    // input's clock stands is known to a part of a frame, on a machine that is busy.
    let median = try remains(object)
    #expect((959...966).contains(median), "\(median)")
    let ratio = try #require(object["signalToNoise"] as? Double)
    #expect(ratio > 40)
  }

  @Test(
    "A sensor that cannot tell an onset is refused with the reason",
    arguments: [
      ("loop \"elsewhere\" loop_noise \"-60\"", "6", "nothing moved on in, channel 1"),
      ("loop \"w\" loop_delay \"960\" loop_noise \"-27\"", "3", "dB over the noise; an onset takes 20 dB"),
    ])
  func sensorRefusals(listener: String, threshold: String, message: String) throws {
    let outcome = try ThrumProcess.run(
      [
        "latency", "--sensor", "-d", "out", "-i", "in", "-n", "12", "-p", "40", "--rest", "100",
        "--threshold", threshold,
      ],
      environment: try wire(listener))
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
