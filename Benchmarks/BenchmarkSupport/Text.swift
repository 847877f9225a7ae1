/// A number with so many digits behind the point, in any locale.
public func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite, value.magnitude < 1e15 else { return "–" }
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((value.magnitude * scale).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  if digits == 0 { return sign + String(scaled) }
  let rest = String(scaled % Int(scale))
  return "\(sign)\(scaled / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
}

/// A table that is printed once it is whole: aligned, or as Markdown with `--markdown`.
public struct Table {
  private var rows: [[String]]

  /// Begins a table with the names of its columns.
  public init(_ columns: [String]) { rows = [columns] }

  /// Adds a line.
  public mutating func add(_ cells: [String]) { rows.append(cells) }

  /// Prints it.
  public func print() {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    for (index, row) in rows.enumerated() {
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }
      if Options.isMarkdown {
        Swift.print("| " + cells.joined(separator: " | ") + " |")
        if index == 0 {
          Swift.print("|" + row.indices.map { $0 == 0 ? " --- |" : " ---: |" }.joined())
        }
      } else {
        Swift.print(cells.joined(separator: "  "))
      }
    }
    if Options.isMarkdown { Swift.print("") }
  }
}
