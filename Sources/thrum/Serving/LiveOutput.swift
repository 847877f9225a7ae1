import ThrumEngine
import ThrumRealtime

/// What live voices play on: the device of the service, or that of an audition.
///
/// Lives on the main thread.
protocol LiveOutput: AnyObject {
  /// Rings when a run has ended.
  var bell: Bell { get }
  /// Whether the device is gone for good; what played on it is over.
  var hasFailed: Bool { get }
  /// The device that is open.
  var deviceName: String? { get }
  /// The xruns of the device that is open.
  var xruns: Int { get }
  /// Why it could not be opened a moment ago, for who would try again and again.
  var recentRefusal: String? { get }
  /// The render frame that is heard at a time of CLOCK_MONOTONIC; nil while no device tells its time.
  func frame(atNanoseconds nanoseconds: Int64) -> RenderFrame?
  /// Keeps the device from being given back for a while.
  func use()
  /// Opens the device where it is not.
  /// - Throws: A message for whoever asked.
  func prepare() throws(CommandError)
  /// Makes a pattern ready on a device that it opens where it is not.
  /// - Returns: Its player, which rings nothing by itself.
  /// - Throws: A message for whoever asked.
  func makePlayer(_ pattern: NamedPattern) throws(CommandError) -> Player
}
