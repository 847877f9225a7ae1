/// What a hand on a controller asks for: a MIDI keyboard's, a game pad's, or a fader's by OSC.
enum ControlEvent: Equatable, Sendable {
  /// A tap. Its sharpness is nil where the controller has none to say, 0…1 otherwise, like its intensity.
  case tap(intensity: Double, sharpness: Double?)
  /// Something continuous begins, and lasts until the release of the same id; one of an id that is held begins anew. Ids
  /// are of one source. Values are as of a tap.
  case hold(id: Int, intensity: Double, sharpness: Double?)
  /// What is held by this id ends; one that is not held is no mistake.
  case release(id: Int)
  /// The live intensity, 0…1: multiplies what plays, as `HapticIntensityControl` does.
  case intensity(Double)
  /// The live sharpness, −1…1: is added to what plays, as `HapticSharpnessControl` is.
  case sharpness(Double)
  /// Something to tell a person: a controller that came or went, or what was learned.
  case notice(String)
}

/// What a control can be learned for.
enum ControlTarget: String, CaseIterable, Sendable {
  case intensity, sharpness
}
