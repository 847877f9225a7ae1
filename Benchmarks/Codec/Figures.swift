import CBenchmark
import Glibc

func nanoseconds() -> Double {
  var time = timespec()
  // The process's own time: other programs on the machine do not count.
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func allocatedBytes() -> Int { Int(thrum_allocated_bytes()) }

/// A number with so many digits behind the point.
func fixed(_ value: Double, _ digits: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((value * scale).rounded())
  let rest = String(scaled % Int(scale))
  if digits == 0 { return String(scaled) }
  return "\(scaled / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
}

func percentile(_ values: [Double], _ percent: Int) -> Double {
  values.sorted()[min(values.count - 1, values.count * percent / 100)]
}

func median(_ values: [Double]) -> Double { percentile(values, 50) }

/// The slope of a straight line through the logarithms.
func slope(_ points: [(x: Double, y: Double)]) -> Double {
  let logs = points.map { (x: log($0.x), y: log($0.y)) }
  let count = Double(logs.count)
  let x = logs.reduce(0) { $0 + $1.x } / count
  let y = logs.reduce(0) { $0 + $1.y } / count
  let both = logs.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
  return both / logs.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
}

func show(_ row: Row) {
  let both = median(row.parse) + median(row.compile)
  print(
    [
      String(row.events), fixed(Double(row.bytes) / 1000, 1),
      fixed(median(row.parse), 3) + "/" + fixed(percentile(row.parse, 99), 3),
      fixed(median(row.compile), 3) + "/" + fixed(percentile(row.compile, 99), 3), fixed(median(row.scan), 3),
      fixed(both / median(row.scan), 2), fixed(Double(row.held) / Double(row.bytes), 2),
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
