/// What a feedback is called: the name of its preset, and of the file that may replace it.
public struct FeedbackName: Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let text: String

  /// Takes a name.
  /// - Parameter text: 1 to 64 lower-case letters, digits and hyphens, beginning with a letter or digit; nil
  ///   for others, so that no name leads out of a folder.
  public init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (1...64).contains(bytes.count), bytes.first != UInt8(ascii: "-"),
      bytes.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.text = String(text)
  }

  /// Takes a name of ours.
  init(preset text: StaticString) { self.text = text.description }

  /// The name.
  public var description: String { text }
}

extension FeedbackName {
  /// Something succeeded: two light pulses, the second rising.
  public static var success: FeedbackName { FeedbackName(preset: "success") }
  /// Something wants a second look: two medium pulses.
  public static var warning: FeedbackName { FeedbackName(preset: "warning") }
  /// Something failed: three strong pulses.
  public static var error: FeedbackName { FeedbackName(preset: "error") }
  /// The next choice: one light click.
  public static var selection: FeedbackName { FeedbackName(preset: "selection") }
  /// A value goes up.
  public static var increase: FeedbackName { FeedbackName(preset: "increase") }
  /// A value goes down.
  public static var decrease: FeedbackName { FeedbackName(preset: "decrease") }
  /// Something long begins.
  public static var start: FeedbackName { FeedbackName(preset: "start") }
  /// Something long ends.
  public static var stop: FeedbackName { FeedbackName(preset: "stop") }
  /// What is dragged is aligned.
  public static var alignment: FeedbackName { FeedbackName(preset: "alignment") }
  /// A level is crossed.
  public static var levelChange: FeedbackName { FeedbackName(preset: "level-change") }
  /// What is drawn is complete.
  public static var pathComplete: FeedbackName { FeedbackName(preset: "path-complete") }
  /// A small thing lands.
  public static var impactLight: FeedbackName { FeedbackName(preset: "impact-light") }
  /// A thing of middling weight lands.
  public static var impactMedium: FeedbackName { FeedbackName(preset: "impact-medium") }
  /// A heavy thing lands.
  public static var impactHeavy: FeedbackName { FeedbackName(preset: "impact-heavy") }
  /// Something yielding lands.
  public static var impactSoft: FeedbackName { FeedbackName(preset: "impact-soft") }
  /// Something solid lands.
  public static var impactSolid: FeedbackName { FeedbackName(preset: "impact-solid") }
  /// Something unyielding lands.
  public static var impactRigid: FeedbackName { FeedbackName(preset: "impact-rigid") }
  /// One plain tap.
  public static var generic: FeedbackName { FeedbackName(preset: "generic") }
  /// A button goes down.
  public static var pressButton: FeedbackName { FeedbackName(preset: "press-button") }
  /// A button without a text goes down.
  public static var pressButtonIconOnly: FeedbackName { FeedbackName(preset: "press-button-icon-only") }
  /// A slider is taken hold of.
  public static var pressSlider: FeedbackName { FeedbackName(preset: "press-slider") }
  /// A tab goes down.
  public static var pressTab: FeedbackName { FeedbackName(preset: "press-tab") }
  /// A switch goes over.
  public static var pressToggle: FeedbackName { FeedbackName(preset: "press-toggle") }
  /// A slider is let go of.
  public static var releaseSlider: FeedbackName { FeedbackName(preset: "release-slider") }
  /// Something is chosen.
  public static var selectionOn: FeedbackName { FeedbackName(preset: "selection-on") }
  /// Something is no longer chosen.
  public static var selectionOff: FeedbackName { FeedbackName(preset: "selection-off") }
  /// The lower end of a range is reached.
  public static var selectionMinimum: FeedbackName { FeedbackName(preset: "selection-minimum") }
  /// The upper end of a range is reached.
  public static var selectionMaximum: FeedbackName { FeedbackName(preset: "selection-maximum") }
  /// Something has come.
  public static var notification: FeedbackName { FeedbackName(preset: "notification") }
  /// Turn left.
  public static var navigationLeftTurn: FeedbackName { FeedbackName(preset: "navigation-left-turn") }
  /// Turn right.
  public static var navigationRightTurn: FeedbackName { FeedbackName(preset: "navigation-right-turn") }
  /// Something is to be done on the way.
  public static var navigationGenericManeuver: FeedbackName {
    FeedbackName(preset: "navigation-generic-maneuver")
  }
  /// A page is turned: the most delicate of all.
  public static var navigationLinkTap: FeedbackName { FeedbackName(preset: "navigation-link-tap") }
  /// A depth is near.
  public static var underwaterDepthPrompt: FeedbackName { FeedbackName(preset: "underwater-depth-prompt") }
  /// A depth is passed.
  public static var underwaterDepthCriticalPrompt: FeedbackName {
    FeedbackName(preset: "underwater-depth-critical-prompt")
  }
}
