import CoreHaptics
import CoreHapticsTesting
import Testing

@Suite struct VirtualHapticsTests {
  @Test func aMachineWithoutAnOutputGivesNoEngine() throws {
    let haptics = VirtualHaptics()
    haptics.hasOutput = false
    haptics.use {
      #expect(!CHHapticEngine.capabilitiesForHardware().supportsHaptics)
      #expect(throws: CHHapticError.self) { try CHHapticEngine() }
    }
  }

  @Test func timeIsWhatWasTurned() {
    let haptics = VirtualHaptics()
    haptics.advance(seconds: 0.75)
    #expect(haptics.seconds == 0.75)
    #expect(haptics.signal() == Array(repeating: 0, count: 6000))
  }
  @Test func aHandlerFindsTheTimeToWhichItWasTurned() throws {
    let event = CHHapticEvent(eventType: .audioContinuous, parameters: [], relativeTime: 0, duration: 0.012)
    let pattern = try CHHapticPattern(events: [event], parameters: [])
    // Threads run as they like: one time in twenty was wrong where they were not held.
    for turn in 0..<300 {
      let haptics = VirtualHaptics()
      let engine = try haptics.use { try CHHapticEngine() }
      try engine.start()
      let player = try engine.makeAdvancedPlayer(with: pattern)
      var seconds: Double?
      player.completionHandler = { _ in seconds = haptics.seconds }
      try player.start(atTime: 0)
      haptics.advance(seconds: 0.1)
      // Its end is in the fourth step of 5 ms.
      #expect(seconds == 0.02, "turn \(turn)")
    }
  }
}
