import ThrumEngine
import ThrumLatency

/// What `thrum latency` measured, and everything somebody needs to know to judge it.
struct MeasuredRun {
  /// How it was measured.
  enum Mode: String, CaseIterable {
    case software, loopback, sensor, key

    /// What the figures are, for the head of a report.
    var title: String {
      switch self {
      case .software: "Command to device frame"
      case .loopback: "Round trip, output to input"
      case .sensor: "Command to motion"
      case .key: "Key press to device frame"
      }
    }

    /// The same as the title of an axis.
    var axis: String { title.prefix(1).lowercased() + title.dropFirst() + " (ms)" }

    /// What the figures leave out, or hold besides, for whoever judges them by what people feel.
    var caveat: String {
      switch self {
      case .software: "what the device does not tell of, such as converter and actuator, comes on top"
      case .loopback: "the way back through the input is part of it, the actuator is not"
      case .sensor: "from the call to the first motion over the threshold, the input's converter included"
      case .key: "the keyboard before the key's time stamp, converter and actuator come on top"
      }
    }
  }

  /// One more figure of each trial.
  struct Column {
    var name: String
    var values: [Double]
    var decimals: Int
  }

  /// A figure beside the main one, with a sentence that says what it is.
  struct Part {
    /// The key in JSON.
    var name: String
    /// What it is, to follow a number of frames.
    var meaning: String
    /// Frames, in the order of the trials.
    var frames: [Double]
    /// The standard error of all of them together, frames; 0 where there is none.
    var commonError = 0.0
  }

  var mode: Mode
  /// The latency of each trial, in order.
  var milliseconds: [Double]
  /// How many trials were asked for.
  var wanted: Int
  /// Trials that gave no figure, by reason.
  var lost: [(reason: String, count: Int)] = []
  var output: OutputDescription
  var scheduling: String
  /// The actuator's profile; nil where the signal does not pass one.
  var profile: String?
  var seed: Int
  /// What else is worth a line, such as the input.
  var facts: [String] = []
  /// The same for a script.
  var members: JSONMembers = [:]
  /// What of it is whose.
  var parts: [Part] = []
  var columns: [Column] = []

  /// The percentiles of the trials, milliseconds.
  var percentiles: Percentiles { Percentiles(milliseconds) }

  /// Frames of the device in a millisecond.
  var framesPerMillisecond: Double { Double(output.rate) / 1000 }

  /// The settings on some lines.
  var settingLines: [String] {
    var lines = [output.words]
    lines.append((profile.map { "actuator \($0), " } ?? "") + scheduling)
    lines += facts
    lines.append(Machine.words + (Machine.preemption.map { ", \($0)" } ?? ""))
    return lines
  }
}

/// Members of a JSON object, in order.
struct JSONMembers: ExpressibleByDictionaryLiteral {
  private(set) var all: [(String, JSONValue)] = []

  init(dictionaryLiteral members: (String, JSONValue)...) { all = members }

  /// Puts one at the end.
  mutating func append(_ key: String, _ value: JSONValue) { all.append((key, value)) }
}

/// Why a measurement ended before its trials were done.
enum MeasurementEnd: Error {
  /// A signal asked for the end.
  case interrupted
  /// Something that takes a person; the message says what to try.
  case failed(String)
  /// The same before anything was begun.
  case command(CommandError)
}

extension SoftwareLatency.Failure {
  /// The same, as a measurement tells it.
  var end: MeasurementEnd {
    switch self {
    case .engine(let error): .failed(error.message)
    case .output(let error): .failed(error.message)
    case .silent: .failed("a tap was not played within a second; the device may have stopped")
    case .interrupted: .interrupted
    }
  }
}

/// The trials so far, for the terminal.
struct TrialProgress {
  private var line = ProgressLine()
  private var shown: Int64 = 0
  /// Whether each one is worth showing, because a person waits for it.
  var showsAll = false

  /// Shows them, 20 times a second at most unless each is worth it.
  mutating func show(_ done: Int, of wanted: Int, lost: Int = 0, _ words: String = "ctrl-C ends with these") {
    let now = MonotonicClock.nanoseconds
    guard line.isVisible, showsAll || now - shown > 50_000_000 || done == wanted
    else { return }
    shown = now
    let missing = lost > 0 ? ", \(lost) without a figure" : ""
    line.show(name: "latency", state: "\(done) of \(wanted) trials\(missing); \(words)")
  }

  /// Shows a word in their place.
  mutating func show(_ words: String) { line.show(name: "latency", state: words) }

  /// Takes the line away.
  mutating func clear() { line.clear() }
}
