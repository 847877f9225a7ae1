/// A part of a user interface, described by its state. Nothing here draws: a toolkit's adapter does, by
/// ``ViewHost``.
@MainActor @preconcurrency public protocol View {
  /// What it is made of.
  associatedtype Body: View
  /// What it is made of, for its present state.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {}

extension View where Body == Never {
  /// Never called: who hosts views asks those without a body for their children.
  public var body: Never { preconditionFailure("\(Self.self) has children and no body") }
}

/// A view that a host knows by its children instead of a body: the ones here, and those of a toolkit's
/// adapter, such as its buttons.
@MainActor @preconcurrency public protocol HostedView: View where Body == Never {
  /// Hands every child to the visitor, in an order that says which is which from one update to the next.
  func visitChildren(_ visitor: ViewVisitor)
}

/// Changes a view.
@MainActor @preconcurrency public protocol ViewModifier {
  /// What it makes of a view.
  associatedtype Body: View
  /// The view that is changed.
  typealias Content = ViewModifierContent<Self>
  /// What it makes of a view, for its present state.
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// The view that a modifier is given, whatever it is.
public struct ViewModifierContent<Modifier>: HostedView {
  let visit: @MainActor (ViewVisitor) -> Void

  /// Hands the view on.
  public func visitChildren(_ visitor: ViewVisitor) { visit(visitor) }
}

/// A modifier that a host knows by what it does instead of a body.
@MainActor @preconcurrency protocol HostedModifier: ViewModifier where Body == Never {
  func visit(_ content: some View, _ visitor: ViewVisitor)
}

extension ViewModifier where Body == Never {
  /// Never called: who hosts views knows modifiers without a body.
  public func body(content: Content) -> Never {
    preconditionFailure("\(Self.self) does something and has no body")
  }
}

/// A view and what changes it.
public struct ModifiedContent<Content, Modifier> {
  let content: Content
  let modifier: Modifier

  /// Puts the two together.
  nonisolated public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View, HostedView where Content: View, Modifier: ViewModifier {
  /// There is no body: a host asks for children.
  public typealias Body = Never

  /// Hands on what the modifier makes of the view.
  public func visitChildren(_ visitor: ViewVisitor) {
    if let hosted = modifier as? any HostedModifier {
      hosted.visit(content, visitor)
    } else {
      let modifier = visitor.linked(modifier)
      let content = content
      visitor.visit(modifier.body(content: ViewModifierContent { $0.visit(content) }))
    }
  }
}

extension View {
  /// Changes the view.
  nonisolated public func modifier<Modifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
