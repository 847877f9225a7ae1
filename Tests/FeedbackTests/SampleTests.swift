import CoreHaptics
import CoreHapticsTesting
import Feedback
import FeedbackTesting
import Testing

/// What articles show of feedback on a phone, each in code of our own: it compiles, runs and is felt.
@MainActor @Suite(.serialized) struct SampleTests {
  private let stage = Stage()
  private var mock: MockHaptics { stage.mock }

  /// What pressing a view's button asks for, as often as told.
  private func pressed<Root: View>(_ root: Root, times: Int = 1) -> [[SensoryFeedback]] {
    let host = stage.host(root)
    defer { host.close() }
    return (0..<times).map { _ in
      Pressing.press()
      return stage.endTurn(host)
    }
  }

  private struct Basket: View {
    @State private var count = 0
    var body: some View { Button("Add") { count += 1 }.sensoryFeedback(.success, trigger: count) }
  }

  @Test func oneLineForAButton() { #expect(pressed(Basket(), times: 2) == [[.success], [.success]]) }

  private struct Heart: View {
    let feedback: SensoryFeedback
    let isForBoth: Bool
    @State private var isOn = false

    var body: some View {
      Button {
        isOn.toggle()
      } label: {
        if isOn { EmptyView() } else { Group { EmptyView() } }
      }
      .sensoryFeedback(feedback, trigger: isOn) { old, new in isForBoth || (!old && new) }
    }
  }

  @Test func aHeartThatIsFeltBothWaysOrWhenItIsSet() {
    let light = SensoryFeedback.impact(weight: .light, intensity: 0.6)
    #expect(pressed(Heart(feedback: light, isForBoth: true), times: 2) == [[light], [light]])
    #expect(pressed(Heart(feedback: .success, isForBoth: false), times: 3) == [[.success], [], [.success]])
  }

  private struct Star: View {
    @State private var isStarred = false

    var body: some View {
      Button("Star") { isStarred.toggle() }
        .sensoryFeedback(trigger: isStarred) { _, new in
          guard new == true else { return nil }
          return .success
        }
    }
  }

  @Test func aClosureThatSaysNothingPlaysNothing() {
    #expect(pressed(Star(), times: 3) == [[.success], [], [.success]])
  }

  enum Pull: Equatable { case idle, threshold, refreshing, done }

  private struct List: View {
    @State private var pull = Pull.idle

    var body: some View {
      Button("Pull") {
        pull =
          switch pull {
          case .idle: .threshold
          case .threshold: .refreshing
          case .refreshing: .done
          case .done: .idle
          }
      }
      .sensoryFeedback(trigger: pull) { _, new in
        switch new {
        case .threshold: return .impact(flexibility: .soft, intensity: 0.5)
        case .done: return .success
        default: return nil
        }
      }
    }
  }

  @Test func aChainOfStatesHasItsOwnFeelings() {
    #expect(
      pressed(List(), times: 4) == [[.impact(flexibility: .soft, intensity: 0.5)], [], [.success], []])
  }

  private struct Card: View {
    let speed: Double
    @State private var hasLanded = false

    var body: some View {
      Button("Drop") { hasLanded.toggle() }
        .sensoryFeedback(.impact(weight: .medium, intensity: min(1.0, speed / 800)), trigger: hasLanded)
    }
  }

  @Test func aFasterCardLandsHarder() throws {
    func landing(_ speed: Double) -> Float {
      let start = mock.signal.count
      #expect(pressed(Card(speed: speed)).first?.count == 1)
      return mock.signal.dropFirst(start).map(abs).max() ?? 0
    }
    let slow = landing(200)
    let fast = landing(2000)
    #expect(slow > 0 && abs(fast / slow - 4) < 0.05)
  }

  private struct Picker: View {
    @State private var index = 0

    var body: some View { Button("Next") { index += 1 }.sensoryFeedback(.selection, trigger: index) }
  }

  @Test func aWheelThatSpinsIsNotNoise() {
    let host = stage.host(Picker())
    for _ in 0..<20 {
      Pressing.press()
      host.update()
      mock.advance(seconds: 0.015)
    }
    #expect(mock.triggeredEvents.count == 20 && mock.played.count == 3)
  }

  enum Upload: Equatable { case waiting, running, completed }

  private struct Uploading: View {
    @State private var state = Upload.waiting

    var body: some View {
      Button("Go on") { state = state == .waiting ? .running : .completed }
        .sensoryFeedback(.success, trigger: state) { _, new in new == .completed }
    }
  }

