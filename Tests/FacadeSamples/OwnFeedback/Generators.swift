// Classes of a program's own made of generators, also where everything is the main actor's by default.
import Feedback

class CountingGenerator: UIImpactFeedbackGenerator {
  private(set) var count = 0

  override func impactOccurred() {
    count += 1
    super.impactOccurred()
  }
  override func prepare() { super.prepare() }
}

class StyledGenerator: UIImpactFeedbackGenerator {
  let factor: CGFloat
  init(factor: CGFloat) {
    self.factor = factor
    super.init(style: .heavy)
  }
  override func impactOccurred() { impactOccurred(intensity: factor) }
}

class PlainGenerator: UINotificationFeedbackGenerator {
  var last: FeedbackType?
  override init() {
    super.init()
    prepare()
  }
  override func notificationOccurred(_ type: FeedbackType) {
    last = type
    super.notificationOccurred(type)
  }
}

class OwnGenerator: UIFeedbackGenerator {
  func fire() { SystemHaptics().trigger(.success) }
}
final class StepGenerator: UISelectionFeedbackGenerator { var steps = 0 }
class Card: UIView { var count = 0; override init() { super.init() } }
