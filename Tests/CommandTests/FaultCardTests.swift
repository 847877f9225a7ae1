import Foundation
import Testing

/// The command line on the tests' own sound card, which libasound loads.
@Suite("A card with channels and faults")
struct FaultCardTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var library: String {
    URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
  }

  /// An ALSA configuration with one card.
  private func card(_ keys: String, script: String = "", mixer: String? = nil) throws -> [String: String] {
    let faults = try folder.write(script, to: "faults.txt")
    let path = try folder.write(
      """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.card {
        type thrum_test_card
        frames "\(folder.url("frames").path)" log "\(folder.url("log").path)" script "\(faults)"
        \(keys)
      }
      ctl_type.thrum_test_card { lib "\(library)" }
      \(mixer.map { "ctl.card { type thrum_test_card \($0) }" } ?? "")

      """, to: "asound.conf")
    return ["ALSA_CONFIG_PATH": path]
  }

  /// The samples of each channel of a card of S32.
  private func samples(channels: Int) throws -> [[Int32]] {
    let data = try Data(contentsOf: folder.url("frames"))
    let values = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
    return (0..<channels).map { channel in
      stride(from: channel, to: values.count, by: channels).map { values[$0] }
    }
  }

  @Test(
    "Channels 3 and 4 of a game pad carry the signal, 1 and 2 are silent",
    arguments: ["haptic=3,4", "haptic=3,4:audio=1,2"])
  func gamePad(map: String) throws {
    // It plays from a full buffer, which holds the whole tap: no program is late for that.
    let environment = try card("rates \"48000\" channels \"4\" start \"full\"")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "card", "-p", "250", "--channels", map, "-"], input: Array(tapText.utf8),
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let samples = try samples(channels: 4)
    #expect(samples[0].allSatisfy { $0 == 0 } && samples[1].allSatisfy { $0 == 0 })
    #expect(samples[2].contains { $0 != 0 })
    #expect(samples[2] == samples[3])
  }

  @Test("A card of four channels without a map is refused, with the option that helps")
  func noMap() throws {
    let environment = try card("channels \"4\"")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "card", "-"], input: Array(tapText.utf8), environment: environment)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("--channels"))
    #expect(outcome.errors.contains("--identify"))
  }

  @Test(
    "A map that makes no sense is bad usage",
    arguments: [
      "3,4", "haptic=", "haptic=0", "haptic=3,3", "audio=", "haptic=1:audio=1", "haptic=65",
      "haptic=1:haptic=2",
    ])
  func badMap(map: String) throws {
    let outcome = try ThrumProcess.run(["play", "-c", map, "-"], input: Array(tapText.utf8))
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("haptic=3,4"))
  }

  @Test("Each channel is ticked in turn, and the answers make the option")
  func identify() throws {
    // Periods of a quarter of a second: no tick is lost to a program that is late.
    let environment = try card("channels \"4\" rates \"8000\" formats \"S32_LE\" period_bytes \"32000\"")
    let outcome = try ThrumProcess.run(
      ["devices", "--identify", "-d", "card"], input: Array("a\n\nr\nh\nh\n".utf8), environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("--channels haptic=3,4:audio=1"), "\(outcome.output)")
    // One channel after another: at no time do two of them sound.
    let samples = try samples(channels: 4)
    let onsets = samples.map { channel in channel.firstIndex { $0 != 0 } ?? -1 }
    #expect(onsets == onsets.sorted() && onsets[0] >= 0)
    // A hundredth of full scale: below it, a filter rings on.
    let loud = samples.map { channel in channel.map { $0.magnitude > UInt32(Int32.max) / 100 } }
    #expect(loud[0].indices.allSatisfy { frame in loud.count { $0[frame] } <= 1 })
  }

  @Test("A card that is unplugged while it plays is told of, waited for and told of again")
  func unplugged() throws {
    let environment = try card("rates \"8000\"", script: "unplug at 2000 for 300 ms")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "card", "-c", "haptic=1", "--json", "-l", "60", "-"], input: Array(tapText.utf8),
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("unplugged"))
    #expect(outcome.errors.contains("sounds again"))
    #expect(outcome.output.contains("\"event\":\"outage\",\"cause\":\"unplugged\",\"final\":false"))
    #expect(outcome.output.contains("\"event\":\"return\""))
  }

  @Test(
    "What a server holds back is told, warned about from 200 ms on and refused from 2 s on",
    arguments: [
      ("800", [], 0, false), ("2400", [], 0, true), ("24000", [], 1, true),
      ("2400", ["--max-delay", "250"], 1, true),
    ])
  func hiddenDelay(frames: String, options: [String], status: Int32, isWarnedOf: Bool) throws {
    let environment = try card("rates \"8000\"", script: "lie at 0 by \(frames)")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "card", "-c", "haptic=1", "--json", "-v", "-l", "40", "-"] + options,
      input: Array(tapText.utf8), environment: environment)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains("holds seconds of sound back") == (status != 0), "\(outcome.errors)")
    let warnings = outcome.errorLines.filter { $0.contains("ms beyond its buffer") }
    #expect(warnings.count == (isWarnedOf ? 1 : 0), "\(outcome.errors)")
    #expect(outcome.errorLines.contains { $0.contains("delay: ") && $0.contains("ms beyond it") })
    #expect(outcome.output.contains("\"hiddenDelaySeconds\":"))
    #expect(outcome.output.contains("\"lateCommands\":0"))
  }

  @Test("A busy card is waited for on request, replaced where the configuration says so, and else an error")
  func busy() throws {
    let environment = try card("", script: "on open 1..3 return EBUSY")
    let words = ["play", "-d", "card", "-"]
    let refused = try ThrumProcess.run(words, input: Array(tapText.utf8), environment: environment)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("busy") || refused.errors.contains("held"))
    let waited = try ThrumProcess.run(
      words + ["--wait"], input: Array(tapText.utf8), environment: environment)
    #expect(waited.status == 0, "\(waited.errors)")
    #expect(waited.errors.contains("waiting"))
    try FileManager.default.createDirectory(at: folder.url("thrum"), withIntermediateDirectories: true)
    let config = try folder.write("fallback = virtual\n", to: "thrum/config")
    let replaced = try ThrumProcess.run(
      words, input: Array(tapText.utf8),
      environment: environment.merging(
        [
          "XDG_CONFIG_HOME": URL(fileURLWithPath: config).deletingLastPathComponent()
            .deletingLastPathComponent().path
        ]
      ) { $1 })
    #expect(replaced.status == 0, "\(replaced.errors)")
    #expect(replaced.errors.contains("fallback"))
  }

  @Test(
    "devices names the fallback too, and a fallback that does not open hides nothing of the device that was meant"
  )
  func fallbackThatFails() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url("thrum"), withIntermediateDirectories: true)
    try folder.write("device = no-such-one\nfallback = no-such-other\n", to: "thrum/config")
    let environment = ["XDG_CONFIG_HOME": folder.url("thrum").deletingLastPathComponent().path]
    let listed = try ThrumProcess.run(["devices"], environment: environment)
    let last = listed.output.split(separator: "\n").last ?? ""
    #expect(last.contains("no-such-one") && last.contains("no-such-other"), "\(last)")
    let refused = try ThrumProcess.run(
      ["play", "-"], input: Array(tapText.utf8), environment: environment)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("\"no-such-one\"") && refused.errors.contains("\"no-such-other\""))
    #expect(refused.errorLines.count <= 3, "\(refused.errors)")
  }

  @Test(
    "A playback volume that is muted or under half is warned about on one line, with the command that mends it",
    arguments: [
      ("switch \"off\"", "\"Master\" is muted"), ("volume \"49\"", "\"Master\" is at 49 %"),
      ("volume \"10\" control \"PCM\"", "\"PCM\" is at 10 %"), ("volume \"50\"", ""),
      ("switch \"off\" control \"Mic\" volume \"100\"", "\"Mic\" is muted"),
    ])
  func mixer(keys: String, words: String) throws {
    let environment = try card("rates \"8000\"", mixer: keys)
    let outcome = try ThrumProcess.run(
      ["play", "-d", "card", "-c", "haptic=1", "--json", "-"], input: Array(tapText.utf8),
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let warnings = outcome.errorLines.filter { $0.contains("playback volume") }
    #expect(warnings.count == (words.isEmpty ? 0 : 1), "\(outcome.errors)")
    #expect(outcome.output.contains("\"event\":\"warning\"") == !words.isEmpty)
    if words.isEmpty { return }
    #expect(warnings.first?.contains(words) == true, "\(outcome.errors)")
    #expect(warnings.first?.contains("amixer -D 'card' sset '") == true)
    let list = try ThrumProcess.run(["devices", "-d", "card"], environment: environment)
    #expect(list.output.contains(words), "\(list.output)")
  }
}
