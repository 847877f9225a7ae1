import ThrumPattern

/// How a number is changed.
enum EditAmount {
  /// To a value.
  case to(Double)
  /// By a step, from the number as it is written; nil where it is not.
  case by(Double, from: NumberText?)
}

/// What a number may be, and how finely it is written.
struct NumberRule {
  /// The values that make sense; others are brought to the nearer end.
  var limits: ClosedRange<Double>
  var kind: TextStyle.NumberKind
  /// What counts where the text has no number.
  var defaultValue: Double

  /// Digits after the point of a time that is given: a microsecond, of which a frame has 125.
  static let timeDecimals = 6
  /// The last time that a pattern can have: 2^53 frames.
  static let lastTime = 0x1p53 / 8000
  /// The shortest duration that an edit gives. 0 would mean no end, and less than half a frame is not played.
  static let shortestDuration = 0.001
  /// The longest that an event is held.
  static let longestDuration = 30.0

  static let time = NumberRule(limits: 0...lastTime, kind: .time, defaultValue: 0)
  static let pointTime = NumberRule(limits: 0...lastTime, kind: .pointTime, defaultValue: 0)

  /// Whether it is seconds, otherwise a Float.
  var isTime: Bool { kind != .value }

  static func duration(of type: EventType) -> NumberRule {
    NumberRule(
      limits: shortestDuration...(type.isHaptic ? longestDuration : lastTime), kind: .time,
      defaultValue: longestDuration)
  }

  static func value(_ limits: ClosedRange<Float>, defaultValue: Float) -> NumberRule {
    NumberRule(
      limits: Double(limits.lowerBound)...Double(limits.upperBound), kind: .value,
      defaultValue: shortest(defaultValue))
  }

  /// A number to be written, brought into its limits.
  struct Target {
    var value: Double
    var decimals: Int
    var isClamped: Bool
  }

  /// Works out the number to be written.
  /// - Throws: ``EditRefusal`` where it is no number.
  func target(_ amount: EditAmount) throws(EditRefusal) -> Target {
    let wanted: Double
    let decimals: Int
    switch amount {
    case .to(let value):
      wanted = isTime ? value : Self.shortest(Float(value))
      decimals = isTime ? Self.timeDecimals : NumberText.mostDecimals
    case .by(let step, let old):
      let base = base(old)
      let stepDecimals = Self.decimals(of: step, most: isTime ? Self.timeDecimals : NumberText.mostDecimals)
      wanted = base.value + step
      decimals = max(base.decimals, stepDecimals)
    }
    guard wanted.isFinite else { throw EditRefusal("a finite number is needed") }
    let value = min(max(wanted, limits.lowerBound), limits.upperBound)
    // The nearest limit may need more digits than the step.
    let isClamped = value != wanted && abs(value - wanted) > 1e-9
    return Target(
      value: value, decimals: isClamped ? NumberText.mostDecimals : decimals, isClamped: isClamped)
  }

  /// The number a step starts from, as a decimal that a person would have written.
  private func base(_ old: NumberText?) -> (value: Double, decimals: Int) {
    let written = old?.value ?? defaultValue
    let value = min(max(written, limits.lowerBound), limits.upperBound)
    if let old, value == written, old.decimals <= NumberText.mostDecimals { return (value, old.decimals) }
    // Programs write a Float's 0.1 as 0.10000000149011612; what was meant is the shortest.
    let isFloat = !isTime || Double(Float(value)) == value
    let short = isFloat ? Self.shortest(Float(value)) : value
    return (short, Self.decimals(of: short, most: NumberText.mostDecimals))
  }

  /// The shortest decimal that is the Float.
  static func shortest(_ value: Float) -> Double { Double(value.description) ?? Double(value) }

  /// How many digits after the point a number needs.
  static func decimals(of value: Double, most: Int) -> Int {
    guard let number = NumberText(value.description.utf8) else { return most }
    // A description always has a point; `1.0` needs no digit.
    let needed = number.endsInZero ? number.decimals - 1 : number.decimals
    return min(max(needed, 0), most)
  }
}
