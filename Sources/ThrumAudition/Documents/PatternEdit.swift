import ThrumPattern

/// A number of an entry that can be changed.
public enum PatternField: Sendable, Hashable {
  /// Seconds from the start of the pattern at which the entry begins.
  case time
  /// Seconds until an event's release.
  case duration
  /// A parameter that an event carries, such as its intensity.
  case parameter(EventParameterID)
  /// The value of a dynamic parameter.
  case value
  /// Seconds from the start of the curve to a point, named by its place among the points in order of time.
  case pointTime(Int)
  /// The value at a point of a curve.
  case pointValue(Int)

  /// The intensity of an event that is felt.
  public static var intensity: PatternField { .parameter(.hapticIntensity) }
  /// The sharpness of an event that is felt.
  public static var sharpness: PatternField { .parameter(.hapticSharpness) }
}

/// One change of a pattern's text.
///
/// Entries are named by their index in ``PatternDocument/entries``, points by their place in order of time.
/// Times are in seconds and written to the microsecond; values outside their range are brought to its nearer
/// end, and ``EditOutcome/isClamped`` says so.
public enum PatternEdit: Sendable, Equatable {
  /// Gives a number a value; a parameter that the event does not carry yet is added.
  case set(PatternField, of: Int, to: Double)
  /// Moves a number by a step, from the default where the event does not carry it; decimals stay decimals.
  case nudge(PatternField, of: Int, by: Double)
  /// Takes away a duration or a parameter, so that its default counts.
  case clear(PatternField, of: Int)
  /// Adds an event that is felt, behind those that begin no later.
  case addEvent(Event)
  /// Adds a dynamic parameter, behind those that take effect no later, so that it is the one that counts.
  case addParameter(DynamicParameter)
  /// Adds a curve, behind the controls that begin no later; it needs a point at least.
  case addCurve(ParameterCurve)
  /// Removes an event, a dynamic parameter or a curve.
  case remove(Int)
  /// Adds a point to a curve.
  case addPoint(ParameterCurve.Point, to: Int)
  /// Moves a point of a curve, past its neighbours where it must.
  case movePoint(Int, of: Int, to: ParameterCurve.Point)
  /// Removes a point of a curve; the last one is refused, as the curve would do nothing.
  case removePoint(Int, of: Int)

  /// Adds a tap at a time.
  public static func addTransient(at time: Double, intensity: Float, sharpness: Float) -> PatternEdit {
    .addEvent(.haptic(.hapticTransient, time, nil, intensity, sharpness))
  }

  /// Adds a vibration of a duration at a time.
  public static func addContinuous(
    at time: Double, duration: Double, intensity: Float, sharpness: Float
  ) -> PatternEdit {
    .addEvent(.haptic(.hapticContinuous, time, duration, intensity, sharpness))
  }
}

extension Event {
  /// An event that is felt, with both its values written.
  static func haptic(
    _ type: EventType, _ time: Double, _ duration: Double?, _ intensity: Float, _ sharpness: Float
  ) -> Event {
    var parameters = EventParameters()
    parameters[.hapticIntensity] = intensity
    parameters[.hapticSharpness] = sharpness
    return Event(type: type, time: time, duration: duration, parameters: parameters)
  }
}

/// What an edit, an undo or a redo did.
public struct EditOutcome: Sendable, Equatable {
  /// The entry that was changed or added, the one to select; after a removal the one that took its place. Nil
  /// where there is none.
  public var entry: Int?
  /// The point that was changed or added, by its place in order of time; nil where no point was.
  public var point: Int?
  /// Whether the text changed; a nudge at the end of a range changes nothing and is no step to undo.
  public var isChanged: Bool
  /// Whether the value that was asked for was out of range, so that the nearer end was taken.
  public var isClamped: Bool
  /// What was done, such as `intensity`, to be shown beside "undo".
  public var name: String

  /// Creates an outcome.
  public init(
    entry: Int? = nil, point: Int? = nil, isChanged: Bool = true, isClamped: Bool = false, name: String
  ) {
    self.entry = entry
    self.point = point
    self.isChanged = isChanged
    self.isClamped = isClamped
    self.name = name
  }
}

/// Why an edit was not made; the document is as it was.
public struct EditRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// What makes no sense and what would, in one line.
  public var message: String

  /// Creates a refusal.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
