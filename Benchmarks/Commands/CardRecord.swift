import Glibc

/// What the simulated card wrote down: its frames, of one channel of Float32, and when they sounded.
struct CardRecord {
  let samples: [Float]
  /// From a frame on, as of a time, until a frame.
  private var stretches: [(first: Int, end: Int, nanoseconds: Double)] = []

  /// Reads a card's files.
  init(folder: String) {
    samples = CardRecord.bytes(folder + "/frames").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    for line in String(decoding: CardRecord.bytes(folder + "/log"), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 3, let frame = Int(words[1]), let time = Double(words[2]) else { continue }
      if words[0] == "play" { stretches.append((frame, .max, time)) }
      if words[0] == "stop", !stretches.isEmpty { stretches[stretches.count - 1].end = frame }
    }
  }

  /// The frame that sounded at a time, with its fraction.
  func frame(soundingAt nanoseconds: Double) -> Double {
    guard let stretch = stretches.last(where: { $0.nanoseconds <= nanoseconds }) else { return 0 }
    return Double(stretch.first) + (nanoseconds - stretch.nanoseconds) * Double(rate) / 1e9
  }

  /// Whether frames sounded one after another, without an xrun among them.
  func isWhole(from first: Int, through last: Int) -> Bool {
    stretches.contains { $0.first <= first && last < $0.end }
  }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { fail("\(path) cannot be read") }
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
