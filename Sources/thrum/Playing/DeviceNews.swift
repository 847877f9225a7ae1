import ThrumRealtime

/// What a person is told of a device while it plays: that it went and came back, and that the program was held up.
///
/// Gives lines to write; what they are told about is counted elsewhere, and is whole in `--json`.
struct DeviceNews {
  /// Frames that were skipped at once from which on a hang is worth a line, seconds: what is shorter is an xrun among the
  /// others, told of at the end.
  static let leastHangSeconds = 0.05
  /// Seconds for which a device is away before that is told in any case.
  private static let longAbsenceNanoseconds: Int64 = 1_000_000_000

  /// Outages so far.
  private(set) var outages = 0
  private var outageTelling = SparseTelling()
  private var hangTelling = SparseTelling()
  private var away: Away?
  /// Frames of skips that were told, or belong to an outage.
  private var knownSkips: Int64 = 0
  private var hangSeconds = 0.0

  /// An outage that goes on.
  private struct Away {
    var message: String
    var frame: RenderFrame
    var sinceNanoseconds: Int64
    var isTold: Bool
  }

  /// Whether there may be something to tell though nothing more happens.
  var isActive: Bool { away != nil || outageTelling.isActive || hangTelling.isActive }

  /// The device stopped sounding.
  mutating func began(_ message: String, frame: RenderFrame, at now: Int64) -> String? {
    outages += 1
    let isTold = outageTelling.happened(at: now)
    away = Away(message: message, frame: frame, sinceNanoseconds: now, isTold: isTold)
    return isTold ? message : nil
  }

  /// It sounds again.
  /// - Parameter skipped: The frames skipped so far.
  mutating func returned(frame: RenderFrame, skipped: Int64, at now: Int64) -> String? {
    knownSkips = skipped
    guard let away else { return nil }
    self.away = nil
    outageTelling.stays(at: now)
    if !away.isTold { return nil }
    let seconds = Double(frame.value - away.frame.value) / Double(RenderRate.framesPerSecond)
    return "the device sounds again, after \(NumberText.fixed(seconds, 2)) s"
  }

  /// What there is to tell now, if anything.
  /// - Parameters:
  ///   - skipped: The frames skipped so far.
  ///   - rate: Frames a second.
  mutating func look(skipped: Int64, rate: Int, at now: Int64) -> [String] {
    var lines: [String] = []
    if let away {
      knownSkips = skipped
      outageTelling.stays(at: now)
      if !away.isTold, now - away.sinceNanoseconds >= Self.longAbsenceNanoseconds {
        self.away?.isTold = true
        lines.append(away.message)
      }
    }
    switch outageTelling.look(at: now) {
    case .goesOn(let times, let seconds):
      lines.append(
        "the device keeps going and coming back: \(times) times in \(NumberText.fixed(seconds, 0)) s")
    case .over(let times):
      lines.append(
        "the device has held for \(SparseTelling.holdSeconds) s, after it went and came back \(times) times")
    case nil: break
    }
    lookForHang(skipped: skipped, rate: rate, at: now, &lines)
    return lines
  }

  private mutating func lookForHang(skipped: Int64, rate: Int, at now: Int64, _ lines: inout [String]) {
    let seconds = Double(skipped - knownSkips) / Double(rate)
    knownSkips = skipped
    if seconds >= Self.leastHangSeconds {
      hangSeconds += seconds
      if hangTelling.happened(at: now) {
        lines.append(
          "\(NumberText.fixed(seconds, 2)) s were not played: the program or the device was held up")
      }
    }
    switch hangTelling.look(at: now) {
    case .goesOn(let times, let span):
      lines.append(
        "held up again and again, \(times) times in \(NumberText.fixed(span, 0)) s: "
          + "\(NumberText.fixed(hangSeconds, 2)) s were not played")
    case .over(let times):
      lines.append(
        "not held up for \(SparseTelling.holdSeconds) s, after \(times) times: "
          + "\(NumberText.fixed(hangSeconds, 2)) s were not played")
      hangSeconds = 0
    case nil: break
    }
  }
}
