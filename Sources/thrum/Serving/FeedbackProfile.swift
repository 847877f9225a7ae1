import ThrumSettings

/// How noisy feedback may be.
enum FeedbackProfile: String, CaseIterable, Comparable {
  /// Neither heard nor felt: lights, in the themes of those who have any.
  case silent
  /// Felt, not heard.
  case quiet
  /// Everything.
  case full

  static func < (left: FeedbackProfile, right: FeedbackProfile) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .silent: 0
    case .quiet: 1
    case .full: 2
    }
  }

  /// The words for a message.
  static let words = ValueParser.feedbackProfile.expectation
}

extension ValueParser where Value == FeedbackProfile {
  /// A profile by its word.
  static var feedbackProfile: ValueParser {
    ValueParser(oneOf: FeedbackProfile.allCases.reversed().map(\.rawValue)) { FeedbackProfile(rawValue: $0) }
  }
}
