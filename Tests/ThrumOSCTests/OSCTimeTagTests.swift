import Testing
import ThrumOSC

@Suite struct OSCTimeTagTests {
  @Test func theEpochsLieSeventyYearsApart() {
    #expect(OSCTimeTag(unixNanoseconds: 0).rawValue == UInt64(2_208_988_800) << 32)
    #expect(OSCTimeTag(rawValue: 2_208_988_800 << 32).unixNanoseconds(near: 0) == 0)
    // Half a second is the highest bit of the fraction.
    #expect(OSCTimeTag(unixNanoseconds: 500_000_000).rawValue == UInt64(2_208_988_800) << 32 | 1 << 31)
  }

  @Test(arguments: [1, -1, 999_999_999, 1_796_000_000_123_456_789, 2_085_978_495_999_999_999] as [Int64])
  func nanosecondsComeBack(nanoseconds: Int64) {
    #expect(OSCTimeTag(unixNanoseconds: nanoseconds).unixNanoseconds(near: nanoseconds) == nanoseconds)
  }

  /// The 32 bits of seconds begin again in February 2036.
  @Test(arguments: [-3, 0, 3] as [Int64]) func theTurnOfTheEraIsNoHurdle(second: Int64) {
    let turn: Int64 = 2_085_978_496
    let time = (turn + second) * 1_000_000_000
    #expect(OSCTimeTag(unixNanoseconds: time).unixNanoseconds(near: turn * 1_000_000_000 - 1) == time)
  }

  @Test func atOnceIsNoTime() {
    #expect(OSCTimeTag.immediately.unixNanoseconds(near: 0) == nil)
  }

  @Test(arguments: [0, 2, .max, 1 << 63] as [UInt64], [0, .max, .min] as [Int64])
  func noTimeTraps(bits: UInt64, now: Int64) throws {
    let time = try #require(OSCTimeTag(rawValue: bits).unixNanoseconds(near: now))
    // Within half an era of now, which is 68 years.
    let distance = (Double(time) - Double(now)) / 1e9
    #expect(abs(distance) <= 2_147_483_650)
  }
}
