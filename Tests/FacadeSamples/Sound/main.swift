// Plays a tap and a click of one time, three times, on the output that the environment names, and checks the frames that ALSA
// wrote down: `program TOUCH CHANNELS CHANNEL EAR CHANNELS CHANNEL`, each a file of S32 frames, how many channels it has, and
// the one to look at. In one file they must be in step.
import CoreHaptics

nonisolated(unsafe) var failures = 0

func check(_ condition: Bool, _ words: String) {
  if !condition {
    failures += 1
    print("  wrong: \(words)")
  }
}

/// The frames at which a channel begins after 50 ms of silence.
func onsets(_ file: String, channels: Int, channel: Int) throws -> [Int] {
  let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
  let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
  var frames: [Int] = []
  var silent = 400
  for frame in 0..<samples.count / channels {
    if abs(Double(samples[frame * channels + channel]) / 0x1p31) > 0.001 {
      if silent >= 400 { frames.append(frame) }
      silent = 0
    } else {
      silent += 1
    }
  }
  return frames
}

/// A WAV file of 16 bits at 8,000 frames a second: 20 ms, loud at once.
func makeClick() throws -> URL {
  var bytes: [UInt8] = []
  func append(_ number: Int, bytes count: Int) {
    for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }
  let frames = 160
  bytes += Array("RIFF".utf8)
  append(36 + 2 * frames, bytes: 4)
  bytes += Array("WAVEfmt ".utf8)
  for (number, count) in [(16, 4), (1, 2), (1, 2), (8000, 4), (16_000, 4), (2, 2), (16, 2)] {
    append(number, bytes: count)
  }
  bytes += Array("data".utf8)
  append(2 * frames, bytes: 4)
  for frame in 0..<frames { append(frame % 8 < 4 ? 8000 : -8000, bytes: 2) }
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("click-\(UUID().uuidString).wav")
  try Data(bytes).write(to: file)
  return file
}

let words = CommandLine.arguments
let numbers = words.map { Int($0) ?? 0 }
let capability = CHHapticEngine.capabilitiesForHardware()
check(capability.supportsHaptics && capability.supportsAudio, "haptics and sound are supported")
let click = try makeClick()
let engine = try CHHapticEngine()
try engine.start()
let number = try engine.registerAudioResource(
  click, options: [CHHapticAudioResourceKeyUseVolumeEnvelope: false])
try FileManager.default.removeItem(at: click)
let sharp = CHHapticEventParameter(parameterID: .hapticSharpness, value: 1)
let times = [0, 0.2, 0.4]
let taps = times.map {
  CHHapticEvent(eventType: .hapticTransient, parameters: [sharp], relativeTime: $0)
}
let clicks = times.map { CHHapticEvent(audioResourceID: number, parameters: [], relativeTime: $0) }
let player = try engine.makeAdvancedPlayer(with: CHHapticPattern(events: taps + clicks, parameters: []))
let ended = DispatchSemaphore(value: 0)
player.completionHandler = { _ in ended.signal() }
// A second device needs a moment to find its place.
try player.start(atTime: engine.currentTime + 0.5)
check(ended.wait(timeout: .now() + 10) == .success, "the pattern ends")
engine.stop()
// The output is closed a quarter of a second after the last engine has stopped.
Thread.sleep(forTimeInterval: 1)
let felt = try onsets(words[1], channels: numbers[2], channel: numbers[3])
let heard = try onsets(words[4], channels: numbers[5], channel: numbers[6])
check(felt.count == 3 && heard.count == 3, "three taps and three clicks: \(felt) and \(heard)")
for (one, next) in zip(heard, heard.dropFirst()) where words[1] == words[4] {
  check(next - one == 1600, "0.2 s apart: \(heard)")
}
for (tap, click) in zip(felt, heard) where words[1] == words[4] {
  // A tap's first sample is 0 by its formula, and the high-pass takes some of the next one.
  check((0...2).contains(tap - click), "in step: \(felt) and \(heard)")
}
exit(failures == 0 ? 0 : 1)
