// for: func makeRumble(duration:
import CoreHaptics

let signal = try rendered(try Sample().makeRumble(duration: 1), seconds: 1.5)
check(onsets(signal) == [0], "one rumble")
let levels = [0.1, 0.5, 0.9].map { peak(signal[Int($0 * 8000) - 40..<Int($0 * 8000) + 40]) }
for (level, expected) in zip(levels, [0.9, 0.5, 0.1] as [Float]) {
  check(abs(level - expected * 0.3) < 0.02, "a level of \(expected * 0.3), not \(level)")
}
end(checked: 4)
