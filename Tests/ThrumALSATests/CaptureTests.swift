import CALSA
import Foundation
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

extension HandClockTests {
  /// What sounds on the card, heard by a microphone on the same wire.
  @Suite struct CaptureTests {
    /// A capture PCM of one channel of S32 at 8,000 Hz, which listens from its making on.
    private final class Ear {
      private let handle: OpaquePointer

      init(_ configuration: String) throws {
        var tree: OpaquePointer?
        try #require(snd_config_load_string(&tree, configuration, 0) >= 0)
        defer { snd_config_delete(tree) }
        var handle: OpaquePointer?
        try #require(snd_pcm_open_lconf(&handle, "ear", SND_PCM_STREAM_CAPTURE, 0, tree) >= 0)
        self.handle = try #require(handle)
        // Eight seconds of buffer, a quarter of which makes it call for a reader: more than the test plays.
        try #require(
          snd_pcm_set_params(
            self.handle, SND_PCM_FORMAT_S32_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, 8000, 0, 8_000_000) >= 0)
        try #require(snd_pcm_start(self.handle) >= 0)
      }

      deinit { snd_pcm_close(handle) }

      /// Everything that it heard by now.
      func listen() throws -> [Int32] {
        let count = snd_pcm_avail(handle)
        try #require(count > 0)
        var frames = [Int32](repeating: 0, count: count)
        let read = snd_pcm_readi(handle, &frames, UInt(count))
        return Array(frames.prefix(max(0, read)))
      }
    }

    @Test(arguments: [0, 400])
    func whatSoundedIsHeardAtTheOtherEndOfTheWire(delay: Int) throws {
      let wire = "wire-\(UUID().uuidString)"
      let card = try TestCard("clock \"hand\" rates \"8000\" loop \"\(wire)\"", script: "xrun at 1600")
      let ear = try Ear(
        card.configuration
          + "\npcm.ear { type thrum_test_card clock \"hand\" loop \"\(wire)\" loop_delay \"\(delay)\" }\n")
      let run = try HandTurnedRun(card)
      // Silence follows the last frame for 50 ms and more, which is what the longer wire takes.
      #expect(run.play(frames: 4000) == .drained)
      let heard = try ear.listen().filter { $0 != 0 }
      let sounded = try card.sound(rate: 8000).map(\.value)
      #expect(sounded.count + Int(run.control.counters.skippedFrames) == 4000)
      #expect(run.control.counters.xruns == 1)
      #expect(heard == sounded)
    }
  }
}
