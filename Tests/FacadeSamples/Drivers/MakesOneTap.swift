// for: func makeTap() throws
import CoreHaptics

let pattern = try Sample().makeTap()
let tap = try rendered([event(.hapticTransient, 0.75, 0.55)], seconds: 0.3)
check(try rendered(pattern, seconds: 0.3) == tap, "a tap of 0.75 and 0.55")
end(checked: 1)
