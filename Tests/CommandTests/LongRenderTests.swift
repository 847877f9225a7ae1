import Foundation
import TestSupport
import Testing

/// Patterns that are long: what they cost in memory, what a person sees, and what ctrl-C leaves behind.
@Suite("Long patterns", .serialized)
struct LongRenderTests {
  /// A pattern of one tap at a time.
  private func text(seconds: Int) -> String {
    "{\"Pattern\": [{\"Event\": {\"EventType\": \"HapticTransient\", \"Time\": \(seconds)}}]}"
  }

  @Test("render holds neither the file nor the pipe in memory, and both get the same bytes")
  func memory() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text(seconds: 200), to: "long.ahap")
    let words = ["render", file, "-r", "96000", "-o"]
    let toFile = try ThrumProcess.run(words + [folder.path("o.wav")])
    #expect(toFile.status == 0, "\(toFile.errors)")
    let bytes = try SharedFiles.bytes(of: folder.url("o.wav"))
    #expect(bytes.count > 76_800_000)
    let piped = try ThrumProcess.run(words + ["-"])
    let isEqual = piped.outputBytes == bytes
    #expect(isEqual)
    let wave = try WAVFile(bytes)
    #expect(wave.frames * 4 + 58 == bytes.count)
    // Either held the 77 MB twice before; 14 and 22 MB are needed.
    for outcome in [toFile, piped] { #expect((1_000_000..<64_000_000).contains(outcome.peakBytes)) }
  }

  @Test("inspect and plot look at the first ten minutes, in bounded memory")
  func bounds() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text(seconds: 100_000), to: "long.ahap")
    let inspected = try ThrumProcess.run(["inspect", file])
    #expect(inspected.status == 0)
    #expect((1_000_000..<64_000_000).contains(inspected.peakBytes))
    let plotted = try ThrumProcess.run(["plot", file, "-t", "svg", "-o", "-"])
    #expect(plotted.status == 0)
    #expect(plotted.output.contains("the first 600 s of it"))
    #expect((1_000_000..<128_000_000).contains(plotted.peakBytes))
  }

  @Test("A long render tells a terminal how far it is; ctrl-C ends it with 130 and leaves nothing behind")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    try folder.write(text(seconds: 100_000), to: "long.ahap")
    try folder.write("old", to: "o.wav")
    let process = try ThrumProcess(
      ["render", "long.ahap", "-o", "o.wav"], in: folder.path(""), wiring: .terminal)
    #expect(try process.screen(until: "rendered ").contains("long.ahap  "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count == 3)
    process.type("\u{3}")
    #expect(try process.wait().status == 130)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
    #expect(names == ["long.ahap", "o.wav"])
    #expect(try String(contentsOf: folder.url("o.wav"), encoding: .utf8) == "old")
  }

  @Test("Two signals at once end a render where it is, and leave nothing behind either")
  func interruptedTwice() throws {
    let folder = try TemporaryFolder()
    try folder.write(text(seconds: 100_000), to: "long.ahap")
    let process = try ThrumProcess(["render", "long.ahap", "-o", "o.wav"], in: folder.path(""))
    let names = { FileManager.default.subpaths(atPath: folder.path("")) ?? [] }
    try process.wait(until: { names().count == 2 }, "a temporary file")
    // Both wait for it to go on, so that the second comes before the render has looked for the first.
    process.send(signal: SIGSTOP)
    process.send(signal: SIGINT)
    process.send(signal: SIGTERM)
    process.send(signal: SIGCONT)
    #expect([130, 143].contains(try process.wait().status))
    #expect(names() == ["long.ahap"])
  }

  @Test("A number of passes that no file can hold is refused, whatever the product comes to")
  func passes() throws {
    let outcome = try ThrumProcess.run(
      ["render", "-", "-o", "-", "-r", "96000", "-l", "1000000"],
      input: Array(text(seconds: 1_000_000_000).utf8))
    #expect(outcome.errors.contains("more than the 4 GiB that a WAV file can hold"))
    #expect(outcome.status == 1)
  }
}
