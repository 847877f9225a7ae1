import BenchmarkSupport
import CBenchmark

func allocatedBytes() -> Int { Int(thrum_allocated_bytes()) }

func show(_ row: Row) {
  let both = Percentiles(row.parse).median + Percentiles(row.compile).median
  print(
    [
      String(row.events), fixed(Double(row.bytes) / 1000, 1),
      fixed(Percentiles(row.parse).median, 3) + "/" + fixed(Percentiles(row.parse)[99], 3),
      fixed(Percentiles(row.compile).median, 3) + "/" + fixed(Percentiles(row.compile)[99], 3),
      fixed(Percentiles(row.scan).median, 3),
      fixed(both / Percentiles(row.scan).median, 2), fixed(Double(row.held) / Double(row.bytes), 2),
      fixed(Double(row.held) / Double(row.events), 1), String(row.parse.count),
    ].joined(separator: "    "))
}

/// What was promised, and whether it holds.
struct Bars {
  private(set) var areMissed = false

  /// - Parameter isAim: Whether it has never been met yet, so that missing it is no step back.
  mutating func tell(_ isMet: Bool, _ what: String, isAim: Bool = false) {
    print("\(isMet ? "met   " : "MISSED")  \(what)\(isAim ? " (an aim, not checked)" : "")")
    if !isMet, !isAim { areMissed = true }
  }
}
