/// A time as NTP counts it: seconds since 1900 in the upper 32 bits, their 2³²nd parts in the lower.
public struct OSCTimeTag: RawRepresentable, Sendable, Equatable {
  /// The 64 bits of the wire.
  public var rawValue: UInt64

  /// Creates a time from the bits of the wire.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// As soon as it is read.
  public static let immediately = OSCTimeTag(rawValue: 1)

  /// From 1900 to 1970, seconds: 70 years, 17 of them leap years.
  private static let unixEpoch: Int64 = 2_208_988_800
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// Creates the time of so many nanoseconds since 1970, to the nearest 2³²nd of a second.
  /// - Parameter unixNanoseconds: Of CLOCK_REALTIME; the wire's 32 bits of seconds begin again every 136 years.
  public init(unixNanoseconds: Int64) {
    let (seconds, rest) = unixNanoseconds.quotientAndFloor(dividingBy: Self.nanosecondsPerSecond)
    let fraction =
      ((UInt64(rest) << 32) + UInt64(Self.nanosecondsPerSecond) / 2) / UInt64(Self.nanosecondsPerSecond)
    let whole = UInt64(bitPattern: seconds &+ Self.unixEpoch) & 0xFFFF_FFFF
    rawValue = (whole << 32) &+ fraction
  }

  /// Nanoseconds since 1970, in the era that is nearest to now; nil for ``immediately``.
  /// - Parameter now: Nanoseconds of CLOCK_REALTIME.
  public func unixNanoseconds(near now: Int64) -> Int64? {
    guard self != .immediately else { return nil }
    let era: Int64 = 1 << 32
    var seconds = Int64(rawValue >> 32) - Self.unixEpoch
    let distance = now / Self.nanosecondsPerSecond - seconds
    // To the nearest era, by halves away from it.
    seconds += (distance + era / 2).quotientAndFloor(dividingBy: era).quotient * era
    let fraction = (rawValue & 0xFFFF_FFFF) * UInt64(Self.nanosecondsPerSecond)
    // Beyond the years that nanoseconds can count, 1677 to 2262, the last of them.
    let limit = Int64.max / Self.nanosecondsPerSecond - 1
    seconds = min(max(seconds, -limit), limit)
    return seconds * Self.nanosecondsPerSecond + Int64((fraction + (1 << 31)) >> 32)
  }
}

extension Int64 {
  /// Quotient and remainder of a division whose remainder is never below 0.
  fileprivate func quotientAndFloor(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
