/// Keeps a view alive: its state, what it observes, and the feedback of what changes in it.
///
/// A toolkit's adapter makes one for each window, with views of its own that are `HostedView`s:
///
/// ```swift
/// let host = ViewHost(AddToCartButton())
/// // The toolkit calls the closure of its button, which sets a state; at the end of the turn the host goes
/// // through its views once, and what changed is felt.
/// host.isInTransition = true   // while the window is being pushed: changes are noted, and not felt
/// host.close()
/// ```
///
/// Lives on the main actor. A turn ends when the main actor comes to what waits for it, or at ``update()``.
@MainActor public final class ViewHost<Root: View> {
  /// The view.
  public var root: Root {
    didSet {
      show()
      core.requestUpdate()
    }
  }
  /// What is set for the view's environment; the machine's settings at first.
  public var environment: EnvironmentValues {
    get { core.environment }
    set {
      core.environment = newValue
      core.requestUpdate()
    }
  }
  /// Whether the view is in transition, such as while its window is being pushed: what changes then is noted
  /// and not felt.
  public var isInTransition: Bool {
    get { core.isInTransition }
    set { core.isInTransition = newValue }
  }
  /// Called after each update, for an adapter that draws.
  public var onUpdate: (() -> Void)? {
    get { core.onUpdate }
    set { core.onUpdate = newValue }
  }

  private let core = HostCore()

  /// Hosts a view, which appears at once. No feedback is played for that.
  public init(_ root: Root) {
    self.root = root
    show()
    core.goThrough()
  }

  /// Ends the turn now: goes through the views if anything changed, and plays what that asks for.
  public func update() { Turn.current.finish() }

  /// Lets go of the view: `onDisappear` closures are called, and nothing is felt of it any more.
  public func close() { core.close() }

  private func show() { core.visitRoot = { [root] in $0.visit(root) } }
}

/// What a host does, whatever its view.
@MainActor final class HostCore {
  var visitRoot: (ViewVisitor) -> Void = { _ in }
  var environment: EnvironmentValues
  var isInTransition = false
  var onUpdate: (() -> Void)?

  private let owner = Turn.Owner()
  private let center = FeedbackCenter.current
  private var node = ViewNode(Never.self)
  private var following = Following()
  private var passes = 0
  private var isClosed = false
  private var observer: Int?

  init() {
    environment = EnvironmentValues(center: center)
    observer = center.onChange { [weak self] _, _ in self?.requestUpdate() }
  }

  isolated deinit {
    if let observer { center.removeObserver(observer) }
    following.stop()
  }

  nonisolated func requestUpdate() {
    Turn.schedule(owner) { [weak self] in self?.goThrough() }
  }

  private nonisolated func announceChange() {
    Turn.scheduleChange(owner) { [weak self] in self?.goThrough() }
  }

  func goThrough() {
    guard !isClosed else { return }
    // What closures of the views ask for is for the machine that the views are on.
    FeedbackCenter.$current.withValue(center) { visit() }
  }

  private func visit() {
    let pass = makePass()
    let last = following
    following = Following()
    following.read {
      visitRoot(ViewVisitor(node: node, pass: pass, environment: environment))
      node.finish(pass)
    } onChange: { [weak self] in
      self?.announceChange()
    }
    // Not before: it sees what another thread sets while the views are gone through.
    last.stop()
    for call in pass.calls { call() }
    onUpdate?()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    following.stop()
    let pass = makePass()
    node.disappear(pass)
    for call in pass.calls { call() }
    node = ViewNode(Never.self)
    visitRoot = { _ in }
  }

  private func makePass() -> ViewPass {
    passes += 1
    return ViewPass(
      number: passes, requestUpdate: { [weak self] in self?.requestUpdate() },
      emit: { [center, isInTransition] in
        Turn.current.add($0, isInTransition: isInTransition, to: center)
      },
      prepare: { [center] in center.prepare($0.preset) })
  }
}
