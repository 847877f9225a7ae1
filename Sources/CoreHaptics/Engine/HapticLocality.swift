/// Which of an output's actuators an engine drives.
struct HapticLocality: Sendable, Hashable {
  /// The numbers of the buses; nil means all there are.
  var numbers: Set<Int>?
  /// Whether they are a game controller's, whose loss has a reason of its own.
  var isOfController = false

  /// All actuators.
  static let all = HapticLocality(numbers: nil)

  /// The buses of an output that has so many, one at least: an actuator that is not there is stood in for by
  /// the first.
  func buses(of count: Int) -> [Int] {
    guard let numbers else { return Array(0..<count) }
    let there = numbers.filter { $0 < count }.sorted()
    return there.isEmpty ? [0] : there
  }
}
