import Testing

/// Mistakes on the command line: the words, and the exact answer.
@Suite("Mistakes")
struct MistakeTests {
  /// Words after `thrum`, and the first line of the answer; the second names the help.
  struct Mistake: CustomTestStringConvertible, Sendable {
    var words: [String]
    var message: String
    init(_ words: String, _ message: String) {
      self.words = words.split(separator: " ").map(String.init)
      self.message = message
    }
    var testDescription: String { words.joined(separator: " ") }
  }

  static let mistakes = [
    // The parser's own.
    Mistake("check --jsn a", "thrum check: unknown option --jsn; did you mean --json?"),
    Mistake("check --frobnicate a", "thrum check: unknown option --frobnicate"),
    Mistake("check -x a", "thrum check: unknown option -x"),
    Mistake("check --json=yes a", "thrum check: --json takes no value"),
    Mistake("play --device", "thrum play: --device needs a value"),
    Mistake("play -d", "thrum play: -d needs a value"),
    Mistake("play --ver=1 a", "thrum play: --verbose takes no value"),
    Mistake("play --de", "thrum play: --device needs a value"),
    Mistake("render --f", "thrum render: --format needs a value"),
    Mistake(
      "latency --s",
      "thrum latency: --s could be --software or --sensor or --signal or --search or --seed"),
    Mistake("play --dveice x a", "thrum play: unknown option --dveice; did you mean --device?"),
    Mistake("play -wx a", "thrum play: unknown option -x"),
    // Operands.
    Mistake("check", "thrum check: a FILE or FOLDER is missing"),
    Mistake("check - -", "thrum check: - can be read only once"),
    Mistake("play", "thrum play: a FILE is missing"),
    Mistake("render -o x.wav", "thrum render: a FILE is missing"),
    Mistake("inspect", "thrum inspect: a FILE is missing"),
    Mistake("inspect a b", "thrum inspect: takes one file, but was also given \"b\""),
    Mistake("render -o x.wav a b", "thrum render: takes one file, but was also given \"b\""),
    Mistake("plot -o x.png a b", "thrum plot: takes one file, but was also given \"b\""),
    Mistake("devices a", "thrum devices: takes no files, but was given \"a\""),
    Mistake("latency --software a", "thrum latency: takes files with --compare only, but was given \"a\""),
    Mistake("play - -", "thrum play: - can be read only once"),
    // Values.
    Mistake(
      "play --rate 44k a",
      "thrum play: --rate takes one of 8000, 16000, 32000, 44100, 48000, 96000, not \"44k\""),
    Mistake(
      "render --rate 22050 -o x a",
      "thrum render: --rate takes one of 8000, 16000, 32000, 44100, 48000, 96000, not \"22050\""),
    Mistake(
      "play --format s8 a", "thrum play: --format takes one of s16, s24, s24_3, s32, float, not \"s8\""),
    Mistake(
      "render --format s24 -o x a",
      "thrum render: --format takes one of s16, s24_3, s32, float, not \"s24\""),
    Mistake(
      "play --period 0.5 a",
      "thrum play: --period takes milliseconds from 1 to 1000, such as 5, or frames, such as 48f, not \"0.5\""
    ),
    Mistake(
      "play --period 48g a",
      "thrum play: --period takes milliseconds from 1 to 1000, such as 5, or frames, such as 48f, not \"48g\""
    ),
    Mistake(
      "play --period 2,5 a",
      "thrum play: --period takes milliseconds from 1 to 1000, such as 5, or frames, such as 48f, not \"2,5\""
    ),
    Mistake(
      "play --gain loud a", "thrum play: --gain takes decibels from -120 to 40, such as -6, not \"loud\""),
    Mistake(
      "play --gain nan a", "thrum play: --gain takes decibels from -120 to 40, such as -6, not \"nan\""),
    Mistake(
      "play --gain 0x1p3 a", "thrum play: --gain takes decibels from -120 to 40, such as -6, not \"0x1p3\""),
    Mistake("play --loop 0 a", "thrum play: --loop takes a number from 1 to 1000000, not \"0\""),
    Mistake("play --loop -3 a", "thrum play: --loop takes a number from 1 to 1000000, not \"-3\""),
    Mistake("play --loop=1.5 a", "thrum play: --loop takes a number from 1 to 1000000, not \"1.5\""),
    Mistake("play --loop +2 a", "thrum play: --loop takes a number from 1 to 1000000, not \"+2\""),
    Mistake("play --device= a", "thrum play: --device takes the name of a device, not \"\""),
    Mistake(
      "play --actuator loud a",
      "thrum play: there is no actuator \"loud\"; there are none, safe, wideband, lra-175, lra-235, speaker, dualsense, and files by their "
        + "path"),
    Mistake(
      "render -a lra -o x a",
      "thrum render: there is no actuator \"lra\"; there are none, safe, wideband, lra-175, lra-235, speaker, dualsense, and files by their "
        + "path"),
    Mistake("render --block 0 -o x a", "thrum render: --block takes frames from 1 to 1048576, not \"0\""),
    Mistake("plot --scale 99 -o x.png a", "thrum plot: --scale takes a number from 0.5 to 8, not \"99\""),
    Mistake("plot --type gif -o x a", "thrum plot: --type takes one of png, svg, not \"gif\""),
    Mistake("latency --trials 0", "thrum latency: --trials takes a number from 1 to 100000, not \"0\""),
    Mistake(
      "feedback --weight heavie impact",
      "thrum feedback: --weight takes one of light, medium, heavy, soft, solid, rigid, not \"heavie\""),
    Mistake(
      "feedback --intensity 1.5 error",
      "thrum feedback: --intensity takes a number from 0 to 1, such as 0.5, not \"1.5\""),
    Mistake("feedback", "thrum feedback: a NAME is missing; --list tells all"),
    Mistake("feedback a b", "thrum feedback: takes one name, but was also given \"b\""),
    Mistake("feedback sucess", "thrum feedback: there is no feedback \"sucess\"; did you mean success?"),
    Mistake(
      "feedback navigation",
      "thrum feedback: there is no feedback \"navigation\"; did you mean navigation-generic-maneuver, "
        + "navigation-left-turn, navigation-link-tap, navigation-right-turn?"),
    Mistake("feedback ../x", "thrum feedback: there is no feedback \"../x\"; --list tells all"),
    // What does not go together.
    Mistake("feedback --list error", "thrum feedback: --list takes no NAME, but was given \"error\""),
    Mistake("feedback -w soft error", "thrum feedback: --weight is for impact, not for \"error\""),
    Mistake("play --watch a b", "thrum play: --watch takes one FILE, not several"),
    Mistake("play --watch -", "thrum play: --watch takes one FILE, not standard input"),
    Mistake(
      "render a", "thrum render: where to write is missing; give -o OUT.wav, or -o - for standard output"),
    Mistake(
      "render --json -o - a", "thrum render: --json and -o - both write to standard output; choose one"),
    Mistake("plot a", "thrum plot: where to write is missing; give -o OUT.png or -o OUT.svg"),
    Mistake("plot -o - a", "thrum plot: -o - needs --type png or --type svg"),
    Mistake(
      "plot -o a.gif a",
      "thrum plot: cannot tell the type of \"a.gif\"; use a name that ends in .png or .svg, or give --type"),
    Mistake(
      "latency",
      "thrum latency: say what to measure: --software needs no wires, --loopback a cable, --sensor a sensor, "
        + "--key a person"),
    Mistake(
      "latency --software --json --csv",
      "thrum latency: --json and --csv both write to standard output; choose one"),
  ]

