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
  func linked<Value>(_ value: Value) -> Value {
    var copy = value
    link(Mirror(reflecting: value), prefix: "", in: &copy)
    return copy
  }

  private func link<Value>(_ mirror: Mirror, prefix: String, in copy: inout Value) {
    for (label, property) in mirror.children {
      guard let dynamic = property as? any DynamicProperty else { continue }
      let label = prefix + (label ?? "")
      if let linked = dynamic as? any LinkedProperty {
        reseat(linked, label, in: &copy)
      } else {
        // A property of the program's own, made of others.
        link(Mirror(reflecting: dynamic), prefix: label + ".", in: &copy)
      }
    }
  }

  private func reseat<Value>(_ property: some LinkedProperty, _ label: String, in copy: inout Value) {
    replace(property.seat, by: property.seat(at: self, label: label), in: &copy)
  }

  /// Replaces the references to an object that a value itself holds.
  ///
  /// A view is a struct of a program's, whose properties Swift lets nobody set who does not know their names. But what
  /// a property that can be linked consists of is one reference to its seat, which is nowhere else in the view.
  private func replace<Value, Seat: AnyObject>(_ old: Seat, by new: Seat, in copy: inout Value) {
    guard old !== new else { return }
    let address = UInt(bitPattern: Unmanaged.passUnretained(old).toOpaque())
    withUnsafeMutableBytes(of: &copy) { bytes in
      let step = MemoryLayout<Seat>.stride
      for offset in stride(from: 0, through: bytes.count - step, by: step)
      where bytes.load(fromByteOffset: offset, as: UInt.self) == address {
        // Safety: only the properties of this module hold a seat, and they hold it strongly. A word of its address
        // in a copy that is alive is such a reference, which the assignment lets go of.
        bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: Seat.self).pointee = new
      }
    }
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
