internal import ThrumEngine

/// Follows what a closure reads of `@Observable` models until the first change, or until it is ended.
///
/// Observation by itself lets go of a value only when it changes: a model that stays as it is would be
/// followed once more after every update of a view, for as long as it lives.
///
/// Lives on any number of threads.
final class Following: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let hasEnded = Locked(false)

  /// Stands for the end, which is observed with all the rest and so takes it along.
  private var end: Void { () }

  /// Reads values and follows them.
  /// - Parameter onChange: Called once, before a value is set, on the thread that sets it.
  func read<Value>(_ body: () -> Value, onChange: @escaping @Sendable () -> Void) -> Value {
    withObservationTracking {
      registrar.access(self, keyPath: \.end)
      return body()
    } onChange: { [weak self] in
      if let self, !hasEnded.withLock({ $0 }) { onChange() }
    }
  }

  /// Lets go of all values.
  func stop() {
    hasEnded.withLock { $0 = true }
    registrar.withMutation(of: self, keyPath: \.end) {}
  }
}
