/// Builds a view from statements.
@MainActor @resultBuilder public enum ViewBuilder {
  /// Nothing.
  nonisolated public static func buildBlock() -> EmptyView { EmptyView() }

  /// A view.
  nonisolated public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// Several views.
  nonisolated public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> {
    TupleView((repeat each content))
  }

  /// An `if` without `else`.
  nonisolated public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// The first branch of a choice.
  nonisolated public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalContent<First, Second> {
    .first(first)
  }

  /// The second branch of a choice.
  nonisolated public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalContent<First, Second> {
    .second(second)
  }

  /// An `if #available`.
  nonisolated public static func buildLimitedAvailability<Content: View>(_ content: Content) -> Content {
    content
  }
}

/// Nothing.
public struct EmptyView: HostedView {
  /// Creates nothing.
  nonisolated public init() {}

  /// Has no children.
  public func visitChildren(_ visitor: ViewVisitor) {}
}

/// Several views.
public struct TupleView<each Content: View> {
  private let content: (repeat each Content)

  nonisolated init(_ content: (repeat each Content)) { self.content = content }
}

extension TupleView: HostedView {
  /// There is no body: a host asks for children.
  public typealias Body = Never

  /// Hands all of them on.
  public func visitChildren(_ visitor: ViewVisitor) { repeat visitor.visit(each content) }
}

/// One of two views.
public enum ConditionalContent<First: View, Second: View>: HostedView {
  /// The first.
  case first(First)
  /// The second.
  case second(Second)

  /// Hands the one on.
  public func visitChildren(_ visitor: ViewVisitor) {
    switch self {
    case .first(let view): visitor.visit(view, as: "first")
    case .second(let view): visitor.visit(view, as: "second")
    }
  }
}

extension Optional: View, HostedView where Wrapped: View {
  /// There is no body: a host asks for children.
  public typealias Body = Never

  /// Hands the view on where there is one.
  public func visitChildren(_ visitor: ViewVisitor) {
    if let view = self { visitor.visit(view) }
  }
}

/// Several views as one.
public struct Group<Content: View>: HostedView {
  private let content: Content

  /// Puts views together.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Hands them on.
  public func visitChildren(_ visitor: ViewVisitor) { visitor.visit(content) }
}

/// A view for each of some values, known again by their identities.
public struct ForEach<Elements: RandomAccessCollection, ID: Hashable, Content: View>: HostedView {
  private let elements: Elements
  private let id: KeyPath<Elements.Element, ID>
  private let content: (Elements.Element) -> Content

  /// A view for each value.
  public init(
    _ elements: Elements, id: KeyPath<Elements.Element, ID>,
    @ViewBuilder content: @escaping (Elements.Element) -> Content
  ) {
    self.elements = elements
    self.id = id
    self.content = content
  }

  /// Hands them on.
  public func visitChildren(_ visitor: ViewVisitor) {
    for element in elements { visitor.visit(content(element), as: element[keyPath: id]) }
  }
}

/// A view of any type.
public struct AnyView {
  private let view: any View

  /// Wraps a view.
  nonisolated public init(_ view: some View) { self.view = view }
}

extension AnyView: HostedView {
  /// There is no body: a host asks for children.
  public typealias Body = Never

  /// Hands it on.
  public func visitChildren(_ visitor: ViewVisitor) { visitor.visit(view) }
}
