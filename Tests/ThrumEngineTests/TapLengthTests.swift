import Testing

@testable import ThrumEngine
@testable import ThrumRealtime

/// The control side's idea of a tap's length.
@Suite struct TapLengthTests {
  @Test func itIsTheVoicesOwn() {
    var longest: Int64 = 0
    for attack in 0...5 {
      for decay in -5...5 {
        for sharpness in 0...200 {
          let event = ScheduledEvent(
            startFrame: 0, kind: .transient, intensity: 1, sharpness: Float(sharpness) / 200,
            attack: Float(attack) / 5, decay: Float(decay) / 5)
          let voice = TransientVoice(
            startFrame: 0, intensity: 1, sharpness: Double(event.sharpness), attack: Double(event.attack),
            decay: Double(event.decay))
          let length = TapLength.frames(of: event)
          #expect(length == voice.endFrame, "sharpness \(sharpness), attack \(attack), decay \(decay)")
          longest = max(longest, length)
        }
      }
    }
    #expect(longest == TapLength.longest)
  }
}
