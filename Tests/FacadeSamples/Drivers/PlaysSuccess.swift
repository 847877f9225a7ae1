// for: forResource: "Success"
import CoreHaptics

let sample = Sample()
sample.engine = try haptics.use { try CHHapticEngine() }
try sample.run()
haptics.advance(seconds: 0.5)
let signal = haptics.signal()
check(onsets(signal) == [0], "one event")
let level = peak(signal[800 - 40..<800 + 40])
check(abs(level - 0.35 * 0.5) < 0.03, "half of 0.7 after 0.1 s, not \(level)")
end(checked: 2)
