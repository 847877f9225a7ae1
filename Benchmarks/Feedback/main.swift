// How soon a tap sounds on the simulated card: the first one after `prepare()`, later ones, and the first one without it. Each
// trial is a process of its own; the card writes down when each frame sounded.
//
//   swift build -c release --product ThrumTestCard && swift run -c release bench-feedback
//   swift run -c release bench-feedback --check    exit 1 where the prepared first tap comes later than a period and 2 ms
//                                                  after the median of later ones
import Feedback

let period = 5.0
let rate = 48_000.0

/// The trial of a process: taps half a second apart, each with its time on standard output.
@MainActor func tap(isPrepared: Bool) {
  let generator = UIImpactFeedbackGenerator(style: .rigid)
  if isPrepared {
    generator.prepare()
    Thread.sleep(forTimeInterval: 0.5)
  }
  for _ in 0..<4 {
    FileHandle.standardOutput.write(Data("\(DispatchTime.now().uptimeNanoseconds)\n".utf8))
    generator.impactOccurred()
    Thread.sleep(forTimeInterval: 0.5)
  }
}

/// Milliseconds from each tap to its sound; nil for one that did not sound.
func trial(isPrepared: Bool, card: URL) throws -> [Double?] {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-feedback-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let text = """
    </usr/share/alsa/alsa.conf>
    pcm_type.thrum_test_card { lib "\(card.path)" }
    pcm.simulated {
      type thrum_test_card
      rates "48000"
      channels "1"
      formats "S16_LE"
      frames "\(folder.path)/frames"
      log "\(folder.path)/log"
    }
    """
  try text.write(to: folder.appendingPathComponent("card"), atomically: true, encoding: .utf8)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = [isPrepared ? "--prepared" : "--cold"]
  process.environment = [
    "ALSA_CONFIG_PATH": folder.path + "/card", "THRUM_DEVICE": "simulated", "HOME": folder.path,
  ]
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let taps = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
  let sounds = try onsets(folder)
  try FileManager.default.removeItem(at: folder)
  return taps.map { tap in sounds.first { $0 > tap && $0 < tap + 400e6 }.map { ($0 - tap) / 1e6 } }
}

/// When sounds began, in nanoseconds.
func onsets(_ folder: URL) throws -> [Double] {
  let log = try String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
  let bytes = try Data(contentsOf: folder.appendingPathComponent("frames"))
  let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  var starts: [(frame: Double, time: Double)] = []
  for line in log.split(separator: "\n") {
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "play", let frame = Double(words[1]), let time = Double(words[2])
    else {
      continue
    }
    starts.append((frame, time))
  }
  var quietFrames = Int(rate)
  var onsets: [Double] = []
  for (frame, sample) in samples.enumerated() {
    if abs(Int(sample)) < 300 {
      quietFrames += 1
      continue
    }
    if quietFrames > 4800, let start = starts.last(where: { $0.frame <= Double(frame) }) {
      onsets.append(start.time + (Double(frame) - start.frame) / rate * 1e9)
    }
    quietFrames = 0
  }
  return onsets
}

func line(_ name: String, _ values: [Double?]) -> String {
  let heard = values.compactMap { $0 }.sorted()
  guard !heard.isEmpty else { return "\(name) none of \(values.count) sounded" }
  func at(_ share: Double) -> Double {
    (heard[min(heard.count - 1, Int(share * Double(heard.count)))] * 10).rounded() / 10
  }
  return "\(name) p50 \(at(0.5))  p90 \(at(0.9))  max \(at(1)) ms, \(heard.count) of \(values.count) sounded"
}

if CommandLine.arguments.contains("--prepared") || CommandLine.arguments.contains("--cold") {
  tap(isPrepared: CommandLine.arguments.contains("--prepared"))
  exit(0)
}
let card = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  .appendingPathComponent("libThrumTestCard.so")
guard FileManager.default.fileExists(atPath: card.path) else {
  print("skipped: \(card.path) is not there; swift build -c release --product ThrumTestCard")
  exit(0)
}
var (first, later, cold): ([Double?], [Double?], [Double?]) = ([], [], [])
for _ in 0..<10 {
  let prepared = try trial(isPrepared: true, card: card)
  first += prepared.prefix(1)
  later += prepared.dropFirst()
  cold += try trial(isPrepared: false, card: card).prefix(1)
}
print(line("first tap, prepared   ", first))
print(line("later taps            ", later))
print(line("first tap, unprepared ", cold))
let (own, others) = (first.compactMap { $0 }.sorted(), later.compactMap { $0 }.sorted())
let isGood =
  own.count > first.count / 2 && !others.isEmpty
  && own[own.count / 2] <= others[others.count / 2] + period + 2
if CommandLine.arguments.contains("--check") && !isGood { exit(1) }
