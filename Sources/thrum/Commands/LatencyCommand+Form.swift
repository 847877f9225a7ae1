import ThrumJSON
import ThrumLatency
import ThrumSettings

extension LatencyCommand {
  static var form: CommandForm<LatencyCommand> {
    CommandForm(
      name: "latency", summary: "Measure the time from a command to what is heard or felt.",
      operandUsage: "--software|--loopback|--sensor|--key", operandHelp: "",
      operandCount: 0...2, operandNoun: "two FILES",
      discussion: [
        "--software needs no wires: it starts taps at times that have nothing to do with the device's period, and "
          + "reads from the output's clock when each one leaves the device. The delays of limiter, kernel and buffer "
          + "are part of the figure; what the device does not tell of, such as its converter, is not.",
        "--loopback plays a signal and finds it on an input, to a fraction of a frame; takes off what ALSA tells of "
          + "its delays, and tells what remains. --sensor finds when an actuator moves, by an accelerometer or a contact "
          + "microphone on an input. --key plays a tap at each key.",
        "ctrl-C ends a measurement with the results so far.",
      ],
      options: modes + devices + signals + outputs,
      examples: [
        .init(line: "thrum latency --software", effect: "Measures the device that play would choose."),
        .init(
          line: "thrum latency --software -d hw:1 -p 1 --csv > trials.csv",
          effect: "Writes every trial at a period of 1 ms."),
        .init(
          line: "thrum latency --loopback -d hw:1 -i hw:1 -n 2000 --histogram loop.png",
          effect: "Measures a cable from a card's output to its input, and draws the trials."),
        .init(
          line: "thrum latency --sensor -i hw:2 --input-channel 2 --json > motion.json",
          effect: "Times the motion that a sensor on the second channel sees."),
        .init(
          line: "thrum latency --compare before.json after.json",
          effect: "Tells which of two runs is faster, by how much, and how surely."),
      ])
  }

  private static var modes: [CommandOption<LatencyCommand>] {
    [
      .flag("software", short: "s", \.isSoftware, "Measure by the output's own clock."),
      .flag("loopback", short: "l", \.isLoopback, "Measure through a cable from the output to an input."),
      .flag("sensor", short: "m", \.isSensor, "Measure the motion of the actuator by a sensor on an input."),
      .flag("key", short: "k", \.isKey, "Measure from keys that are pressed."),
      .flag("compare", \.isComparison, "Compare two runs that --json wrote."),
      .value(
        "trials", short: "n", "N", \.trials, .whole(1...100_000, "a number"),
        "Trials; default 200, with --loopback 1000, --sensor 100, --key 50."),
    ]
  }

  private static var devices: [CommandOption<LatencyCommand>] {
    CommandOption.chosenDeviceOptions + [
      .value(
        "actuator", short: "a", "NAME", \.actuator, .actuator,
        "The actuator's profile, by its name or its file; default safe. Not in --loopback."),
      .value(
        "input", short: "i", "NAME", \.input, .text("the name of an input"),
        "The ALSA PCM to listen to; default the one that is played on."),
      .value(
        "input-channel", "N", \.inputChannel, .whole(1...64, "a channel"),
        "The input's channel, from 1; default 1."),
    ]
  }

  private static var signals: [CommandOption<LatencyCommand>] {
    [
      .value(
        "signal", "KIND", \.signal, ValueParser("one of mls, click") { Probe.Kind(rawValue: $0) },
        "What --loopback plays: mls, a maximum-length sequence (default), or click."),
      .value(
        "level", "DB", \.level, .number(-100...0, "decibels from -100 to 0, such as -12", unit: "dB"),
        "Its level, dB of full scale; default -12."),
      .value(
        "search", "MS", \.search, .number(1...5000, "milliseconds from 1 to 5000", unit: "ms"),
        "How long --loopback waits for it; default 500."),
      .value(
        "threshold", "N", \.threshold, .number(3...100, "a number from 3 to 100"),
        "Where --sensor sees motion, in deviations of the noise at rest; default 6."),
      .value(
        "rest", "MS", \.rest, .number(100...10_000, "milliseconds from 100 to 10000", unit: "ms"),
        "How long an actuator rests between the taps of --sensor; default 400."),
      .value(
        "key-device", "FILE", \.keyDevice, .text("the name of an event node"),
        "A keyboard, such as /dev/input/event3, whose keys the kernel times; without it the terminal's."),
      .value(
        "seed", "N", \.seed, .whole(0...Int.max, "a number"),
        "Seed of the times between trials, and of the comparison; default 1."),
    ]
  }

  private static var outputs: [CommandOption<LatencyCommand>] {
    [
      .file("histogram", short: "H", \.histogram, "Draw the trials into FILE, which ends in .png or .svg."),
      .flag("json", \.isJSON, "Write one JSON object with every trial."),
      .flag(
        "csv", \.isCSV, "Write a line for each trial: number, frames, milliseconds, and what else there is."),
      .flag("verbose", short: "v", \.isVerbose, "Show ALSA's own diagnostics."),
    ]
  }
}
