import CoreHaptics
import CoreHapticsTesting
import Testing

@Suite("README's sample of CoreHaptics")
struct CoreHapticsReadmeTests {
  @Test("is felt")
  func sample() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let start = try #require(readme.range(of: "```swift\nimport CoreHaptics\n")).upperBound
    let end = try #require(readme.range(of: "\n```", range: start..<readme.endIndex)).lowerBound
    let source = try String(contentsOf: file, encoding: .utf8)
    // The sample below, line by line; only the engine is one of a machine whose time is turned by hand.
    for line in readme[start..<end].split(separator: "\n") where !line.contains("CHHapticEngine()") {
      #expect(source.contains("    " + line + "\n"), "\(line)")
    }
    let haptics = VirtualHaptics()
    let engine = try haptics.use { try CHHapticEngine() }
    try engine.start()
    let tap = CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 0)
    let pattern = try CHHapticPattern(events: [tap], parameters: [])
    let player = try engine.makePlayer(with: pattern)
    try player.start(atTime: CHHapticTimeImmediate)
    haptics.advance(seconds: 0.1)
    #expect(haptics.signal().contains { abs($0) > 0.1 })
  }
}
