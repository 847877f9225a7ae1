import CoreHaptics
import CoreHapticsTesting
import Testing
import ThrumEngine

/// Nothing of an engine outlives it.
@Suite("Engines let go", .serialized)
struct LetGoTests {
  @Test("A machine whose engine ran is freed with its threads", arguments: [0, 1, 2])
  func machine(_ kind: Int) throws {
    weak var haptics: VirtualHaptics?
    weak var engine: CHHapticEngine?
    do {
      let scene = try Scene()
      haptics = scene.haptics
      engine = scene.engine
      if kind > 0 {
        let player = try scene.player(.tap())
        try player.start(atTime: CHHapticTimeImmediate)
        if kind > 1 { scene.advance(0.1) }
      }
    }
    // A thread that has just called the last handler may not have let go of it yet.
    let limit = MonotonicClock.nanoseconds + 60 * 1_000_000_000
    while engine != nil || haptics != nil, MonotonicClock.nanoseconds < limit { usleep(1000) }
    #expect(engine == nil)
    #expect(haptics == nil)
  }
}
