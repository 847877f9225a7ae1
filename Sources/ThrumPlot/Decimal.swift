/// Writes a number with a fixed number of places, in every locale alike.
///
/// For people to read, `typographic` gives the longer minus and commas between thousands. Numbers too large for whole steps, infinities and NaN
/// are written in their shortest form.
func decimal(_ value: Double, places: Int, typographic: Bool = false) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = (value.magnitude * scale).rounded()
  guard scaled < 1e15 else { return value.description }
  let whole = Int64(scaled)
  var digits = String(whole)
  if places == 0, typographic { digits = grouped(Int(whole)) }
  if places > 0 {
    while digits.utf8.count <= places { digits = "0" + digits }
    digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
  }
  // A value that rounds to zero has no sign.
  guard value < 0, whole != 0 else { return digits }
  return (typographic ? "\u{2212}" : "-") + digits
}

/// Writes a count and what is counted, with an s for more or fewer than one.
func counted(_ count: Int, _ noun: String) -> String { grouped(count) + " " + noun + (count == 1 ? "" : "s") }

/// Writes a whole number with a comma between thousands, as the labels' English has it.
func grouped(_ value: Int) -> String {
  let digits = String(value.magnitude)
  var result = ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.utf8.count - place) % 3 == 0 { result += "," }
    result.append(digit)
  }
  return value < 0 ? "\u{2212}" + result : result
}
