// What samples take for granted of a toolkit: views that do nothing but hand on their contents.
import Feedback

struct Image: HostedView {
  init(systemName: String) {}
  func visitChildren(_ visitor: ViewVisitor) {}
}

struct Button<Label: View>: HostedView {
  let label: Label
  let action: @MainActor () -> Void

  init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }

  init(_ title: String, action: @escaping @MainActor () -> Void) where Label == EmptyView {
    self.init(action: action) { EmptyView() }
  }

  func visitChildren(_ visitor: ViewVisitor) { visitor.visit(label) }
}

struct Stepper: HostedView {
  init(_ title: String, value: Binding<Int>, in range: ClosedRange<Int>) {}
  func visitChildren(_ visitor: ViewVisitor) {}
}

struct ScrollView<Content: View>: HostedView {
  let content: Content

  init(@ViewBuilder content: () -> Content) { self.content = content() }
  func visitChildren(_ visitor: ViewVisitor) { visitor.visit(content) }
}

struct Rectangle: HostedView {
  func fill(_ style: Style) -> Rectangle { self }
  func visitChildren(_ visitor: ViewVisitor) {}
}

struct RoundedRectangle: HostedView {
  init(cornerRadius: Double) {}
  func fill(_ style: Style) -> RoundedRectangle { self }
  func visitChildren(_ visitor: ViewVisitor) {}
}

enum Style { case pink, gray, red, secondary, tint, regularMaterial }

struct Font {
  enum Weight { case semibold }
  static let title = Font()
  static func system(size: Double, weight: Weight) -> Font { Font() }
}

struct Animation {
  static func spring(response: Double, dampingFraction: Double) -> Animation { Animation() }
}

struct Effect {
  static let bounce = Effect()
  static let replace = Effect()
  static func symbolEffect(_ effect: Effect) -> Effect { effect }
}

struct DragGesture {
  struct Value { var translation: CGSize }
  func onChanged(_ action: @escaping @MainActor (Value) -> Void) -> DragGesture { self }
  func onEnded(_ action: @escaping @MainActor (Value) -> Void) -> DragGesture { self }
}

@MainActor func withAnimation(_ animation: Animation, _ body: () -> Void) { body() }

extension View {
  func foregroundStyle(_ style: Style) -> some View { self }
  func font(_ font: Font) -> some View { self }
  func scaleEffect(_ factor: Double) -> some View { self }
  func animation<Value: Equatable>(_ animation: Animation, value: Value) -> some View { self }
  func contentTransition(_ effect: Effect) -> some View { self }
  func symbolEffect<Value: Equatable>(_ effect: Effect, value: Value) -> some View { self }
  func frame(width: Double, height: Double) -> some View { self }
  func offset(_ size: CGSize) -> some View { self }
  func gesture(_ gesture: DragGesture) -> some View { self }
  func onTapGesture(perform action: @escaping @MainActor () -> Void) -> some View { self }
}

@MainActor class UIViewController {
  init() {}
  func viewDidAppear(_ animated: Bool) {}
}

/// The engine of an article's own that one sample goes on with.
struct Rumble {
  func playContinuousRumble(duration: TimeInterval, intensity: Float) {}
}
