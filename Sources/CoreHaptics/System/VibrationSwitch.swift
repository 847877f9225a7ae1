internal import Synchronization

/// The master switch: while it is off, no engine of the system is felt.
final class VibrationSwitch: Sendable {
  private let value: Atomic<Bool>

  init(isOn: Bool) { value = Atomic(isOn) }

  /// Whether anything is felt.
  var isOn: Bool {
    // Ordering: none needed; engines are told after each change.
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
  }
}

extension HapticSystem {
  /// Whether anything is felt; a change reaches engines that run at once.
  package var isVibrationOn: Bool {
    get { vibration.isOn }
    set {
      vibration.isOn = newValue
      for output in allOutputs { output.refreshEngines() }
    }
  }
}
