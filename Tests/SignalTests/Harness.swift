import TestSupport
import Testing
import ThrumPattern

/// What every bar is measured on.
let renderers: [PatternRenderer] = [.reference, .thrum]

#if DEBUG
  /// Whether heavy measurements run on a reduced set; every printed line says so. Release builds run the full
  /// set.
  let isReduced = true
#else
  let isReduced = false
#endif

/// Prints a figure beside its bar; `isWhole` says that debug builds measure no less than release builds.
func report(_ bar: Int, _ renderer: PatternRenderer, _ what: String, isWhole: Bool = false) {
  print("bar \(bar)\(isReduced && !isWhole ? " (reduced set)" : ""), \(renderer): \(what)")
}

/// The sharpnesses 0, 0.1…1 of the bars; 0, 0.5 and 1 in debug builds.
let sharpnesses: [Float] = isReduced ? [0, 0.5, 1] : (0...10).map { Float($0) / 10 }

/// The default map of section 1, from a Float32 as patterns hold it.
func hertz(_ sharpness: Float) -> Double {
  ReferenceProfile.none.frequency(atSharpness: Double(sharpness))
}

/// Full scale of a continuous event: intensity 1 is half of the digital one (section 0).
let continuousFullScale = 0.5

extension DynamicParameter {
  /// A step of the intensity control.
  static func intensity(_ value: Float, at time: Double) -> DynamicParameter {
    DynamicParameter(id: .hapticIntensityControl, value: value, time: time)
  }

  /// A step of the sharpness control.
  static func sharpness(_ value: Float, at time: Double) -> DynamicParameter {
    DynamicParameter(id: .hapticSharpnessControl, value: value, time: time)
  }
}
