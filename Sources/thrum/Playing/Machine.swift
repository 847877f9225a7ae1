import Glibc

/// What a figure was measured on.
enum Machine {
  /// Processor, number of cores and kernel on one line.
  static var words: String {
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return "\(processor), \(NumberText.count(cores, "core")), \(kernel)"
  }

  /// The kernel's preemption model, such as `PREEMPT_RT` or `PREEMPT_DYNAMIC (voluntary)`; nil where it does not tell.
  static var preemption: String? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    let word = text(of: &names.version).split(separator: " ").first { $0.hasPrefix("PREEMPT") }
    guard let word else { return nil }
    // Which of its models a dynamic kernel is in, only root may read.
    guard let models = firstLine(of: "/sys/kernel/debug/sched/preempt"),
      let start = models.firstIndex(of: "("),
      let end = models.firstIndex(of: ")"), start < end
    else { return String(word) }
    return "\(word) \(models[start...end])"
  }

  /// Today's date and the time, UTC, as ISO 8601 has it.
  static var date: String {
    var (now, parts) = (time(nil), tm())
    guard gmtime_r(&now, &parts) != nil else { return "unknown" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):"
      + "\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  private static func firstLine(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    guard getline(&line, &capacity, file) > 0, let line else { return nil }
    return String(cString: line)
  }

  private static var kernel: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown kernel" }
    return "\(text(of: &names.sysname)) \(text(of: &names.release))"
  }

  private static var processor: String {
    guard let file = fopen("/proc/cpuinfo", "r") else { return "unknown processor" }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let bytes = line {
      let parts = String(cString: bytes).split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].hasPrefix("model name") {
        return parts[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
    }
    return "unknown processor"
  }

  /// The text in one of the kernel's fields of fixed size.
  private static func text<Field>(of field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
