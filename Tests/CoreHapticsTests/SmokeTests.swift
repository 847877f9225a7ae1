import CoreHaptics
import CoreHapticsTesting
import Testing

@Suite struct SmokeTests {
  @Test func aTapIsFeltOnItsFrame() throws {
    let haptics = VirtualHaptics()
    let engine = try haptics.use { try CHHapticEngine() }
    try engine.start()
    let tap = CHHapticEvent(
      eventType: .hapticTransient,
      parameters: [CHHapticEventParameter(parameterID: .hapticIntensity, value: 1)], relativeTime: 0.1)
    let pattern = try CHHapticPattern(events: [tap], parameters: [])
    let player = try engine.makePlayer(with: pattern)
    try player.start(atTime: engine.currentTime + 0.25)
    haptics.advance(seconds: 1)
    let signal = haptics.signal()
    #expect(signal.count == 8000)
    #expect(signal.firstIndex { $0 != 0 } == 2800 || signal.firstIndex { $0 != 0 } == 2801)
  }
}
