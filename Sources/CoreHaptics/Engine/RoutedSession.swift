/// The audio session of an engine that plays on an output of its own choice.
///
/// An engine has one initializer that others lead to, so that programs can subclass it; this is how they say
/// more than a session.
final class RoutedSession: AVAudioSession, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: what it adds never changes.

  /// The device; nil means the one that the settings choose.
  let output: String?
  /// Which of its actuators.
  let locality: HapticLocality

  init(output: String?, locality: HapticLocality) {
    self.output = output
    self.locality = locality
    super.init()
  }
}
