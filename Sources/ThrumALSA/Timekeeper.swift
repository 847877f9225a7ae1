/// Who tells when the next period is due.
enum Timekeeper: Equatable, Sendable {
  /// Nobody yet; after so many writes the running device was found empty at once.
  case unknown(emptyWrites: Int)
  /// The device's own clock.
  case device
  /// The loop: the device takes everything at once, as ALSA's `null` does. The frame given is heard at the
  /// time given.
  case loop(frame: Int64, nanoseconds: Int64)

  /// Writes after which a device without a clock is known. Frames take time to play, and a sound server
  /// fetches them once a cycle, so no other is empty right after each of three.
  static let emptyWritesToTell = 3

  /// The frame that is heard at a time, where the loop keeps it.
  func frame(at nanoseconds: Int64, rate: Int64) -> Int64? {
    guard case .loop(let frame, let origin) = self else { return nil }
    // Whole seconds apart: the product of nanoseconds and a rate overflows after a day.
    let (seconds, rest) = (nanoseconds - origin).quotientAndRemainder(dividingBy: 1_000_000_000)
    return frame + seconds * rate + rest * rate / 1_000_000_000
  }
}
