// for: let curve = CHHapticParameterCurve(
import CoreHaptics

let pattern = try Sample().run()
let signal = try rendered(pattern, seconds: 1.5)
check(pattern.duration == 1.2, "1.2 s")
for (time, expected) in [(0.3, 0.125), (0.6, 0.25), (0.9, 0.125)] as [(Double, Float)] {
  let level = peak(signal[Int(time * 8000) - 60..<Int(time * 8000) + 60])
  check(abs(level - expected) < 0.02, "a level of \(expected) at \(time) s, not \(level)")
}
end(checked: 4)
