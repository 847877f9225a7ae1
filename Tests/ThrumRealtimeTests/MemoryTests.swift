import CAllocationProbe
import Testing

@testable import ThrumRealtime

@Suite("The memory that is locked for the render thread")
struct MemoryTests {
  @Test("is the whole of every block, with sound and without", arguments: [true, false])
  func coversItsBlocks(hasSound: Bool) {
    let map =
      hasSound ? ChannelMap([.haptic(0), .soundLeft, .soundRight]) : ChannelMap.allHaptic(channels: 1)
    let stage = OutputStage(
      settings: RendererSettings(), profiles: [.safe], map: map, rate: 48_000, format: .float)
    var (index, sum) = (0, 0)
    while let block = stage.memoryBlock(index) {
      // An allocator rounds up, by 16 bytes here and a page at most where it maps a block of its own.
      if block.count > 0, let base = block.baseAddress {
        let unlocked = thrum_probe_allocated_bytes(base) - block.count
        #expect(0 <= unlocked && unlocked < max(64, min(4096, block.count / 16)), "block \(index)")
      }
      sum += block.count
      index += 1
    }
    let voices = RendererSettings().soundCapacity * MemoryLayout<SoundVoice>.stride
    #expect(sum > (hasSound ? voices : 0))
  }
}
