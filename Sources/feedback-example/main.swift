// A shop counter that is felt: views in a terminal, hosted as a toolkit's adapter would, and a model that is
// followed without a view. Run it with `swift run feedback-example`; without a card it says what would be
// felt.
import Feedback

/// The model, which knows nothing of haptics.
@Observable @MainActor final class Basket {
  var items = 0
  var isPaid = false
}

/// What the terminal has in place of a button.
struct Key<Label: View>: HostedView {
  let letter: String
  let action: @MainActor () -> Void
  let label: Label

  init(_ letter: String, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.letter = letter
    self.action = action
    self.label = label()
  }

  func visitChildren(_ visitor: ViewVisitor) {
    Keyboard.actions[letter] = action
    visitor.visit(label)
  }
}

/// The keys that are shown at present, and what they do.
@MainActor enum Keyboard {
  static var actions: [String: @MainActor () -> Void] = [:]
}

/// A line of the terminal.
struct Text: HostedView {
  let text: String

  init(_ text: String) { self.text = text }

  func visitChildren(_ visitor: ViewVisitor) { print(text) }
}

/// The counter. These lines are those of a phone.
struct Counter: View {
  let basket: Basket
  @State private var isGift = false

  var body: some View {
    Text("\(basket.items) in the basket\(isGift ? ", as a gift" : "")")
    Key("a") {
      basket.items += 1
    } label: {
      Text("a: one more")
    }
    Key("r") {
      basket.items = max(0, basket.items - 1)
    } label: {
      Text("r: one less")
    }
    .sensoryFeedback(trigger: basket.items) { old, new in
      new == 0 ? .selection(.minimum) : new > old ? .increase : .decrease
    }
    Key("g") {
      isGift.toggle()
    } label: {
      Text("g: as a gift")
    }
    .sensoryFeedback(.impact(weight: .light, intensity: 0.7), trigger: isGift) { _, new in new }
    Key("p") {
      basket.isPaid = true
    } label: {
      Text("p: pay, and leave")
    }
  }
}

let basket = Basket()
let host = ViewHost(Counter(basket: basket))
// Without a view: a payment is relied on, so it stays under Reduce Motion.
let payment = basket.sensoryFeedback(.success.role(.functional), trigger: \.isPaid)

while !basket.isPaid, let line = readLine() {
  Keyboard.actions[line.lowercased()]?()
  host.update()
}
// The last one is let to be felt.
try await Task.sleep(for: .milliseconds(300))
withExtendedLifetime(payment) {}
