@_spi(Reflection) import Swift

/// What a host hands to views while it goes through them: the place to hand their children to.
@MainActor public final class ViewVisitor {
  let node: ViewNode
  let pass: ViewPass
  /// What the view finds around it, and what its children will.
  public internal(set) var environment: EnvironmentValues
  private var count = 0

  init(node: ViewNode, pass: ViewPass, environment: EnvironmentValues) {
    self.node = node
    self.pass = pass
    self.environment = environment
  }

  /// Goes through a child, known again by its place among the children.
  public func visit(_ view: some View) {
    count += 1
    visit(view, as: count)
  }

  /// Goes through a child, known again by an identity.
  public func visit<Child: View>(_ view: Child, as identity: some Hashable) {
    let child = node.child(AnyHashable(identity), Child.self, pass)
    let visitor = ViewVisitor(node: child, pass: pass, environment: environment)
    if let hosted = view as? any HostedView {
      hosted.visitChildren(visitor)
    } else {
      visitor.visit(visitor.linked(view).body)
    }
    child.finish(pass)
  }

  /// A copy of a view or modifier whose properties have their values at this place.
  ///
  /// A view is a struct of a program's, whose properties Swift lets nobody set who does not know their names; the runtime knows
  /// where in it they are. A view that is an object is nobody's copy, and stays as it is.
  func linked<Value>(_ value: Value) -> Value {
    var copy = value
    withUnsafeMutableBytes(of: &copy) { bytes in
      if let base = bytes.baseAddress { link(fieldsOf: Value.self, at: base, prefix: "") }
    }
    return copy
  }

  private func link(fieldsOf type: Any.Type, at base: UnsafeMutableRawPointer, prefix: String) {
    _forEachField(of: type) { name, offset, field, _ in
      guard let property = field as? any DynamicProperty.Type else { return true }
      let label = prefix + String(cString: name)
      if let linked = property as? any LinkedProperty.Type {
        reseat(linked, label, at: base + offset)
      } else {
        // A property of the program's own, made of others.
        link(fieldsOf: property, at: base + offset, prefix: label + ".")
      }
      return true
    }
  }

  private func reseat<Property: LinkedProperty>(
    _ type: Property.Type, _ label: String, at place: UnsafeMutableRawPointer
  ) {
    let seat = place.assumingMemoryBound(to: type).pointee.seat(at: self, label: label)
    // Safety: the runtime's own account of the type has such a property at this place, in a copy that is alive and ours. All that
    // it consists of is one reference to its seat, which the assignment lets go of.
    place.assumingMemoryBound(to: Property.Seat.self).pointee = seat
  }

  /// What the view keeps by a name; made the first time.
  func kept<Value>(_ label: String, _ make: () -> Value) -> Value {
    if let known = node.kept[label] as? Value { return known }
    let value = make()
    node.kept[label] = value
    return value
  }

  /// Asks for an update at the end of the turn.
  var requestUpdate: @Sendable () -> Void { pass.requestUpdate }
}

/// One way through a host's views.
@MainActor final class ViewPass {
  let number: Int
  let requestUpdate: @Sendable () -> Void
  /// Has a feedback played at the end of the turn.
  let emit: (SensoryFeedback) -> Void
  /// Has the output made ready for a feedback.
  let prepare: (SensoryFeedback) -> Void
  /// Closures of the program's, called when all has been gone through.
  var calls: [() -> Void] = []

  init(
    number: Int, requestUpdate: @escaping @Sendable () -> Void, emit: @escaping (SensoryFeedback) -> Void,
    prepare: @escaping (SensoryFeedback) -> Void
  ) {
    self.number = number
    self.requestUpdate = requestUpdate
    self.emit = emit
    self.prepare = prepare
  }
}

/// What a host keeps of a view.
@MainActor final class ViewNode {
  /// What views keep by name.
  var kept: [String: Any] = [:]
  /// Called when the view is gone.
  var disappearance: (() -> Void)?
  private let type: Any.Type
  private var children: [AnyHashable: ViewNode] = [:]
  private var lastPass = 0

  init(_ type: Any.Type) { self.type = type }

  /// The node of a child; a new one where there was none, or one of another type.
  func child(_ identity: AnyHashable, _ type: Any.Type, _ pass: ViewPass) -> ViewNode {
    let node: ViewNode
    if let known = children[identity], known.type == type {
      node = known
    } else {
      children[identity]?.disappear(pass)
      node = ViewNode(type)
      children[identity] = node
    }
    node.lastPass = pass.number
    return node
  }

  /// Lets go of children that are not there any more.
  func finish(_ pass: ViewPass) {
    for (identity, child) in children where child.lastPass != pass.number {
      child.disappear(pass)
      children[identity] = nil
    }
  }

  /// Notes that the view and all in it are gone.
  func disappear(_ pass: ViewPass) {
    for child in children.values { child.disappear(pass) }
    if let disappearance { pass.calls.append(disappearance) }
  }
}
