import CoreHaptics
import CoreHapticsTesting
import Testing

@Suite struct NeighbourSymbolTests {
  @Test func anAudioSessionKeepsWhatItIsTold() throws {
    let session: AVAudioSession = .sharedInstance()
    try session.setCategory(.playback)
    try session.setCategory(.playAndRecord, options: [.mixWithOthers])
    try session.setCategory(.playback, mode: .default, options: [])
    try session.setActive(true)
    try session.setActive(false, options: .notifyOthersOnDeactivation)
    try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
    #expect(session.allowHapticsAndSystemSoundsDuringRecording && session.category == .playback)
  }

  @Test func aControllerHasItsLocalities() throws {
    let four = VirtualHaptics(actuators: 4)
    try four.use {
      let haptics = try #require(GCController.controllers().first?.haptics)
      let all: Set<GCHapticsLocality> = [
        .default, .all, .handles, .leftHandle, .rightHandle, .triggers, .leftTrigger, .rightTrigger,
      ]
      #expect(haptics.supportedLocalities == all)
      for locality in all { #expect(haptics.createEngine(withLocality: locality) != nil) }
      #expect(haptics.createEngine(withLocality: GCHapticsLocality(rawValue: "Tail")) == nil)
    }
    let one = VirtualHaptics()
    one.use { #expect(GCController.current == nil) }
    #expect(GCHapticDurationInfinite == .infinity)
  }
}
