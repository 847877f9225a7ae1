// for: func makeTap(intensity: Float, sharpness: Float)
import CoreHaptics

let pattern = try Sample().makeTap(intensity: 0.8, sharpness: 1)
let tap = try rendered([event(.hapticTransient, 0.8, 1)], seconds: 0.3)
check(try rendered(pattern, seconds: 0.3) == tap, "the tap that was asked for")
end(checked: 1)
