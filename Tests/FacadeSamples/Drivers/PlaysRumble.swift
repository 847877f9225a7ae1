// for: func playContinuousRumble(duration:
import CoreHaptics

let engine = haptics.use { HapticsEngine() }
engine.playContinuousRumble(duration: 0.6, intensity: 0.7)
haptics.advance(seconds: 1)
let rumble = try rendered([event(.hapticContinuous, for: 0.6, 0.7, 0.3)], seconds: 1)
check(haptics.signal() == rumble, "a rumble of 0.6 s")

// Its handlers start the engine synchronously, within themselves.
haptics.beginOutage(.unplugged)
haptics.advance(seconds: 0.25)
haptics.endOutage()
haptics.advance(seconds: 0.25)
engine.playContinuousRumble(duration: 0.1, intensity: 1)
haptics.advance(seconds: 0.5)
check(onsets(haptics.signal()) == [0, 150], "a rumble after the output came back")
end(checked: 2)
