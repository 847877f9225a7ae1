// for: func play(pattern: CHHapticPattern)
import CoreHaptics
import CoreHapticsTesting

let service = haptics.use { HapticsService() }
let tap = try CHHapticPattern(events: [event(.hapticTransient, 0.6, 0.5)], parameters: [])
service.play(pattern: tap)
haptics.advance(seconds: 0.3)
service.play(pattern: tap)
haptics.advance(seconds: 0.3)
let alone = try rendered(tap, seconds: 0.3)
check(haptics.signal() == alone + alone, "two taps, each as it is by itself")

// Its stopped handler lets go of the engine: what is played from then on is dropped in silence.
haptics.beginOutage(.unplugged)
haptics.advance(seconds: 0.1)
haptics.endOutage()
haptics.advance(seconds: 0.1)
service.play(pattern: tap)
haptics.advance(seconds: 0.3)
check(onsets(haptics.signal()) == [0, 30], "nothing after the output was lost")

let bare = VirtualHaptics()
bare.hasOutput = false
bare.use { HapticsService() }.play(pattern: tap)
end(checked: 2)
