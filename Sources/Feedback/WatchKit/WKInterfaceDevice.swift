internal import ThrumFeedback

/// A feedback of a watch.
@nonexhaustive(warn)
public enum WKHapticType: Int, Sendable, CaseIterable {
  /// Something has come.
  case notification = 0
  /// A value goes up.
  case directionUp = 1
  /// A value goes down.
  case directionDown = 2
  /// Something succeeded.
  case success = 3
  /// Something failed.
  case failure = 4
  /// Something is to be tried again.
  case retry = 5
  /// Something begins.
  case start = 6
  /// Something ends.
  case stop = 7
  /// One light click.
  case click = 8
  /// Turn left.
  case navigationLeftTurn = 9
  /// Turn right.
  case navigationRightTurn = 10
  /// Something is to be done on the way.
  case navigationGenericManeuver = 11
  /// A depth is near.
  case underwaterDepthPrompt = 12
  /// A depth is passed.
  case underwaterDepthCriticalPrompt = 13
  /// A page is turned: the most delicate of all. A watch does not have it; its number is ours.
  case navigationLinkTap = 1000
}

/// The device, by the name that programs for a watch know.
///
/// Threads: any.
public final class WKInterfaceDevice: Sendable {
  private static let shared = WKInterfaceDevice()

  private init() {}

  /// The device.
  public class func current() -> WKInterfaceDevice { shared }

  /// Plays a feedback now, if settings and manners allow it.
  public func play(_ type: WKHapticType) { FeedbackCenter.current.trigger(SensoryFeedback(type.preset)) }
}

extension WKHapticType {
  /// What it is called here: one meaning has one feeling, whoever asks for it.
  var preset: FeedbackName {
    switch self {
    case .notification: .notification
    case .directionUp: .increase
    case .directionDown: .decrease
    case .success: .success
    case .failure: .error
    case .retry: .warning
    case .start: .start
    case .stop: .stop
    case .click: .selection
    case .navigationLeftTurn: .navigationLeftTurn
    case .navigationRightTurn: .navigationRightTurn
    case .navigationGenericManeuver: .navigationGenericManeuver
    case .underwaterDepthPrompt: .underwaterDepthPrompt
    case .underwaterDepthCriticalPrompt: .underwaterDepthCriticalPrompt
    case .navigationLinkTap: .navigationLinkTap
    }
  }
}
