import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Renders without a device.
@Suite struct OfflineRenderTests {
  private static let tap = Pattern(entries: [.event(Event(type: .hapticTransient, time: 0.01))])

  @Test func aTapIsAsLongAsItsTail() {
    let result = OfflineRender.render(
      ScheduleCompiler.compile(Self.tap), profile: .none, rate: 8000, format: .float
    ) { _ in }
    // Signal model, section 2: 245 frames at sharpness 0.5.
    #expect(result.frames == 80 + 245)
    #expect(result.deviceFrames == result.frames)
    #expect(!result.isCut)
  }

  @Test(arguments: [1, 7, 64, 480, 1024]) func blockSizeNeverShows(_ blockFrames: Int) {
    var bytes: [UInt8] = []
    var whole: [UInt8] = []
    let schedule = ScheduleCompiler.compile(Self.tap)
    OfflineRender.render(
      schedule, profile: .safe, rate: 48_000, format: .s16, blockFrames: blockFrames
    ) { bytes += $0 }
    OfflineRender.render(schedule, profile: .safe, rate: 48_000, format: .s16, blockFrames: 100_000) {
      whole += $0
    }
    #expect(bytes == whole)
    // 622 frames of the high-pass and up to a multiple of 8; limiter 8 frames, kernel 11 (signal model, 11.14).
    #expect(bytes.count == 2 * 6 * (952 + 8 + 11))
    #expect(bytes.contains { $0 != 0 })
  }
}
