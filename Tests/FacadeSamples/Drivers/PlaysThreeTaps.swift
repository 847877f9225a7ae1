// for: func playTripleTap()
import CoreHaptics

let engine = haptics.use { () -> HapticEngineManager in
  let engine = HapticEngineManager()
  engine.prepare()
  return engine
}
engine.playTripleTap()
haptics.advance(seconds: 0.5)
let taps = try rendered(
  [0, 1, 2].map { event(.hapticTransient, at: Double($0) * 0.12, 1 - Float($0) * 0.25, 0.5) }, seconds: 0.5)
check(haptics.signal() == taps, "three taps, each weaker")
check(onsets(haptics.signal()) == [0, 12, 24], "0.12 s apart")
end(checked: 2)
