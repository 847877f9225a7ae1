import BenchmarkSupport
import CBenchmark

/// The banks in C, `ns a voice-sample` in runs of 64 frames, as the renderer works.
struct VoiceBank {
  private var bank: thrum_voice_bank
  private let out = UnsafeMutablePointer<Float>.allocate(capacity: 64)

  init(voices: Int) {
    // The memory lives as long as the process: a benchmark's few pages.
    bank = thrum_voice_bank(
      phase: .allocate(capacity: voices), step: .allocate(capacity: voices),
      level: .allocate(capacity: voices), bend: .allocate(capacity: voices),
      slope: .allocate(capacity: voices), count: voices)
    for voice in 0..<voices {
      bank.phase[voice] = UInt32(voice) &* 0x9E37_79B9
      bank.step[voice] = 60_000_000 + UInt32(voice % 97) * 100_000
      bank.level[voice] = 0.0005
      bank.bend[voice] = UInt32(voice % 7)
      bank.slope[voice] = 1e-9
    }
  }

  mutating func measure(isMoving: Bool, trials: Int) -> Percentiles {
    // Few voices are measured over many runs: reading the clock costs as much as some of them.
    let runs = max(8, 1024 / bank.count)
    var times = [Double]()
    for trial in 0..<trials + 5 {
      let start = Clock.thread
      for _ in 0..<runs {
        out.update(repeating: 0, count: 64)
        if isMoving {
          thrum_moving_bank_render(&bank, out, 64)
        } else {
          thrum_voice_bank_render(&bank, out, 64)
        }
      }
      if trial >= 5 { times.append((Clock.thread - start) / Double(runs * 64) / Double(bank.count)) }
    }
    return Percentiles(times)
  }
}
