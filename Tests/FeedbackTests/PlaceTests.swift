import Feedback
import FeedbackTesting
import Testing

/// State belongs to the place of a view, not to the value that is shown there.
@MainActor @Suite(.serialized) struct PlaceTests {
  /// The counters that were seen in the last update, in order.
  @MainActor private final class Page {
    var presses: [() -> Void] = []
    var counts: [Int] = []
    var bindings: [Binding<Int>] = []

    func begin() { (presses, counts, bindings) = ([], [], []) }
  }

  private struct Counter: View {
    @State private var count: Int
    let page: Page

    init(_ page: Page, from count: Int = 0) {
      self.page = page
      _count = State(initialValue: count)
    }

    var body: some View {
      page.counts.append(count)
      page.presses.append { count += 1 }
      page.bindings.append($count)
      return EmptyView().sensoryFeedback(.success, trigger: count)
    }
  }

  private struct Row: View {
    let counter: Counter
    let isSecondShown: Bool

    var body: some View {
      Group {
        counter
        if isSecondShown { counter }
      }
    }
  }

  private func update<Root: View>(_ host: ViewHost<Root>, _ page: Page, _ stage: Stage) -> [SensoryFeedback] {
    page.begin()
    return stage.endTurn(host)
  }

  @Test func twoCopiesOfAViewHaveAStateEach() {
    let (stage, page) = (Stage(), Page())
    let host = stage.host(Row(counter: Counter(page, from: 5), isSecondShown: true))
    #expect(page.counts == [5, 5])
    page.presses[1]()
    #expect(update(host, page, stage) == [.success])
    #expect(page.counts == [5, 6])
    page.presses[0]()
    page.presses[1]()
    #expect(update(host, page, stage) == [.success, .success])
    #expect(page.counts == [6, 7])
    page.bindings[0].wrappedValue = 40
    #expect(update(host, page, stage) == [.success])
    #expect(page.counts == [40, 7] && page.bindings.map(\.wrappedValue) == [40, 7])
  }

  @Test func aPlaceKeepsItsStateAndLetsGoOfItWithItsView() {
    let (stage, page) = (Stage(), Page())
    let counter = Counter(page)
    let host = stage.host(Row(counter: counter, isSecondShown: true))
    page.presses[1]()
    #expect(update(host, page, stage).count == 1)
    // Another value of the view at the place: the state is the place's, not that which the new value begins with.
    page.begin()
    host.root = Row(counter: Counter(page, from: 100), isSecondShown: true)
    #expect(stage.endTurn(host) == [] && page.counts == [0, 1])
    page.begin()
    host.root = Row(counter: counter, isSecondShown: false)
    #expect(stage.endTurn(host) == [] && page.counts == [0])
    page.begin()
    host.root = Row(counter: counter, isSecondShown: true)
    #expect(stage.endTurn(host) == [] && page.counts == [0, 0])
  }

  /// A property of a program's own, with another in it, behind fields that leave gaps.
  private struct Tally: DynamicProperty {
    let isShown = true
    @State var count = 3
  }

  /// A view that says of itself what it likes.
  private struct Secretive: View, CustomReflectable {
    let mark: UInt8 = 7
    var tally = Tally()
    let page: Page

    nonisolated var customMirror: Mirror { Mirror(reflecting: 0) }

    var body: some View {
      page.counts.append(tally.count)
      page.presses.append { tally.count += 1 }
      return EmptyView()
    }
  }

  private struct Two<Child: View>: View {
    let child: Child

    var body: some View {
      child
      child
    }
  }

  @Test func aStateIsFoundWhateverIsAroundIt() {
    let (stage, page) = (Stage(), Page())
    let host = stage.host(Two(child: Secretive(page: page)))
    #expect(page.counts == [3, 3])
    page.presses[1]()
    #expect(update(host, page, stage) == [])
    #expect(page.counts == [3, 4])
  }

