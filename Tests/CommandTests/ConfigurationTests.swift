import Glibc
import ThrumFeedback
import ThrumRealtime
import Testing

@testable import thrum

/// The configuration file.
@Suite("Configuration")
struct ConfigurationTests {
  @Test("Every key is read; comments, blank lines and spaces are free; later lines win")
  func keys() throws {
    let text = """
      # where the actuator is
      device = hw:CARD=UAC2,DEV=0

        actuator=none
      rate = 48000\r
      format = s24_3
      period = 2.5
      period = 96f
      gain = -6
      audio-device = hw:1
      audio-offset = -20ms
      """
    let configuration = try Configuration.parse(text, path: "config")
    #expect(configuration.device == "hw:CARD=UAC2,DEV=0")
    #expect(configuration.actuator?.word == "none")
    #expect(configuration.rate == 48000)
    #expect(configuration.format == .s24in3)
    #expect(configuration.period == .frames(96))
    #expect(configuration.gain == -6)
    #expect(configuration.soundDevice == "hw:1" && configuration.soundOffset == -20)
  }

  @Test("Keys of feedback are for programs", arguments: FeedbackSettings.keys)
  func keysOfFeedback(key: String) throws {
    let configuration = try Configuration.parse("\(key) = whatever\ndevice = hw:1", path: "c")
    #expect(configuration.device == "hw:1")
  }

  @Test(
    "A mistake is told with file and line",
    arguments: [
      ("\ndevcie = x", "c:2: error: unknown key \"devcie\"; did you mean device?"),
      (
        "colour = red",
        "c:1: error: unknown key \"colour\"; the keys are device, fallback, actuator, rate, format, period, channels, gain, max-delay, audio-device, audio-offset, sound-memory"
      ),
      ("device", "c:1: error: \"device\" is not a setting; write key = value"),
      ("device =", "c:1: error: device takes the name of a device, not \"\""),
      ("#\n#\ngain = -6,5", "c:3: error: gain takes decibels from -120 to 40, such as -6, not \"-6,5\""),
    ])
  func mistakes(text: String, message: String) {
    #expect(throws: CommandError.configuration(message)) { try Configuration.parse(text, path: "c") }
  }

  @Test("A byte order mark is no key, and a pipe in the file's place is refused instead of waited for")
  func markAndPipe() throws {
    let home = try TemporaryFolder()
    let pattern = try home.write(tapText, to: "tap.ahap")
    try home.makeFolder("mark/thrum")
    try home.write("\u{FEFF}device = virtual\n", to: "mark/thrum/config")
    let marked = try ThrumProcess.run(["play", pattern], environment: ["XDG_CONFIG_HOME": home.path("mark")])
    #expect(marked.status == 0, "\(marked.errors)")
    try home.makeFolder("pipe/thrum")
    #expect(mkfifo(home.path("pipe/thrum/config"), 0o600) == 0)
    let piped = try ThrumProcess.run(["play", pattern], environment: ["XDG_CONFIG_HOME": home.path("pipe")])
    #expect(piped.status == 2)
    #expect(piped.errors.contains("is a pipe; a configuration is a file"), "\(piped.errors)")
  }

  @Test("play reads $XDG_CONFIG_HOME/thrum/config, else ~/.config/thrum/config; the command line is stronger")
  func places() throws {
    let home = try TemporaryFolder()
    let pattern = try home.write(tapText, to: "tap.ahap")
    try home.makeFolder("xdg/thrum")
    try home.makeFolder(".config/thrum")
    try home.write("rate = 16000\ndevice = virtual\n", to: "xdg/thrum/config")
    try home.write("rate = 32000\ndevice = virtual\n", to: ".config/thrum/config")
    func rate(_ words: [String], _ environment: [String: String]) throws -> String {
      let outcome = try ThrumProcess.run(["play", "-v", pattern] + words, environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try #require(outcome.errorLines.first.map(String.init))
    }
    let xdg = ["HOME": home.path(""), "XDG_CONFIG_HOME": home.path("xdg")]
    #expect(try rate([], xdg) == "virtual: 16000 Hz, float, 1 channel, period 5 ms × 3")
    let plain = ["HOME": home.path("")]
    #expect(try rate([], plain) == "virtual: 32000 Hz, float, 1 channel, period 5 ms × 3")
    #expect(try rate(["--rate", "8000"], plain) == "virtual: 8000 Hz, float, 1 channel, period 5 ms × 3")
    // A relative XDG_CONFIG_HOME does not count, by the XDG base directory specification.
    let relative = ["HOME": home.path(""), "XDG_CONFIG_HOME": "xdg"]
    #expect(try rate([], relative) == "virtual: 32000 Hz, float, 1 channel, period 5 ms × 3")
  }

  @Test("A mistake in the file ends play with exit code 2, and does not keep render from working")
  func mistakeInUse() throws {
    let home = try TemporaryFolder()
    let pattern = try home.write(tapText, to: "tap.ahap")
    try home.makeFolder(".config/thrum")
    let path = try home.write("# mine\nrate = fast\n", to: ".config/thrum/config")
    let environment = ["HOME": home.path("")]
    let message =
      "\(path):2: error: rate takes one of 8000, 16000, 32000, 44100, 48000, 96000, not \"fast\"\n"
    for words in [["play", pattern], ["devices"], ["latency", "--software"]] {
      let outcome = try ThrumProcess.run(words, environment: environment)
      #expect(outcome.errors == message)
      #expect(outcome.status == 2)
    }
    let render = try ThrumProcess.run(
      ["render", pattern, "-o", home.path("o.wav")], environment: environment)
    #expect(render.status == 0)
  }
}
