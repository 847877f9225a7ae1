import Glibc

/// Where control events come from.
///
/// A loop polls ``descriptors`` until ``due`` at most, then calls ``read()``; both change from turn to turn. Lives on the thread of
/// that loop.
protocol ControlSource: AnyObject {
  /// What it is, as a person knows it.
  var name: String { get }
  /// What to poll for; may be empty, as while a controller is away.
  var descriptors: [pollfd] { get }
  /// When ``read()`` has something to do whatever the descriptors say, nanoseconds of CLOCK_MONOTONIC; nil for never.
  var due: Int64? { get }
  /// Takes what has come, a bounded number at a time: what is left makes a descriptor readable, or ``due`` be now.
  ///
  /// Never waits. Of values that follow each other the last of each counts, as long as nothing came between them.
  func read() -> [ControlEvent]
  /// Has the next control that is moved stand for a target from then on, which a notice tells; nil gives it up.
  func learn(_ target: ControlTarget?)
  /// Whether it waits for a control to learn.
  var isLearning: Bool { get }
}

extension ControlSource {
  var due: Int64? { nil }
}
