internal import ThrumEngine
internal import ThrumPattern
internal import ThrumSound

extension CHHapticError {
  /// An error with its two texts.
  /// - Parameters:
  ///   - code: What went wrong.
  ///   - condition: The condition that does not hold, in few words.
  ///   - message: What a person should read: what was found, and what would be right.
  init(_ code: Code, condition: String, _ message: String) {
    self.init(code, userInfo: [Self.conditionKey: condition, NSLocalizedDescriptionKey: message])
  }

  /// The key under which the condition that failed is found.
  static let conditionKey = "Error"

  /// What the reader of pattern files says.
  init(_ diagnostic: Diagnostic) {
    let code = diagnostic.code.flatMap { Code(rawValue: $0.rawValue) } ?? .invalidPatternData
    let place = diagnostic.keyPath.isEmpty ? diagnostic.file : diagnostic.keyPath
    self.init(code, condition: "\(place) is valid", diagnostic.description)
  }

  /// What the engine below says.
  init(_ error: EngineError) {
    switch error.code {
    case .commandQueueFull, .playersExhausted, .enginesExhausted, .soundUnavailable:
      self.init(.resourceNotAvailable, condition: "limit not exceeded", error.message)
    case .notRunning:
      self.init(.engineNotRunning, condition: "self.running", Code.engineNotRunning.meaning)
    case .invalidValue:
      self.init(.invalidEngineParameter, condition: "value is valid", error.message)
    }
  }

  /// What is said of a sound.
  /// - Parameter isWithoutFolder: Whether it was looked for where patterns that are no files have theirs.
  init(_ error: SoundError, isWithoutFolder: Bool = false) {
    switch error.code {
    case .operationNotPermitted:
      self.init(.operationNotPermitted, condition: "file is allowed", error.message)
    case .invalidAudioResource:
      self.init(.invalidAudioResource, condition: "audio resource is valid", error.message)
    case .resourceNotAvailable:
      self.init(.resourceNotAvailable, condition: "limit not exceeded", error.message)
    case .fileNotFound:
      let advice =
        isWithoutFolder
        ? "; the pattern is no file, so its sounds are looked for in the program's resources, or in the engine's "
          + "soundFolder" : ""
      self.init(.fileNotFound, condition: "file exists", error.message + advice)
    }
  }

  /// What an output says that cannot be opened or started.
  init(_ error: OutputError) {
    self.init(.serverInitFailed, condition: "output is open", error.message)
  }
}
