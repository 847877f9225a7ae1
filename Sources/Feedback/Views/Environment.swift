internal import ThrumEngine

/// A value that views find in their environment.
public protocol EnvironmentKey {
  /// The value's type.
  associatedtype Value
  /// The value where none is set.
  static var defaultValue: Value { get }
}

/// What views find around them.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  private let center: FeedbackCenter

  /// What the machine's settings say, and nothing else.
  public init() { center = FeedbackCenter.current }

  init(center: FeedbackCenter) { self.center = center }

  /// A value by its key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Whether the user wants less motion.
  public var accessibilityReduceMotion: Bool {
    get { self[ReduceMotion.self] ?? center.settings.reducesMotion }
    set { self[ReduceMotion.self] = newValue }
  }

  /// Whether a screen reader runs.
  public var accessibilityVoiceOverEnabled: Bool {
    get { self[VoiceOver.self] ?? center.settings.isScreenReaderRunning }
    set { self[VoiceOver.self] = newValue }
  }

  /// An object by its type.
  subscript<Object: AnyObject>(object type: Object.Type) -> Object? {
    get { values[ObjectIdentifier(type)] as? Object }
    set { values[ObjectIdentifier(type)] = newValue }
  }

  private enum ReduceMotion: EnvironmentKey { static var defaultValue: Bool? { nil } }
  private enum VoiceOver: EnvironmentKey { static var defaultValue: Bool? { nil } }
}

/// A value of a view's environment.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  let seat = Seat()
  private let read: (EnvironmentValues) -> Value

  final class Seat: @unchecked Sendable {
    // Safety of `@unchecked Sendable`: set and read on the main actor, where views are; a view without a host
    // has the machine's values, which are behind a lock.
    var values: EnvironmentValues?
  }

  /// The value at a path.
  public init(_ path: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: path] } }

  /// An object that a view above has set; a view without it ends the program, as on a phone.
  public init(_ type: Value.Type) where Value: AnyObject, Value: Observable {
    read = { values in
      guard let object = values[object: type] else {
        preconditionFailure("no \(type) is in the environment; set it with environment(_:)")
      }
      return object
    }
  }

  /// The value.
  public var wrappedValue: Value { read(seat.values ?? EnvironmentValues()) }
}

extension Environment: LinkedProperty {
  func seat(at visitor: ViewVisitor, label: String) -> Seat {
    let own = visitor.kept(label) { Seat() }
    own.values = visitor.environment
    return own
  }
}

extension View {
  /// Sets a value of the environment of a view and all in it.
  nonisolated public func environment<Value>(
    _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    modifier(EnvironmentModifier { $0[keyPath: path] = value })
  }

  /// Sets an object of the environment of a view and all in it.
  nonisolated public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View {
    modifier(EnvironmentModifier { $0[object: Object.self] = object })
  }
}

struct EnvironmentModifier {
  let change: (inout EnvironmentValues) -> Void

  nonisolated init(_ change: @escaping (inout EnvironmentValues) -> Void) { self.change = change }
}

extension EnvironmentModifier: HostedModifier {
  func visit(_ content: some View, _ visitor: ViewVisitor) {
    change(&visitor.environment)
    visitor.visit(content)
  }
}