  @Test("A mistake is told in one sentence, the help is named, and the exit code is 2", arguments: mistakes)
  func mistake(_ mistake: Mistake) throws {
    let outcome = try ThrumProcess.run(mistake.words)
    let command = mistake.words[0]
    #expect(outcome.errors == "\(mistake.message)\n\"thrum \(command) --help\" lists what it takes.\n")
    #expect(outcome.output == "")
    #expect(outcome.status == 2)
  }

  @Test(
    "A command that does not exist is told from one that is misspelt",
    arguments: [
      ("chek", "thrum: unknown command \"chek\"; did you mean check?"),
      ("inspct", "thrum: unknown command \"inspct\"; did you mean inspect?"),
      ("frobnicate", "thrum: unknown command \"frobnicate\""),
      ("a.ahap", "thrum: unknown command \"a.ahap\""),
      ("--hlep", "thrum: unknown option --hlep; did you mean --help?"),
      ("--vesrion", "thrum: unknown option --vesrion; did you mean --version?"),
      ("-q", "thrum: unknown option -q"),
    ])
  func unknownCommand(word: String, message: String) throws {
    let outcome = try ThrumProcess.run([word])
    #expect(outcome.errors == "\(message)\n\"thrum --help\" lists the commands.\n")
    #expect(outcome.output == "")
    #expect(outcome.status == 2)
  }

  @Test("Options may stand after files, be shortened, and be joined with their values")
  func gnuManners() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "tap.ahap")
    let plain = try ThrumProcess.run(["render", "--rate", "16000", "--format", "s16", "-o", "-", file])
    #expect(plain.status == 0)
    for words in [
      ["render", file, "--ra=16000", "--form", "s16", "-o-"],
      ["render", "-r16000", "-fs16", file, "-o", "-"],
      ["render", "-r", "16000", "-f", "s16", "-o", "-", "--", file],
    ] {
      let outcome = try ThrumProcess.run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
      #expect(outcome.outputBytes == plain.outputBytes, "\(words)")
    }
  }

  @Test("After -- a name may begin with a dash")
  func dashes() throws {
    let outcome = try ThrumProcess.run(["check", "--", "--json"])
    #expect(outcome.output == "--json: error: no such file; check the path (-4851)\n")
    #expect(outcome.status == 1)
  }
}

/// The smallest pattern that is felt.
let tapText = #"{"Version": 1, "Pattern": [{"Event": {"EventType": "HapticTransient", "Time": 0}}]}"#
