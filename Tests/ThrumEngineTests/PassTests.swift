import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// A number of passes and the player's own loop do not get into each other's way.
@Suite struct PassTests {
  @Test("A number of passes that was cancelled leaves the loop as it is")
  func cancelledPasses() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    player.isLooping = true
    try player.play(passes: 2, at: RenderFrame(8000))
    try rig.output.start()
    rig.turn(80)
    try player.cancel()
    rig.turn(80)
    try player.start()
    rig.turn(40_000)
    #expect(player.isActive)
    #expect(rig.log.loops.count > 2)
  }

  @Test("A number of passes for later counts for its own run only")
  func passesForLater() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    player.isLooping = true
    try player.play(passes: 2, at: RenderFrame(8000))
    try player.start()
    try rig.output.start()
    rig.turn(7920)
    #expect(rig.log.loops.count > 2)
    rig.turn(12_080)
    #expect(!player.isActive)
    #expect(rig.log.finishes.count == 2)
    try player.start()
    rig.turn(20_000)
    #expect(player.isActive)
  }
}
