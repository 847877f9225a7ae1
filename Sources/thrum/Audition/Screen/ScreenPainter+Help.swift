extension ScreenPainter {
  /// Places of the keys, and between the two columns.
  private static let keyColumns = 10

  /// All keys, in two columns over the whole screen.
  mutating func paintHelp(_ bindings: [KeyBinding], title: String) {
    fill(Area(column: 0, row: 0, columns: grid.columns, rows: 1), style: .reversed)
    put(" Keys while \(title)", column: 0, row: 0, style: CellStyle(isBold: true, isReversed: true))
    put("any key goes back ", endingAt: grid.columns, row: 0, style: .reversed)
    let width = min(grid.columns / 2, 48)
    var (column, row) = (1, 1)
    for group in groups(bindings) {
      // A group stays together where it can.
      if row + group.count + 1 > grid.rows, column == 1 { (column, row) = (1 + width, 1) }
      if row >= grid.rows { break }
      put(group[0].group, column: column, row: row, style: CellStyle(ink: .title, isBold: true))
      row += 1
      for binding in group where row < grid.rows {
        put(binding.names, column: column + 1, row: row, style: .bold)
        put(
          binding.words, column: column + 1 + Self.keyColumns, row: row,
          width: width - Self.keyColumns - 2)
        row += 1
      }
    }
  }

  private func groups(_ bindings: [KeyBinding]) -> [[KeyBinding]] {
    var groups: [[KeyBinding]] = []
    for binding in bindings {
      if groups.last?.first?.group == binding.group {
        groups[groups.count - 1].append(binding)
      } else {
        groups.append([binding])
      }
    }
    return groups
  }
}
