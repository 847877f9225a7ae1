internal import ThrumEngine

/// Stands in for the audio session of a phone, so that code that sets one up compiles and runs.
///
/// It keeps what it is told. Nothing follows from it: programs share a sound card through its server.
open class AVAudioSession: NSObject, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: what changes is behind the lock.

  private let state = Locked(State())
  private static let shared = AVAudioSession()

  private struct State {
    var category = Category.soloAmbient
    var mode = Mode.default
    var isActive = false
    var allowsHapticsDuringRecording = false
  }

  /// What a program does with sound.
  public struct Category: Hashable, RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Sound that matters little, mixed with others'.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Sound that matters little, alone.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Sound that matters.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recording alone.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Playing and recording.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Several streams to several devices.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// What kind of sound it is.
  public struct Mode: Hashable, RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Of no special kind.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// A game's chat.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// A film.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
  }

  /// How a category is changed.
  public struct CategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Wraps bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Others' sounds go on.
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    /// Others' sounds are turned down.
    public static let duckOthers = CategoryOptions(rawValue: 2)
  }

  /// How an activation is changed.
  public struct SetActiveOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Wraps bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Others are told.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// The one session of a process.
  open class func sharedInstance() -> AVAudioSession { shared }

  /// The category; solo ambient at first.
  open var category: Category { state.withLock { $0.category } }
  /// The mode; the default at first.
  open var mode: Mode { state.withLock { $0.mode } }
  /// Whether haptics may play while the microphone records; false at first.
  open var allowHapticsAndSystemSoundsDuringRecording: Bool {
    state.withLock { $0.allowsHapticsDuringRecording }
  }

  /// Sets the category.
  open func setCategory(_ category: Category) throws { state.withLock { $0.category = category } }

  /// Sets the category; its options have no effect.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    state.withLock { $0.category = category }
  }

  /// Sets the category and the mode; the options have no effect.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    state.withLock { state in
      state.category = category
      state.mode = mode
    }
  }

  /// Begins or ends the session.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    state.withLock { $0.isActive = active }
  }

  /// Lets haptics play while the microphone records; here they always do.
  open func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    state.withLock { $0.allowsHapticsDuringRecording = inValue }
  }
}
