import Glibc

/// The least ratios that pass, from a file of the toolchain's own: `Benchmarks/Thresholds/swift-6.3-x86_64.txt`. A line is a
/// kernel, a number of voices, the least speed relative to the plain C bank, and the scenario.
struct KernelThresholds {
  struct Line {
    var kernel: String
    var voices: Int
    var least: Double
    var scenario: String
  }

  private(set) var lines: [Line] = []

  /// The file's path from the package's top.
  static var path: String {
    #if arch(x86_64)
      let architecture = "x86_64"
    #elseif arch(arm64)
      let architecture = "aarch64"
    #else
      let architecture = "other"
    #endif
    #if compiler(>=6.4)
      let compiler = "swift-6.4"
    #elseif compiler(>=6.3)
      let compiler = "swift-6.3"
    #else
      let compiler = "swift-6"
    #endif
    return "Benchmarks/Thresholds/\(compiler)-\(architecture).txt"
  }

  /// Reads the file; nil where there is none or a line is not as it should be.
  init?() {
    guard let file = fopen(KernelThresholds.path, "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 512)
    while fgets(&buffer, 512, file) != nil {
      let text = String(
        decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.isEmpty || text.hasPrefix("#") { continue }
      let words = text.split(separator: " ", maxSplits: 3)
      guard words.count == 4, let voices = Int(words[1]), let least = Double(words[2]) else {
        print("bench-render: \(KernelThresholds.path): a line is not KERNEL VOICES LEAST SCENARIO: \(text)")
        return nil
      }
      lines.append(Line(kernel: String(words[0]), voices: voices, least: least, scenario: String(words[3])))
    }
  }
}
