internal import ThrumFeedback

/// Something that a view of a phone's toolkit can be given.
@MainActor public protocol UIInteraction: AnyObject {}

/// A view of a phone's toolkit, for the initializers of generators; it draws nothing.
///
/// No `NSObject`, whose initializer is nobody's actor's: a subclass in a module that is the main actor's by default
/// could not have one.
@MainActor open class UIView {
  /// Creates a view.
  public init() {}
}

/// What all generators of feedback have in common.
///
/// A feedback is a wish: settings and manners may keep it away, and nobody is told.
@MainActor open class UIFeedbackGenerator: UIInteraction {
  private let origin = FeedbackCenter.current

  /// Creates a generator.
  public init() {}

  /// Creates a generator of a view, which has no effect on what is felt.
  public convenience init(view: UIView) { self.init() }

  /// Opens the output and has what is about to be felt ready, so that it is felt as soon as any later one.
  /// The output stays ready for two minutes. Calling it again does no harm; firing at once gains nothing.
  open func prepare() { center.prepare(preset) }

  /// Where it plays: on the machine of the test that it is used in, else of the one that it was made in.
  private var center: FeedbackCenter {
    let current = FeedbackCenter.current
    return current === FeedbackCenter.machine ? origin : current
  }

  /// What ``prepare()`` makes ready.
  var preset: FeedbackName { .generic }

  /// Plays a feedback.
  func play(_ name: FeedbackName, intensity: CGFloat = 1) {
    center.trigger(SensoryFeedback(name, intensity: Double(intensity)))
  }
}

// By identity, as objects of a phone are.
extension UIFeedbackGenerator: Hashable {
  /// Whether they are one object.
  nonisolated public static func == (left: UIFeedbackGenerator, right: UIFeedbackGenerator) -> Bool {
    left === right
  }

  /// Hashes which object it is.
  nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Feedback of something that lands.
@MainActor open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  /// What lands.
  public enum FeedbackStyle: Int, Sendable {
    /// Something small and light.
    case light = 0
    /// Something between light and heavy.
    case medium = 1
    /// Something large and heavy.
    case heavy = 2
    /// Something that gives way.
    case soft = 3
    /// Something that does not.
    case rigid = 4
  }

  private let style: FeedbackStyle

  /// Creates a generator of medium impacts.
  public override init() {
    style = .medium
    super.init()
  }

  /// Creates a generator of a style.
  public init(style: FeedbackStyle) {
    self.style = style
    super.init()
  }

  /// Creates a generator of a style for a view, which has no effect on what is felt.
  public convenience init(style: FeedbackStyle, view: UIView) { self.init(style: style) }

  override var preset: FeedbackName {
    switch style {
    case .light: .impactLight
    case .medium: .impactMedium
    case .heavy: .impactHeavy
    case .soft: .impactSoft
    case .rigid: .impactRigid
    }
  }

  /// Plays the impact.
  open func impactOccurred() { play(preset) }

  /// Plays the impact at a strength.
  /// - Parameter intensity: 0…1, held within it.
  open func impactOccurred(intensity: CGFloat) { play(preset, intensity: intensity) }

  /// Plays the impact; where it is has no effect.
  open func impactOccurred(at location: CGPoint) { play(preset) }

  /// Plays the impact at a strength; where it is has no effect.
  /// - Parameters:
  ///   - intensity: 0…1, held within it.
  ///   - location: Where it is.
  open func impactOccurred(intensity: CGFloat, at location: CGPoint) { play(preset, intensity: intensity) }
}

/// Feedback of a choice that moves through values.
@MainActor open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  override var preset: FeedbackName { .selection }

  /// Plays the step.
  open func selectionChanged() { play(preset) }

  /// Plays the step; where it is has no effect.
  open func selectionChanged(at location: CGPoint) { play(preset) }
}

/// Feedback of how something went.
@MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  /// How something went.
  public enum FeedbackType: Int, Sendable {
    /// Well.
    case success = 0
    /// It wants a second look.
    case warning = 1
    /// It failed.
    case error = 2
  }

  override var preset: FeedbackName { .success }

  /// Plays how it went.
  open func notificationOccurred(_ notificationType: FeedbackType) {
    switch notificationType {
    case .success: play(.success)
    case .warning: play(.warning)
    case .error: play(.error)
    }
  }

  /// Plays how it went; where it is has no effect.
  open func notificationOccurred(_ notificationType: FeedbackType, at location: CGPoint) {
    notificationOccurred(notificationType)
  }
}

/// Feedback of drawing.
@MainActor open class UICanvasFeedbackGenerator: UIFeedbackGenerator {
  override var preset: FeedbackName { .alignment }

  /// Plays that something is aligned; where it is has no effect.
  open func alignmentOccurred(at location: CGPoint) { play(.alignment) }

  /// Plays that a path is complete; where it is has no effect.
  open func pathCompleted(at location: CGPoint) { play(.pathComplete) }
}
