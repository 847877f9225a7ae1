internal import ThrumPattern

/// A pattern: events, and how their parameters change while it plays.
///
/// It copies what it is made from and never changes. It may be shared by threads, players and engines.
open class CHHapticPattern: NSObject, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: there is one constant, which is `Sendable`.

  /// What it holds, and the same in frames.
  let compiled: CompiledPattern

  /// What it holds.
  var contents: PatternContents { compiled.contents }

  /// Creates a pattern of events, and of values that change while it plays.
  /// - Throws: ``CHHapticError`` `invalidEventTime`, `invalidEventDuration`, `invalidEventType` or
  ///   `invalidParameterType`; `invalidAudioResource` for a sound event that names no sound.
  public init(events: [CHHapticEvent], parameters: [CHHapticDynamicParameter]) throws {
    compiled = CompiledPattern(try PatternContents(events: events, parameters: parameters, curves: []))
    super.init()
  }

  /// Creates a pattern of events, and of curves.
  /// - Throws: As ``init(events:parameters:)``.
  public init(events: [CHHapticEvent], parameterCurves: [CHHapticParameterCurve]) throws {
    compiled = CompiledPattern(try PatternContents(events: events, parameters: [], curves: parameterCurves))
    super.init()
  }

  /// Creates a pattern from a dictionary of the shape of a pattern file.
  ///
  /// Keys may be ``Key`` or strings, names constants or strings. Values out of range are clamped, unknown
  /// keys skipped.
  /// - Throws: ``CHHapticError`` with the code for what is wrong, and where it is.
  public init(dictionary patternDict: [Key: Any]) throws {
    compiled = CompiledPattern(try PatternContents(dictionary: patternDict))
    super.init()
  }

  /// Creates a pattern from a file, or from the variant of a haptic data asset that suits the settings.
  /// - Throws: ``CHHapticError`` `fileNotFound`, or the code for what is wrong in the file and the place.
  public init(contentsOf ahapURL: URL) throws {
    compiled = CompiledPattern(try PatternContents(file: ahapURL, settings: .current))
    super.init()
  }

  /// Seconds to the end of the last event or parameter: its start, and its duration if it has one.
  open var duration: TimeInterval { contents.pattern.duration }

  /// The pattern as a dictionary from which ``init(dictionary:)`` makes an equal one; JSON can hold it.
  /// - Throws: ``CHHapticError`` `operationNotPermitted` where an event plays a registered sound.
  open func exportDictionary() throws -> [Key: Any] { try contents.dictionary() }
}

extension CHHapticPattern {
  /// The keys of a pattern's dictionary.
  public struct Key: Hashable, RawRepresentable, Sendable, _SwiftNewtypeWrapper {
    // The underscored protocol is what an imported key type has too: it makes a key the same as its string
    // where a dictionary is read as one of `AnyHashable`, as the writer of JSON does.

    /// The key in a pattern file.
    public let rawValue: String

    /// Wraps a key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The version of the format, a number.
    public static let version = Key(rawValue: "Version")
    /// The list of the pattern's entries.
    public static let pattern = Key(rawValue: "Pattern")
    /// An event.
    public static let event = Key(rawValue: "Event")
    /// The kind of an event.
    public static let eventType = Key(rawValue: "EventType")
    /// A time in seconds.
    public static let time = Key(rawValue: "Time")
    /// The duration of an event in seconds.
    public static let eventDuration = Key(rawValue: "EventDuration")
    /// The path of an event's sound.
    public static let eventWaveformPath = Key(rawValue: "EventWaveformPath")
    /// The parameters of an event.
    public static let eventParameters = Key(rawValue: "EventParameters")
    /// A dynamic parameter.
    public static let parameter = Key(rawValue: "Parameter")
    /// The name of a parameter.
    public static let parameterID = Key(rawValue: "ParameterID")
    /// The value of a parameter.
    public static let parameterValue = Key(rawValue: "ParameterValue")
    /// A curve.
    public static let parameterCurve = Key(rawValue: "ParameterCurve")
    /// The points of a curve.
    public static let parameterCurveControlPoints = Key(rawValue: "ParameterCurveControlPoints")
    /// Whether an event's sound is ramped in and out.
    public static let eventWaveformUseVolumeEnvelope = Key(rawValue: "EventWaveformUseVolumeEnvelope")
    /// Whether an event's sound repeats.
    public static let eventWaveformLoopEnabled = Key(rawValue: "EventWaveformLoopEnabled")
  }
}
