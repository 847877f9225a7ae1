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
}