  @Test func onlyTheEndOfAnUploadIsFelt() { #expect(pressed(Uploading(), times: 3) == [[], [.success], []]) }

  private struct Quantity: View {
    @State private var count = 0
    let step: Int

    var body: some View {
      Button("Step") { count += step }
        .sensoryFeedback(trigger: count) { $1 > $0 ? .increase : .decrease }
    }
  }

  @Test func upAndDownFeelDifferent() {
    #expect(pressed(Quantity(step: 1)) == [[.increase]])
    #expect(pressed(Quantity(step: -1)) == [[.decrease]])
  }

  private struct Switching: ViewModifier {
    let value: Bool

    func body(content: Content) -> some View {
      content.sensoryFeedback(.impact(weight: .light, intensity: 0.7), trigger: value)
    }
  }

  private struct Settings: View {
    @State private var isOn = false

    var body: some View { Button("Switch") { isOn.toggle() }.modifier(Switching(value: isOn)) }
  }

  @Test func aModifierMakesAllSwitchesFeelAlike() {
    #expect(pressed(Settings()) == [[.impact(weight: .light, intensity: 0.7)]])
  }

  private struct Imperative: View {
    private let generator = UIImpactFeedbackGenerator(style: .medium)

    var body: some View {
      Button("Act") { generator.impactOccurred(intensity: 0.8) }
        .onAppear { generator.prepare() }
    }
  }

  @Test func aGeneratorInAViewIsPreparedWhenItAppears() {
    mock.use {
      let host = ViewHost(Imperative())
      mock.advance(seconds: 0.1)
      Pressing.press()
      withExtendedLifetime(host) {}
    }
    #expect(mock.triggeredEvents == [.impact(weight: .medium, intensity: 0.8)])
  }

  @MainActor private final class Controller {
    let generator = UIImpactFeedbackGenerator(style: .medium)

    func appear() { generator.prepare() }
    func buttonTapped() { generator.impactOccurred(intensity: 0.7) }
  }

  @Test func theOldWayAndTheNewOneAreTheSame() {
    let controller = Controller()
    mock.use {
      controller.appear()
      controller.buttonTapped()
    }
    mock.advance(seconds: 0.5)
    #expect(mock.triggeredEvents == pressed(Card(speed: 560))[0])
  }

  private struct Rumble: View {
    @Environment(\.accessibilityReduceMotion) private var reduceMotion
    let engine: CHHapticEngine

    var body: some View {
      Button("Rumble") {
        guard !reduceMotion else { return }
        let tone = CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: 0.6)
        do {
          let pattern = try CHHapticPattern(events: [tone], parameters: [])
          try engine.makePlayer(with: pattern).start(atTime: CHHapticTimeImmediate)
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test func aPatternOfOnesOwnAsksForReduceMotion() throws {
    let engine = try mock.use { try CHHapticEngine() }
    try engine.start()
    let host = stage.host(Rumble(engine: engine))
    mock.settings.reducesMotion = true
    host.update()
    Pressing.press()
    #expect(mock.machine.requests == [])
    mock.settings.reducesMotion = false
    host.update()
    Pressing.press()
    #expect(mock.machine.requests.map(\.action) == [.start])
  }

  private struct LateButton: View {
    @State private var isPressed = false
    @State private var isDone = false
    let later: (@escaping @MainActor () -> Void) -> Void

    var body: some View {
      Button("Press") {
        isPressed = true
        later {
          isPressed = false
          isDone.toggle()
        }
      }
      .sensoryFeedback(.impact(weight: .light, intensity: 0.6), trigger: isDone)
    }
  }

  @Test func whatIsFeltMayComeAtThePeakOfAMovement() {
    var waiting: [@MainActor () -> Void] = []
    let host = stage.host(LateButton { waiting.append($0) })
    Pressing.press()
    #expect(stage.endTurn(host) == [])
    for action in waiting { action() }
    #expect(stage.endTurn(host) == [.impact(weight: .light, intensity: 0.6)])
  }

  @Test func aWatchCelebrates() {
    mock.use { WKInterfaceDevice.current().play(.notification) }
    mock.advance(seconds: 0.5)
    mock.use { WKInterfaceDevice.current().play(.navigationLinkTap) }
    #expect(mock.played == ["notification", "navigation-link-tap"])
  }

  private final class Checkout {
    let haptics: any HapticProviding

    init(haptics: any HapticProviding) { self.haptics = haptics }

    func pay(_ isAccepted: Bool) { haptics.trigger(isAccepted ? .success : .error) }
  }

  @Test func aModelTakesItsHapticsFromOutside() {
    let model = Checkout(haptics: mock)
    model.pay(true)
    model.pay(false)
    #expect(mock.triggeredEvents == [.success, .error])
    mock.use { Checkout(haptics: SystemHaptics()).pay(true) }
    #expect(mock.triggeredEvents.count == 3)
  }
}
