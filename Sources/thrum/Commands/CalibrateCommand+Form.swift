import ThrumActuator
import ThrumIdentification
import ThrumJSON
import ThrumSettings

extension CalibrateCommand {
  static var form: CommandForm<CalibrateCommand> {
    CommandForm(
      name: "calibrate", summary: "Find an actuator's resonance and write its profile.",
      operandUsage: "", operandHelp: "",
      operandCount: 0...0, operandNoun: "",
      discussion: [
        "Plays tones that rise through the resonance, records by a sensor on an input what the actuator does, and "
          + "fits f0 and Q with their uncertainty. What is not good enough is refused, with the reason; braking "
          + "takes f0 within 1 %. Sensors and their wiring are in docs/calibrate.md.",
        "The actuator is safe: a sweep has a fifth of the rated amplitude (--level), passes a resonance in a part of "
          + "a second, and begins and ends through ramps; ctrl-C ends through one too.",
        "Without a sensor --by-ear plays pairs of tones and asks which is stronger.",
      ],
      options: ways + CommandOption.chosenDeviceOptions + sweeping + results,
      examples: [
        .init(
          line: "thrum calibrate -d hw:1 -i hw:1 -o lra.json",
          effect: "Measures with an accelerometer on the card's input, and writes a profile."),
        .init(
          line: "thrum calibrate --sensor resistor -d hw:1 -i hw:2 --picture lra.png",
          effect: "Measures the current, and draws what was measured and fitted."),
        .init(
          line: "thrum calibrate --write-sweep sweep.wav",
          effect: "Writes the sweeps, to be played and recorded elsewhere."),
        .init(
          line: "thrum calibrate --from recorded.wav -o coil.json",
          effect: "Measures by that recording."),
        .init(line: "thrum calibrate --by-ear -o lra.json", effect: "Asks which of two tones is stronger."),
      ])
  }

  private static var ways: [CommandOption<CalibrateCommand>] {
    [
      .value(
        "sensor", short: "s", "KIND", \.sensor,
        ValueParser(oneOf: MotionSensor.allCases.map(\.rawValue)) { MotionSensor(rawValue: $0) },
        "accelerometer (default), microphone (a contact one) or resistor (in series)."),
      .file("from", \.recording, "Measure by FILE, a recording of the sweeps made elsewhere."),
      .file("write-sweep", \.sweepFile, "Write the sweeps into FILE, a WAV file, and measure nothing."),
      .flag("by-ear", \.isByEar, "Ask a person which of two tones is stronger."),
      .value(
        "near", "HZ", \.near, .number(20...1000, "Hz from 20 to 1000", unit: "Hz"),
        "Where --by-ear begins, such as a data sheet's f0."),
      .value(
        "input", short: "i", "NAME", \.input, .text("the name of an input"),
        "The ALSA PCM of the sensor; default the one that is played on."),
      .value(
        "input-channel", "N", \.inputChannel, .whole(1...64, "a channel"),
        "The sensor's channel, from 1; default 1."),
    ]
  }

  private static var sweeping: [CommandOption<CalibrateCommand>] {
    [
      .value(
        "sweeps", short: "n", "N", \.sweeps, .whole(1...20, "a number"), "Sweeps of 2 s; default 3."),
      .value(
        "level", "DB", \.level,
        .number(-60...SweepSignal.highestLevelDecibels, "decibels from -60 to -6, such as -20", unit: "dB"),
        "Their level, dB of full scale; default -20. Rated amplitude is -6."),
      .value(
        "range", "LOW..HIGH", \.range, sweepRange, "Their frequencies, Hz; default 40..500."),
      .value(
        "resistor-share", "N", \.resistorShare, .number(0...1, "a number from 0 to 1"),
        "The resistor's ohms over the coil's; with it Q is that without the resistor."),
      .value(
        "seed", "N", \.seed, .whole(0...Int.max, "a number"),
        "Decides which tone of a pair comes first; default 1."),
      .flag("yes", short: "y", \.isYes, "Begin at once, without a word before."),
    ]
  }

  private static var results: [CommandOption<CalibrateCommand>] {
    [
      .file("output", short: "o", \.output, "Write the profile into FILE."),
      .value("name", "NAME", \.name, .text("a name"), "The profile's name; default that of its file."),
      .value(
        "kind", "KIND", \.kind,
        ValueParser(oneOf: ["lra", "wideband"]) { ActuatorProfile.Kind(rawValue: $0) },
        "lra or wideband; default lra from a Q of 5 on."),
      .value(
        "mounting", "TEXT", \.mounting, .text("some words"),
        "Where and how the actuator is fixed, for the profile: f0 changes with it."),
      .file("picture", \.picture, "Draw both curves into FILE, which ends in .png or .svg."),
      .flag("json", \.isJSON, "Write one JSON object with the result and both curves."),
      .flag("verbose", short: "v", \.isVerbose, "Show ALSA's own diagnostics."),
    ]
  }

  private static var sweepRange: ValueParser<SweepRange> {
    ValueParser("two frequencies from 10 to 1500 Hz, the second twice the first or more, such as 40..500") {
      word in
      guard let dots = word.firstRange(of: ".."), let low = decimal(String(word[..<dots.lowerBound])),
        let high = decimal(String(word[dots.upperBound...])), (10...1500).contains(low),
        (10...1500).contains(high), high >= 2 * low
      else { return nil }
      return SweepRange(low: low, high: high)
    }
  }
}
