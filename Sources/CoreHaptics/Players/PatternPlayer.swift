internal import ThrumPattern

/// A player as programs hold it.
class PatternPlayer: NSObject, CHHapticPatternPlayer {
  let core: PlayerCore

  init(_ core: PlayerCore) {
    self.core = core
    super.init()
  }

  deinit { core.handleGone() }

  func start(atTime time: TimeInterval) throws { try core.start(atTime: time) }

  func stop(atTime time: TimeInterval) throws { try core.stop(atTime: time) }

  func sendParameters(_ parameters: [CHHapticDynamicParameter], atTime time: TimeInterval) throws {
    let values = try parameters.enumerated().map { index, parameter in
      try DynamicParameter(parameter, place: "parameters[\(index)]")
    }
    try core.send(values, atTime: time)
  }

  func scheduleParameterCurve(_ parameterCurve: CHHapticParameterCurve, atTime time: TimeInterval) throws {
    try core.schedule(ParameterCurve(parameterCurve, place: "parameterCurve"), atTime: time)
  }

  func cancel() throws { try core.cancel() }

  var isMuted: Bool {
    get { core.properties.isMuted }
    set { core.change { $0.isMuted = newValue } }
  }
}

/// An advanced player as programs hold it.
final class AdvancedPatternPlayer: PatternPlayer, CHHapticAdvancedPatternPlayer {
  func pause(atTime time: TimeInterval) throws { try core.pause(atTime: time) }

  func resume(atTime time: TimeInterval) throws { try core.resume(atTime: time) }

  func seek(toOffset offsetTime: TimeInterval) throws { try core.seek(toOffset: offsetTime) }

  var loopEnabled: Bool {
    get { core.properties.isLooping }
    set { core.change { $0.isLooping = newValue } }
  }

  var loopEnd: TimeInterval {
    get { core.properties.loopEnd ?? core.duration }
    set { if newValue >= 0 { core.change { $0.loopEnd = newValue } } }
  }

  var playbackRate: Float {
    get { core.properties.rate }
    set { if newValue > 0, newValue.isFinite { core.change { $0.rate = newValue } } }
  }

  var completionHandler: CHHapticAdvancedPatternPlayerCompletionHandler {
    get { core.completionHandler }
    set { core.completionHandler = newValue }
  }
}
