// Renders ten busy seconds under clang's real-time sanitizer; built and run by `.ci/gates/core-rtsan`.
//
//   rtsan-proof [allocate|lock|sleep]
//
// With an argument the render thread does that within its brackets, which the sanitizer must catch: a proof that can
// fail.
import Glibc
import ThrumEngine
import ThrumRealtime

__rtsan_ensure_initialized()

let offence = CommandLine.arguments.dropFirst().first
// Safety: the render thread alone uses it.
nonisolated(unsafe) var kept = [Int]()

/// Does what the argument names.
@Sendable func offend() {
  switch offence {
  case "allocate": kept.append(kept.count)
  case "lock":
    var mutex = pthread_mutex_t()
    pthread_mutex_init(&mutex, nil)
    pthread_mutex_lock(&mutex)
    pthread_mutex_unlock(&mutex)
  case "sleep": usleep(1)
  default: break
  }
}

let bracket = Bracket(
  enter: {
    __rtsan_realtime_enter()
    if offence != nil { offend() }
  },
  leave: { __rtsan_realtime_exit() })
let blocks = [64, 64, 1, 7, 1024, 4096, 64, 333, 8]
let outputs: [(rate: Int, format: SampleFormat, profile: BusProfile, hasSound: Bool)] = [
  (8000, .float, .none, false), (48000, .s16, .safe, false), (44100, .s24in3, .safe, false),
  (48000, .s32, .safe, true), (48000, .float, .lra, false), (8000, .float, .coil, false),
  (44100, .s16, .speaker, false),
]
do {
  for (rate, format, profile, hasSound) in outputs {
    let scene = try BusyScene(
      rate: rate, format: format, profile: profile, hasSound: hasSound, blocks: blocks, bracket: bracket)
    try scene.playAmidRequests(seed: 133)
    guard scene.device.recorded.contains(where: { $0 != 0 }) else {
      print("nothing was rendered at \(rate)")
      exit(1)
    }
  }
} catch {
  print(error)
  exit(1)
}
print("quiet")
