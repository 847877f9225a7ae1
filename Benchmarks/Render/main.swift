// Render cost: nanoseconds a voice-sample, beside two hand-written C banks in the same run. The plain bank (one step and one
// level a voice) is the limit that the bars are ratios to; the moving bank (a straight line in frequency and one in level for
// each voice) is what voices under envelopes and curves could cost at the least.
//
//   swift run -c release bench-render                     the table
//   swift run -c release bench-render --check             exit 1 where a ratio is below Benchmarks/Thresholds
//   swift run -c release bench-render --smoke             fewer trials
//   THRUM_KERNEL=baseline … bench-render                  the same with a narrower kernel
//
// Instructions, which do not depend on what else the machine does (callgrind knows no AVX-512: the kernel is AVX2 at most):
//
//   swift build -c release --product bench-render && objcopy -g .build/release/bench-render /tmp/bench-render
//   valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
//     --toggle-collect='$s13ThrumRealtime11OutputStageV4fill*' /tmp/bench-render --one "steady tones" 128
//
// renders one load and prints the voice-samples to divide the collected count by.
import BenchmarkSupport
import CBenchmark
import Glibc
import ThrumRealtime

let arguments = CommandLine.arguments
let trials = Options.isSmoke ? 40 : 400

if let index = arguments.firstIndex(of: "--one"), index + 2 < arguments.count,
  let scenario = Scenario(rawValue: arguments[index + 1]), let voices = Int(arguments[index + 2])
{
  let load = VoiceLoad(voices: voices, scenario: scenario)
  let blocks = min(20, scenario.frames / VoiceLoad.blockFrames)
  for _ in 0..<blocks { load.renderBlock() }
  print("\(blocks * VoiceLoad.blockFrames * max(1, voices)) voice-samples, kernel \(RenderKernel.best)")
  exit(0)
}

/// A scenario's name in its column.
func padded(_ scenario: Scenario) -> String {
  scenario.rawValue + String(repeating: " ", count: max(0, 32 - scenario.rawValue.count))
}

func measure(voices: Int, scenario: Scenario) -> Percentiles {
  let perSample = 1 / Double(VoiceLoad.blockFrames * max(1, voices))
  let blocks = scenario.frames / VoiceLoad.blockFrames
  var times = [Double]()
  if scenario.isWhole {
    let notes = max(3, min(Options.isSmoke ? 5 : 20, 20_000 / max(1, voices)))
    for _ in 0..<notes {
      let load = VoiceLoad(voices: voices, scenario: scenario)
      let start = Clock.thread
      for _ in 0..<blocks { load.renderBlock() }
      times.append((Clock.thread - start) * perSample / Double(blocks))
    }
    return Percentiles(times)
  }
  while times.count < trials {
    let load = VoiceLoad(voices: voices, scenario: scenario)
    // Few voices are measured over many blocks: reading the clock costs as much as some of them.
    let group = min(blocks, max(1, 64 / max(1, voices)))
    for _ in 0..<min(blocks / group, trials) {
      let start = Clock.thread
      for _ in 0..<group { load.renderBlock() }
      times.append((Clock.thread - start) * perSample / Double(group))
    }
  }
  return Percentiles(times)
}

print(
  "render cost, ns a voice-sample; blocks of \(VoiceLoad.blockFrames) frames at 8 kHz, one bus; kernel \(RenderKernel.best)"
)
let silence = measure(voices: 0, scenario: .steady)
print("no voices, ns a frame              \(silence.line())")

var ratios: [String: Double] = [:]
var costs: [Scenario: [(voices: Int, cost: Double)]] = [:]
for voices in [1, 16, 128, 1024, 10_000] {
  var bank = VoiceBank(voices: voices)
  let plain = bank.measure(isMoving: false, trials: trials)
  let moving = bank.measure(isMoving: true, trials: trials)
  print("\(voices) voices")
  print("  plain C bank                     \(plain.line())")
  print("  moving C bank                    \(moving.line())")
  for scenario in Scenario.allCases {
    let cost = measure(voices: voices, scenario: scenario)
    let ratio = plain[50] / cost[50]
    ratios["\(voices) \(scenario.rawValue)"] = ratio
    costs[scenario, default: []].append((voices, cost[50]))
    print(
      "  \(padded(scenario)) \(cost.line())  speed/plain \(fixed(ratio, 3))  "
        + "speed/moving \(fixed(moving[50] / cost[50], 3))")
  }
}

// The exponent x of cost a frame ~ voices^x between two counts; 1 is a cost in proportion.
print("growth of the cost of a frame with the voices, as an exponent: 128 to 1,024, and 1,024 to 10,000")
for scenario in Scenario.allCases {
  let points = costs[scenario, default: []].filter { $0.voices >= 128 }
  var exponents = [String]()
  for (a, b) in zip(points, points.dropFirst()) {
    let growth = log2(b.cost * Double(b.voices) / (a.cost * Double(a.voices)))
    exponents.append(fixed(growth / log2(Double(b.voices) / Double(a.voices)), 3))
  }
  print("  \(padded(scenario)) \(exponents.joined(separator: "  "))")
}

guard let thresholds = KernelThresholds() else {
  print("no thresholds in \(KernelThresholds.path)")
  exit(Options.isCheck ? 1 : 0)
}
var hasFailed = false
for line in thresholds.lines where line.kernel == "\(RenderKernel.best)" {
  let ratio = ratios["\(line.voices) \(line.scenario)"] ?? 0
  let isBelow = ratio < line.least
  hasFailed = hasFailed || isBelow
  print(
    "\(isBelow ? "BELOW" : "ok") \(line.scenario) at \(line.voices) voices: \(fixed(ratio, 3)) of the plain C bank, bar \(fixed(line.least, 3))"
  )
}
if Options.isCheck, hasFailed { exit(1) }
