package import ThrumPattern

/// Something that was asked of a player and accepted, for whoever watches a system.
package struct PlayerRequest: Sendable {
  /// What was asked.
  package enum Action: Sendable {
    case start, stop, cancel, pause, resume
    case seek(TimeInterval)
    case parameters([DynamicParameter])
    case curve(ParameterCurve)
  }

  /// The player's number, from 1 in the order in which players were made.
  package let player: Int
  /// What it plays.
  package let pattern: Pattern
  /// What was asked.
  package let action: Action
  /// The engine's time when it was asked.
  package let now: TimeInterval
  /// The engine's time for which it was asked, which may have passed.
  package let time: TimeInterval
}
