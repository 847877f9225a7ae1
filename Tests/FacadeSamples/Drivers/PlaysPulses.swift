// for: func playPulse(intensity:
import CoreHaptics

let engine = HapticEngine()
try engine.playPulse(intensity: 1, sharpness: 1)
try haptics.use { try engine.prepare() }
for intensity in [Float(0.25), 0.5, 1] {
  try engine.playPulse(intensity: intensity, sharpness: 0.8)
  haptics.advance(seconds: 0.2)
}
let signal = haptics.signal()
check(onsets(signal) == [0, 20, 40], "a pulse every 0.2 s")
let peaks = [0, 1, 2].map { peak(signal[$0 * 1600..<($0 + 1) * 1600]) }
check(abs(peaks[1] / peaks[0] - 2) < 0.01 && abs(peaks[2] / peaks[1] - 2) < 0.01, "twice as strong each time")
end(checked: 2)
