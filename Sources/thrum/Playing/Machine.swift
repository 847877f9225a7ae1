import Glibc

/// What a figure was measured on.
enum Machine {
  /// Processor, number of cores and kernel on one line.
  static var words: String {
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return "\(processor), \(NumberText.count(cores, "core")), \(kernel)"
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
