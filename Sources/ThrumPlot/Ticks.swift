/// The marks of an axis: where they stand and what is written at them.
struct Ticks: Equatable {
  /// One mark.
  struct Mark: Equatable {
    /// The place on the axis, in the axis' own values.
    var value: Double
    /// What is written there; empty for a mark without a label.
    var label: String
  }

  /// The marks, in rising order.
  var marks: [Mark]
  /// The unit of the labels, such as `ms`; empty where they need none.
  var unit: String

  /// Marks at steps of 1, 2 or 5 times a power of ten.
  /// - Parameter most: The most marks wanted, 2 or more.
  static func linear(_ range: ClosedRange<Double>, most: Int) -> Ticks {
    let span = range.upperBound - range.lowerBound
    guard span > 0, span.isFinite else { return single(range.lowerBound) }
    let (step, places) = niceStep(atLeast: span / Double(max(most - 1, 1)))
    return Ticks(
      marks: multiples(of: step, in: range).map {
        Mark(value: $0, label: decimal($0, places: places, typographic: true))
      },
      unit: "")
  }

  /// Marks on an axis of seconds, labelled in ms, s, minutes and seconds, or hours and minutes, as the range asks.
  static func time(_ range: ClosedRange<Double>, most: Int) -> Ticks {
    let span = range.upperBound - range.lowerBound
    guard span > 0, span.isFinite else { return single(range.lowerBound) }
    let least = span / Double(max(most - 1, 1))
    // Beyond thirty years nobody reads hours.
    if range.upperBound > 100, range.upperBound < 1e9 {
      let steps: [Double] = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200]
      let step = steps.first { $0 >= least } ?? niceStep(atLeast: least / 86400).step * 86400
      let inHours = range.upperBound > 7200
      let marks = multiples(of: step, in: range).map { Mark(value: $0, label: clock($0, inHours: inHours)) }
      return Ticks(marks: marks, unit: inHours ? "h:min" : "min:s")
    }
    let inMilliseconds = range.upperBound < 1
    let factor = inMilliseconds ? 1000.0 : 1
    let (step, places) = niceStep(atLeast: least * factor)
    let scaled = range.lowerBound * factor...range.upperBound * factor
    let marks = multiples(of: step, in: scaled).map {
      Mark(value: $0 / factor, label: decimal($0, places: places, typographic: true))
    }
    return Ticks(marks: marks, unit: inMilliseconds ? "ms" : "s")
  }

  /// Marks on a logarithmic axis of hertz: 1 to 9 times each power of ten, labelled at 1, 2 and 5 (and at the end).
  static func frequency(_ range: ClosedRange<Double>) -> Ticks {
    var marks: [Mark] = []
    var decade = 1.0
    while decade * 10 <= range.lowerBound { decade *= 10 }
    while decade <= range.upperBound {
      for digit in 1...9 {
        let value = decade * Double(digit)
        guard range.contains(value) else { continue }
        let isLabelled = [1, 2, 5].contains(digit) || value == range.upperBound
        marks.append(Mark(value: value, label: isLabelled ? hertz(value) : ""))
      }
      decade *= 10
    }
    return Ticks(marks: marks, unit: "Hz")
  }

  /// Marks on an axis of decibels, at steps of 1, 2, 3, 5, 6, 10, 20 or more.
  static func decibels(_ range: ClosedRange<Double>, most: Int) -> Ticks {
    let least = (range.upperBound - range.lowerBound) / Double(max(most - 1, 1))
    let step = [1, 2, 3, 5, 6, 10, 20, 30, 50].first { $0 >= least } ?? niceStep(atLeast: least).step
    return Ticks(
      marks: multiples(of: step, in: range).map {
        Mark(value: $0, label: decimal($0, places: 0, typographic: true))
      },
      unit: "dB")
  }

  /// The smallest of 1, 2, 5 times a power of ten that is no smaller, and the places its multiples need.
  static func niceStep(atLeast least: Double) -> (step: Double, places: Int) {
    guard least > 0, least.isFinite, least > 1e-12 else { return (1, 0) }
    var power = 1.0
    var places = 0
    while power > least {
      power /= 10
      places += 1
    }
    while power * 10 <= least { power *= 10 }
    // Half a billionth of slack: a range of 0.1 × 5 is 0.5, whatever its last bit says.
    let digit = [1.0, 2, 5, 10].first { $0 * power >= least * (1 - 5e-10) } ?? 10
    let exponent = digit == 10 ? max(places - 1, 0) : places
    return (digit * power, exponent)
  }

  private static func multiples(of step: Double, in range: ClosedRange<Double>) -> [Double] {
    let slack = 1e-9
    let first = (range.lowerBound / step - slack).rounded(.up)
    let last = (range.upperBound / step + slack).rounded(.down)
    guard first <= last, last - first < 1000 else { return [] }
    return (0...Int(last - first)).map { (first + Double($0)) * step }
  }

  private static func single(_ value: Double) -> Ticks {
    Ticks(
      marks: value.isFinite ? [Mark(value: value, label: decimal(value, places: 1, typographic: true))] : [],
      unit: "")
  }

  private static func clock(_ seconds: Double, inHours: Bool) -> String {
    let units = Int((inHours ? seconds / 60 : seconds).rounded())
    let rest = units.magnitude % 60
    return "\(units / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func hertz(_ value: Double) -> String {
    value < 1000 ? decimal(value, places: 0) : shortThousands(value)
  }

  private static func shortThousands(_ value: Double) -> String {
    let places = value.truncatingRemainder(dividingBy: 1000) == 0 ? 0 : 2
    return decimal(value / 1000, places: places) + "k"
  }
}
