import Testing

@testable import ThrumRealtime

@Suite("A tap")
struct TransientVoiceTests {
  @Test("Its first samples are those of the signal model", .timeLimit(.minutes(15)))
  func firstSamples() {
    let rig = TestRig()
    rig.play(
      TestSchedule(
        events: [ScheduledEvent(startFrame: 0, kind: .transient, intensity: 1, sharpness: 0.5)],
        durationFrames: 0))
    let samples = rig.render(256)
    let expected: [Float] = [0, -0.01038, 0.00546, 0.06737, 0.16403, 0.27662, 0.38819, 0.48647]
    for (index, value) in expected.enumerated() {
      #expect(abs(samples[index] - value) < 6e-6, "sample \(index): \(samples[index])")
    }
    #expect(samples[245...].allSatisfy { $0 == 0 })
    #expect(samples[244] != 0)
  }

  @Test("Its length is the model's at three sharpnesses", arguments: [(0.0, 547), (0.5, 245), (1.0, 110)])
  func length(sharpness: Double, frames: Int64) {
    let voice = TransientVoice(startFrame: 100, intensity: 1, sharpness: sharpness, attack: 0, decay: 0)
    #expect(voice.endFrame - voice.startFrame == frames)
  }
}
