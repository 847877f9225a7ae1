// for: func play(_ pattern: CHHapticPattern)
import CoreHaptics

let engine = haptics.use { HapticEngine() }
let buzz = try CHHapticPattern(events: [event(.hapticContinuous, for: 0.25, 0.7, 0.4)], parameters: [])
engine.play(buzz)
haptics.advance(seconds: 0.5)
check(haptics.signal() == (try rendered(buzz, seconds: 0.5)), "a buzz as it is by itself")
end(checked: 1)
