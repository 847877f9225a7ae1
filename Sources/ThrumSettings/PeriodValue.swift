import ThrumALSA
import ThrumJSON

extension ValueParser where Value == ALSARequest.Period {
  /// The time between two wake-ups of a device: milliseconds, or frames with an `f` after the number.
  package static var period: ValueParser {
    ValueParser("milliseconds from 1 to 1000, such as 5, or frames, such as 48f") { word in
      if word.hasSuffix("f") {
        let number = String(word.dropLast())
        guard isPlainNumber(number), let count = Int(number), (1...96_000).contains(count) else {
          return nil
        }
        return .frames(count)
      }
      guard let duration = decimal(word.hasSuffix("ms") ? String(word.dropLast(2)) : word),
        (1...1000).contains(duration)
      else { return nil }
      return .seconds(duration / 1000)
    }
  }
}
