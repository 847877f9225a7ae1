/// Trials that compare two versions without the one who feels them knowing which is which.
///
/// The bench asks ``version(of:)`` what to play for a button; the screen shows only ``trial``, ``trialCount``
/// and the buttons. Answers are not commented on, and nothing here, not even a dump of the value, tells which
/// version is behind a button until ``result`` is there.
public struct BlindComparison: Sendable, CustomStringConvertible, CustomReflectable {
  /// What is asked.
  public enum Question: Sendable, Equatable {
    /// Which of two is better; they come in a new order in each trial.
    case preference
    /// Whether X is A or B; A and B can be felt too, and are what they say.
    case identification
  }

  /// One of the two versions.
  public enum Version: String, Sendable, Equatable, CaseIterable {
    /// The first version.
    case a = "A"
    /// The second version.
    case b = "B"
  }

  /// A button of a trial.
  public enum Button: String, Sendable, Equatable, CaseIterable {
    /// One of two to choose from; in an identification it is version A.
    case first
    /// The other; in an identification it is version B.
    case second
    /// The unknown one of an identification.
    case unknown
  }

  /// The fewest and the most trials.
  public static let trialLimits = 1...100

  /// What is asked.
  public let question: Question
  /// How many trials there are.
  public let trialCount: Int
  /// What is behind the button that hides something, by trial: the first of a preference, the unknown of an
  /// identification.
  private let hidden: [Version]
  private var answers: [Button] = []
  private var isFinished = false

  /// Draws the trials.
  /// - Parameters:
  ///   - question: What is asked.
  ///   - trials: How many; brought into ``trialLimits``.
  ///   - generator: Where chance comes from; a seeded one makes the same trials again.
  public init(_ question: Question, trials: Int, using generator: inout some RandomNumberGenerator) {
    self.question = question
    trialCount = min(max(trials, Self.trialLimits.lowerBound), Self.trialLimits.upperBound)
    hidden = (0..<trialCount).map { _ in Bool.random(using: &generator) ? .a : .b }
  }

  /// The trial that waits for its answer, from 0; nil where all have been answered or the end was asked for.
  public var trial: Int? { isFinished || answers.count == trialCount ? nil : answers.count }

  /// The buttons of a trial, in the order to be shown.
  public var buttons: [Button] { question == .preference ? [.first, .second] : [.first, .second, .unknown] }

  /// The version to play for a button of the trial that waits; nil where none waits or it has no such button.
  ///
  /// For the bench alone: what shows this gives the answer away.
  public func version(of button: Button) -> Version? {
    guard let trial else { return nil }
    switch (question, button) {
    case (.preference, .first), (.identification, .unknown): return hidden[trial]
    case (.preference, .second): return hidden[trial] == .a ? .b : .a
    case (.identification, .first): return .a
    case (.identification, .second): return .b
    case (.preference, .unknown): return nil
    }
  }

  /// Answers the trial that waits: the better one, or the one that X is.
  /// - Returns: Whether it was taken; not where none waits, and ``Button/unknown`` is no answer.
  public mutating func answer(_ button: Button) -> Bool {
    guard trial != nil, button != .unknown else { return false }
    answers.append(button)
    return true
  }

  /// Takes back the last answer, so that its trial waits again.
  /// - Returns: Whether there was one; not after the end, when what was behind it is known.
  public mutating func takeBack() -> Bool { trial == nil ? false : answers.popLast() != nil }

  /// Ends the comparison before all trials are answered; the result is of those that are.
  public mutating func finish() { isFinished = true }

  /// What came out; nil before the end.
  public var result: Result? {
    guard trial == nil else { return nil }
    var hits = 0
    for (version, answer) in zip(hidden, answers) {
      // A hit is a choice of version A, or a right answer.
      if (version == .a) == (answer == .first) { hits += 1 }
    }
    return Result(question: question, trials: answers.count, hits: hits)
  }

  /// How far it is, and nothing else.
  public var description: String {
    trial.map { "trial \($0 + 1) of \(trialCount)" }
      ?? "finished after \(answers.count) of \(trialCount) trials"
  }

  /// Shows how far it is, and nothing else.
  public var customMirror: Mirror { Mirror(self, children: ["progress": description]) }
}
