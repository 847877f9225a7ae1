import ThrumEngine
import ThrumJSON
import ThrumPattern
import ThrumSound

/// How a command deals with the sounds of patterns.
struct SoundSettings {
  /// Whether they are wanted at all: a channel carries them, and nobody asked to leave them out.
  var isWanted: Bool
  /// The folders that sounds must be in; nil where any place will do.
  var allowed: [String]?
  /// Files are read once, however many patterns name them.
  let library: SoundLibrary

  /// - Parameter memory: Millions of bytes that all sounds take at most; nil for the usual.
  init(isWanted: Bool, allowed: [String]? = nil, memory: Int? = nil) {
    self.isWanted = isWanted
    self.allowed = allowed
    library = SoundLibrary(capacity: memory.map { $0 * 1_000_000 } ?? SoundLibrary.defaultCapacity)
  }

  /// Compiles a pattern with the sounds that it names.
  /// - Parameters:
  ///   - rate: The output's, which the sounds are made ready for.
  ///   - command: Who tells of a file that is shorter than it says.
  /// - Throws: `CommandError.failed` with the file, the sound and the reason.
  func schedule(of file: NamedPattern, rate: Int, command: String) throws(CommandError) -> Schedule {
    try schedule(of: file, rate: rate) { StandardError.note(command, $0) }
  }

  /// The same for who has another place for warnings than standard error.
  /// - Parameter told: Called with each of them.
  func schedule(
    of file: NamedPattern, rate: Int, told: (String) -> Void
  ) throws(CommandError) -> Schedule {
    guard isWanted else { return ScheduleCompiler.compile(file.pattern) }
    let found: PatternSounds.Result
    do throws(SoundError) {
      found = try PatternSounds.find(
        in: file.pattern, library: library, rules: .besides(file.path.text, allowed: allowed))
    } catch {
      throw .failed("\(file.path): \(error)")
    }
    for warning in found.warnings { told("\(file.name): \(warning)") }
    let schedule = ScheduleCompiler.compile(file.pattern, sounds: found.sounds)
    do throws(EngineError) {
      try schedule.prepareSounds(atRate: rate)
    } catch {
      throw .failed("\(file.path): \(error.message)")
    }
    return schedule
  }
}

/// The settings of a command that plays sounds.
protocol HeardSettings {
  var allowedPaths: [String]? { get set }
  /// Milliseconds; nil where the command line does not say.
  var soundOffset: Double? { get set }
  var isHapticsOnly: Bool { get set }
}

extension CommandOption where Settings: HeardSettings {
  /// The options that all such commands share, in the order of their help.
  static var soundOptions: [CommandOption] {
    [
      .value(
        "audio-offset", "MS", \.soundOffset, .soundOffset,
        "How much later sound comes than the haptics of its time; below 0 earlier. Default 0."),
      CommandOption(
        long: "allow-path", short: nil, placeholder: "DIR",
        help: "Only play sounds from this folder or file; may be given again. Default any place."
      ) { (word, settings) throws(ExpectedValue) in
        if word.bytes.isEmpty { throw ExpectedValue(phrase: "the name of a folder") }
        settings.allowedPaths = (settings.allowedPaths ?? []) + [word.text]
      },
      .flag("haptics-only", \.isHapticsOnly, "Leave sounds out; those that are missing are no error then."),
    ]
  }
}
