import Glibc

/// What the simulated card wrote down: its frames, of one channel of Float32, and when they sounded.
public struct CardRecord {
  /// All frames that it took.
  public let samples: [Float]
  private let rate: Int
  /// From a frame on, as of a time, until a frame.
  private var stretches: [(first: Int, end: Int, nanoseconds: Double)] = []

  /// Reads a card's files. Ends the benchmark where they cannot be read.
  /// - Parameter rate: The card's frames a second.
  public init(folder: String, rate: Int) {
    self.rate = rate
    samples = CardRecord.bytes(folder + "/frames").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    for line in String(decoding: CardRecord.bytes(folder + "/log"), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 3, let frame = Int(words[1]), let time = Double(words[2]) else { continue }
      if words[0] == "play" { stretches.append((frame, .max, time)) }
      if words[0] == "stop", !stretches.isEmpty { stretches[stretches.count - 1].end = frame }
    }
  }

  /// The frame that sounded at a time, with its fraction.
  public func frame(soundingAt nanoseconds: Double) -> Double {
    guard let stretch = stretches.last(where: { $0.nanoseconds <= nanoseconds }) else { return 0 }
    return Double(stretch.first) + (nanoseconds - stretch.nanoseconds) * Double(rate) / 1e9
  }

  /// Whether frames sounded one after another, without an xrun among them.
  public func isWhole(from first: Int, through last: Int) -> Bool {
    stretches.contains { $0.first <= first && last < $0.end }
  }

  /// The breaks in what sounded.
  public var breaks: Int { max(0, stretches.count - 1) }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else {
      print("\(path) cannot be read")
      exit(2)
    }
    defer { fclose(file) }
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return result }
      result += block[0..<count]
    }
  }
}
