internal import ThrumEngine

/// A property of a view that a host connects to what it keeps.
public protocol DynamicProperty {}

/// A property of this module's that a host connects: all that it consists of is its seat.
@MainActor protocol LinkedProperty: DynamicProperty {
  /// Where its value is. The copies of a view have one until a host gives each its own.
  associatedtype Seat: AnyObject
  var seat: Seat { get }

  /// The seat of a place among the views.
  /// - Parameter label: What it is called in its view.
  func seat(at visitor: ViewVisitor, label: String) -> Seat
}

/// A value that a view keeps from one update to the next, and whose changes update it.
///
/// The value belongs to the place of the view among all views: two copies of one view have a value each, which
/// begins as the view was made, stays as long as a view of the type is at the place, and goes with it.
///
/// May be set on any thread.
@propertyWrapper public struct State<Value>: DynamicProperty {
  let seat: StateStorage<Value>

  /// Begins with a value.
  public init(wrappedValue: Value) { seat = StateStorage(wrappedValue) }

  /// Begins with a value.
  public init(initialValue: Value) { seat = StateStorage(initialValue) }

  /// The value.
  public var wrappedValue: Value {
    get { seat.value }
    nonmutating set { seat.value = newValue }
  }

  /// A way to read and set the value from elsewhere.
  public var projectedValue: Binding<Value> {
    let seat = seat
    return Binding(get: { seat.value }, set: { seat.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Begins with nil.
  public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}

extension State: LinkedProperty {
  func seat(at visitor: ViewVisitor, label: String) -> StateStorage<Value> {
    let own = visitor.kept(label) { StateStorage(seat.value) }
    own.onChange(visitor.requestUpdate)
    return own
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
