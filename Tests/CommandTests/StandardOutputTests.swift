import Foundation
import Testing

/// What the commands do where what they write cannot be written, or where nothing shows it as it is meant.
@Suite("Standard output and terminals", .serialized)
struct StandardOutputTests {
  @Test(
    "A full disk behind standard output is told, and 1",
    arguments: [
      "", "--help", "--version", "help render", "check --json tap.ahap", "check bad.ahap", "inspect tap.ahap",
      "inspect --json tap.ahap", "render tap.ahap -o -", "render tap.ahap -o tap.wav --json",
      "plot tap.ahap -t svg -o -", "devices", "devices --json", "latency -s -d virtual -n 3",
      "latency -s -d virtual -n 3 --csv", "play -d virtual --json tap.ahap",
    ])
  func fullDisk(words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "tap.ahap")
    try folder.write("{", to: "bad.ahap")
    let line = "\(ThrumProcess.path) \(words) > /dev/full"
    let outcome = try ThrumProcess(
      ["-c", line], in: folder.path(""), environment: PlayTests.noCard, program: "/bin/bash"
    ).wait()
    if words.isEmpty {
      // The help goes to standard error here; nothing was to be written.
      #expect(outcome.errors.hasPrefix("Plays Core Haptics patterns") && outcome.status == 2)
    } else {
      #expect(outcome.errors == "thrum: cannot write to standard output: No space left on device\n")
      #expect(outcome.status == 1)
    }
  }

  @Test(
    "With a closed standard output nothing else gets what was meant for it",
    arguments: [
      "check --json tap.ahap", "render tap.ahap -o o.wav --json", "play -d virtual --json tap.ahap",
      "play -d virtual --json --watch tap.ahap",
    ])
  func closed(words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "tap.ahap")
    let line = "\(ThrumProcess.path) \(words) <&- >&-"
    let outcome = try ThrumProcess(["-c", line], in: folder.path(""), program: "/bin/bash").wait()
    #expect(outcome.errors == "thrum: cannot write to standard output: Bad file descriptor\n")
    #expect(outcome.status == 1)
  }

  @Test("A pipe that another program has set not to block is waited for, and gets all of it")
  func pipeThatDoesNotBlock() throws {
    let folder = try TemporaryFolder()
    let pattern = try folder.write(InterruptionTests.longText, to: "long.ahap")
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: ThrumProcess.path)
    process.arguments = ["render", pattern, "-r", "96000", "-o", "-"]
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    close(ends[1])
    // Until it is as good as full, and the next write finds no room.
    var waiting: Int32 = 0
    while process.isRunning, waiting < 60_000 {
      usleep(1000)
      #expect(ioctl(ends[0], UInt(FIONREAD), &waiting) == 0)
    }
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
    let whole = try ThrumProcess.run(["render", pattern, "-r", "96000", "-o", "-"])
    #expect(output.count > 200_000 && Array(output) == whole.outputBytes)
  }

  @Test("play goes silent before it tells of a log that cannot be written on")
  func logOnFullDisk() throws {
    let folder = try TemporaryFolder()
    try folder.write(InterruptionTests.longText, to: "long.ahap")
    // A file of 512 bytes at most: the first lines fit, and the rest is an error of another number.
    let line = "trap '' XFSZ; ulimit -f 1; \(ThrumProcess.path) play -d virtual --json -l 9 tap.ahap > log"
    let events = (0..<200).map {
      "{\"Event\": {\"EventType\": \"HapticTransient\", \"Time\": \(Double($0) / 20)}}"
    }
    try folder.write("{\"Pattern\": [\(events.joined(separator: ","))]}", to: "tap.ahap")
    let outcome = try ThrumProcess(["-c", line], in: folder.path(""), program: "/bin/bash").wait()
    #expect(outcome.errors == "thrum: cannot write to standard output: File too large\n")
    #expect(outcome.status == 1)
  }

  @Test(
    "A terminal that understands no escape sequences, or does not say so, gets none and no bare returns",
    arguments: ["dumb", ""],
    [
      "play -d virtual tap.ahap", "play -d virtual -l 3 tap.ahap bad.ahap", "check bad.ahap",
      "inspect tap.ahap",
      "render -o tap.wav tap.ahap", "devices", "latency -s -d virtual -n 3",
    ])
  func dumb(terminal: String, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "tap.ahap")
    try folder.write("{", to: "bad.ahap")
    let process = try ThrumProcess(
      words.split(separator: " ").map(String.init), in: folder.path(""),
      environment: PlayTests.noCard.merging(["TERM": terminal]) { $1 }, wiring: .terminal)
    let outcome = try process.wait()
    #expect(!outcome.output.isEmpty)
    #expect(!outcome.output.contains("\u{1B}"))
    // The terminal itself makes line ends of two bytes.
    #expect(!outcome.output.replacingOccurrences(of: "\r\n", with: "\n").contains("\r"))
    if words.hasPrefix("play") { #expect(outcome.output.contains("tap.ahap  0.0")) }
  }
}
