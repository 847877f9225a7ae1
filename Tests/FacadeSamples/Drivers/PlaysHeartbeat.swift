// for: func playHeartbeat()
import CoreHaptics

let sample = Sample()
try sample.playHeartbeat()
sample.engine = try haptics.use { try CHHapticEngine() }
try sample.playHeartbeat()
haptics.advance(seconds: 1)
let beats = [event(.hapticTransient, 0.9, 0.4), event(.hapticTransient, at: 0.28, 0.6, 0.3)]
check(haptics.signal() == (try rendered(beats, seconds: 1)), "two beats, 0.28 s apart")
end(checked: 1)
