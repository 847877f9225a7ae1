import ThrumEngine
import ThrumFeedback
import ThrumPattern

// Patterns that a client brings along, for games: `org.sigxcpu.Feedback.Haptic`.
extension FeedbackService {
  /// A stretch of a client's pattern.
  struct Pulse: Equatable {
    /// How strong, 0…1; 0 is a rest.
    var magnitude: Double
    var milliseconds: UInt32
  }

  /// The most stretches of a pattern, and the longest of each, milliseconds.
  static let maximumPulses = 256
  static let longestPulse: UInt32 = 10_000
  /// The shortest time from one pattern of a client to its next, nanoseconds.
  private static let leastVibration: Int64 = 10_000_000

  /// Plays a client's pattern in place of the one that it plays; an empty one ends that.
  /// - Returns: Whether it plays, or has ended: false where the profile, what the user has settled or an event that is
  ///   felt keeps it away, or where it follows the client's last too soon.
  func vibrate(_ pulses: [Pulse], application: String, client: String) throws(Refusal) -> Bool {
    try check(application)
    guard pulses.count <= Self.maximumPulses else {
      throw .invalid("pattern takes at most \(Self.maximumPulses) stretches")
    }
    let own = running.filter { $0.value.client == client && $0.value.isVibration }
    if pulses.isEmpty {
      for id in own.keys.sorted() { end(id) }
      return true
    }
    if profile < .quiet { return false }
    let now = MonotonicClock.nanoseconds
    if let last = own.values.map(\.begun).max(), now - last < Self.leastVibration { return false }
    let settings = settle(for: application).settings
    guard case .play = settings.effect(on: FeedbackRequest(.generic)) else { return false }
    // What is told by an event matters more than what a game shakes.
    dropFailed()
    let isBusy = running.values.contains { !$0.isVibration && $0.reason == nil && $0.nextRun == nil }
    if isBusy { return false }
    for id in own.keys.sorted() { end(id) }
    // Those that fade count, too, but not against who replaces them.
    let others = running.values.count { $0.client == client && !$0.isVibration }
    guard running.count < Self.maximumRunning.all, others < Self.maximumRunning.client else {
      throw .limit("too many feedbacks are running; end some first")
    }
    let pattern = Self.pattern(of: pulses).scaled(by: max(0, settings.gain))
    guard !pattern.entries.isEmpty else { return true }
    let player = try refusing { () throws(CommandError) in
      try output.play(NamedPattern(path: "vibration", pattern: pattern))
    }
    output.use()
    let id = nextID()
    running[id] = Running(
      client: client, profile: .quiet, player: player, repeatsUntil: nil, rest: 0, isVibration: true,
      begun: now)
    return true
  }

  private static func pattern(of pulses: [Pulse]) -> Pattern {
    var entries: [Pattern.Entry] = []
    var time = 0.0
    for pulse in pulses {
      let seconds = Double(min(pulse.milliseconds, longestPulse)) / 1000
      // What is no number is no magnitude.
      let magnitude = pulse.magnitude > 0 ? min(1, pulse.magnitude) : 0
      if magnitude > 0, seconds > 0 {
        var parameters = EventParameters()
        parameters[.hapticIntensity] = Float(magnitude)
        entries.append(
          .event(Event(type: .hapticContinuous, time: time, duration: seconds, parameters: parameters)))
      }
      time += seconds
    }
    return Pattern(entries: entries)
  }
}
