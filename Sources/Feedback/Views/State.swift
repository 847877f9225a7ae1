internal import ThrumEngine

/// A property of a view that a host connects to what it keeps.
public protocol DynamicProperty {}

/// A property of this module's that a host connects.
@MainActor protocol LinkedProperty: DynamicProperty {
  /// Connects it.
  /// - Parameter label: What it is called in its view.
  func link(to visitor: ViewVisitor, label: String)
}

/// A value that a view keeps from one update to the next, and whose changes update it.
///
/// May be set on any thread.
@propertyWrapper public struct State<Value>: DynamicProperty {
  private let seat: Seat

  /// The place of the value: its own until a host gives it another.
  private final class Seat: @unchecked Sendable {
    // Safety of `@unchecked Sendable`: what changes is behind a lock.
    private let storage: Locked<StateStorage<Value>>

    init(_ value: Value) { storage = Locked(StateStorage(value)) }

    var current: StateStorage<Value> {
      get { storage.withLock { $0 } }
      set { storage.withLock { $0 = newValue } }
    }
  }

  /// Begins with a value.
  public init(wrappedValue: Value) { seat = Seat(wrappedValue) }

  /// Begins with a value.
  public init(initialValue: Value) { seat = Seat(initialValue) }

  /// The value.
  public var wrappedValue: Value {
    get { seat.current.value }
    nonmutating set { seat.current.value = newValue }
  }

  /// A way to read and set the value from elsewhere.
  public var projectedValue: Binding<Value> {
    let seat = seat
    return Binding(get: { seat.current.value }, set: { seat.current.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Begins with nil.
  public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}

extension State: LinkedProperty {
  func link(to visitor: ViewVisitor, label: String) {
    let own = seat.current
    seat.current = visitor.kept(label) { own }
    seat.current.onChange(visitor.requestUpdate)
  }
}

/// A value and who is told of its changes.
final class StateStorage<Value>: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: what changes is behind a lock. A value that is not `Sendable` stays with
  // those who hold its view, which are the main actor's.
  private let lock = Locked(())
  private var stored: Value
  private var change: (@Sendable () -> Void)?

  init(_ value: Value) { stored = value }

  var value: Value {
    get {
      var value = [Value]()
      lock.withLock { _ in value.append(stored) }
      return value[0]
    }
    set {
      var change: (@Sendable () -> Void)?
      lock.withLock { _ in
        stored = newValue
        change = self.change
      }
      change?()
    }
  }

  func onChange(_ change: @escaping @Sendable () -> Void) { lock.withLock { _ in self.change = change } }
}

/// A way to read and set a value that somebody else keeps.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value>: DynamicProperty {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Reads and sets by closures.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// A value that cannot be changed.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding.
  public var projectedValue: Binding<Value> { self }

  /// A binding of a part of the value.
  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(
      get: { get()[keyPath: path] },
      set: { part in
        var value = get()
        value[keyPath: path] = part
        set(value)
      })
  }
}
