internal import ThrumEngine
internal import ThrumPattern

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

  /// What an output says that cannot be opened or started.
  init(_ error: OutputError) {
    self.init(.serverInitFailed, condition: "output is open", error.message)
  }
}