  private struct List: View {
    let names: [String]
    let counter: Counter

    var body: some View { ForEach(names, id: \.self) { _ in counter } }
  }

  @Test func aViewInAListIsKnownByItsElement() {
    let (stage, page) = (Stage(), Page())
    let counter = Counter(page)
    let host = stage.host(List(names: ["a", "b", "c"], counter: counter))
    page.presses[1]()
    #expect(update(host, page, stage).count == 1 && page.counts == [0, 1, 0])
    page.begin()
    host.root = List(names: ["b", "c", "a"], counter: counter)
    #expect(stage.endTurn(host) == [] && page.counts == [1, 0, 0])
    page.begin()
    host.root = List(names: ["c"], counter: counter)
    #expect(stage.endTurn(host) == [] && page.counts == [0])
    page.begin()
    host.root = List(names: ["c", "b"], counter: counter)
    #expect(stage.endTurn(host) == [] && page.counts == [0, 0])
  }

  @Test func twoHostsOfOneValueHaveAStateEach() {
    let (stage, page) = (Stage(), Page())
    let counter = Counter(page)
    let first = stage.host(counter)
    let press = page.presses[0]
    page.begin()
    let second = stage.host(counter)
    press()
    #expect(update(first, page, stage) == [.success] && page.counts == [1])
    page.presses[0]()
    #expect(update(first, page, stage) == [.success] && page.counts == [2])
    withExtendedLifetime(second) {}
  }

  private struct Loudness: DynamicProperty {
    @State var level = 0
    @Environment(\.accessibilityReduceMotion) var isReduced
  }

  private struct Nested: View {
    let before = "a text that is longer than the fifteen bytes that fit in place"
    private var loudness = Loudness()
    let after: Any = 3
    let page: Page

    init(_ page: Page) { self.page = page }

    var body: some View {
      page.counts.append(loudness.level + (loudness.isReduced ? 100 : 0))
      page.presses.append { loudness.level += before.count + ((after as? Int) ?? 0) }
      return EmptyView()
    }
  }

  private struct Pair: View {
    let nested: Nested

    var body: some View {
      nested.environment(\.accessibilityReduceMotion, true)
      nested
      nested.modifier(Padded())
    }
  }

  private struct Padded: ViewModifier {
    @State private var isShown = true

    func body(content: Content) -> some View { if isShown { content } }
  }

  @Test func propertiesThatAreMadeOfOthersAndTheEnvironmentAreOfThePlaceToo() {
    let (stage, page) = (Stage(), Page())
    let host = stage.host(Pair(nested: Nested(page)))
    #expect(page.counts == [100, 0, 0])
    page.presses[2]()
    #expect(update(host, page, stage) == [] && page.counts == [100, 0, 65])
    page.presses[0]()
    #expect(update(host, page, stage) == [] && page.counts == [165, 0, 65])
  }

  @Observable @MainActor final class Model { var count = 0 }

  private struct Owner: View {
    @State private var model = Model()
    let page: Page

    var body: some View {
      page.counts.append(model.count)
      page.presses.append { model.count += 1 }
      return EmptyView()
    }
  }

  @Test func nothingIsLeftOfAPlaceThatIsGone() {
    let (stage, page) = (Stage(), Page())
    weak var gone: Ledger?
    do {
      let ledger = Ledger()
      gone = ledger
      let host = stage.host(Keeper(ledger: ledger))
      for _ in 0..<10 { host.update() }
      host.close()
    }
    #expect(gone == nil)
    let host = stage.host(Owner(page: page))
    page.presses[0]()
    #expect(update(host, page, stage) == [] && page.counts == [1])
  }

  private final class Ledger {}

  private struct Keeper: View {
    @State private var kept: Ledger

    init(ledger: Ledger) { _kept = State(initialValue: ledger) }

    var body: some View { EmptyView().onChange(of: ObjectIdentifier(kept)) {} }
  }
}
