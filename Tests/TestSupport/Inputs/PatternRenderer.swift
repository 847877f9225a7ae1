import ThrumPattern

/// Something that renders a pattern to samples: the reference, or what is compared with it.
///
/// Tests of the signal take one as an argument, so that every bar is measured on both.
public struct PatternRenderer: Sendable, CustomStringConvertible {
  /// The name in printed lines.
  public let name: String
  /// One haptic channel of a whole render, 1 is full scale, for a profile and a rate in Hz.
  public let samples: @Sendable (Pattern, ReferenceProfile, Int) throws -> [Double]

  /// Wraps a function.
  public init(
    name: String, samples: @escaping @Sendable (Pattern, ReferenceProfile, Int) throws -> [Double]
  ) {
    self.name = name
    self.samples = samples
  }

  /// The independent implementation.
  public static let reference = PatternRenderer(name: "reference") {
    ReferenceRenderer.render($0, profile: $1, rate: $2)
  }

  /// A whole render, at 8 kHz under the flat profile unless told otherwise.
  public func callAsFunction(
    _ pattern: Pattern, profile: ReferenceProfile = .none, rate: Int = 8000
  ) throws -> [Double] {
    try samples(pattern, profile, rate)
  }

  /// The name.
  public var description: String { name }
}
