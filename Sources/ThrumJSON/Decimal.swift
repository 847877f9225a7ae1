/// Reads a decimal number with `.` as its mark, whatever the locale; refuses hexadecimal, infinity and NaN.
public func decimal(_ word: String) -> Double? {
  let allowed = Set("0123456789.-+eE".utf8)
  guard word.utf8.allSatisfy(allowed.contains), let number = Double(word), number.isFinite else { return nil }
  return number
}
