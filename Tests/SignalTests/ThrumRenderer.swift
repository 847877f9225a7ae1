import TestSupport
import ThrumEngine
import ThrumPattern
import ThrumRealtime

extension PatternRenderer {
  /// The renderer of the project, offline, in float.
  static let thrum = PatternRenderer(name: "thrum") { pattern, profile, rate in
    try thrumFile(pattern, profile: profile, rate: rate, format: .float).values()
  }
}

/// A render of the project as the WAV file that `render` would write.
func thrumFile(
  _ pattern: Pattern, profile: ReferenceProfile = .none, rate: Int = 8000, format: SampleFormat,
  blockFrames: Int = 1024
) throws -> WAVFile {
  try WAVFile(
    try OfflineRender.wav(
      ScheduleCompiler.compile(pattern), profile: BusProfile(profile), rate: rate, format: format,
      blockFrames: blockFrames))
}

extension BusProfile {
  /// The same chain in the renderer's own terms; γ is not among them.
  init(_ profile: ReferenceProfile) {
    let named: [(ReferenceProfile, BusProfile)] = [(.none, .none), (.safe, .safe)]
    self =
      named.first { $0.0 == profile }?.1
      ?? BusProfile(
        name: "test", minimumHz: profile.minimumHz, maximumHz: profile.maximumHz, gain: Float(profile.gain),
        highPassHz: profile.highPassHz, protection: profile.isLimited ? .init() : nil)
  }
}
