/// Why a packet cannot be read.
public struct OSCProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The byte at which it was seen, from 0.
  public let offset: Int
  /// What is wrong, and what would be right.
  public let message: String

  init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }

  /// Place and message in one line.
  public var description: String { "byte \(offset): \(message)" }
}
