import Foundation
import TestSupport
import Testing

/// Files of many events: what the commands hold in memory, and what comes through a pipe.
@Suite("Large files", .serialized)
struct LargeFileTests {
  /// Taps that are felt as a buzz: 70,000 are more than a schedule holds whole.
  private func text(events: Int) -> String {
    var text = "{\"Pattern\": [\n"
    for index in 0..<events {
      let time = Double(index) / 8000
      text +=
        "{\"Event\": {\"Time\": \(time), \"EventType\": \"HapticTransient\", \"EventParameters\": ["
        + "{\"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 0.001}, "
        + "{\"ParameterID\": \"HapticSharpness\", \"ParameterValue\": 1}]}}"
      text += index + 1 < events ? ",\n" : "\n]}\n"
    }
    return text
  }

  @Test("check and render hold no more than 64 bytes an event, beside what it holds for a small file")
  func memory() throws {
    let folder = try TemporaryFolder()
    let large = try folder.write(text(events: 70_000), to: "large.ahap")
    let small = try folder.write(text(events: 700), to: "small.ahap")
    for words in [["check"], ["render", "-o", folder.path("o.wav")]] {
      let few = try ThrumProcess.run(words + [small])
      let many = try ThrumProcess.run(words + [large])
      #expect(few.status == 0 && many.status == 0, "\(words): \(many.errors)")
      // The window that moves over the file and what is held of its output come on top: a megabyte and a half.
      #expect(many.peakBytes - few.peakBytes < 64 * 70_000 + 1_500_000, "\(words)")
    }
  }

  /// What a shell makes of a command that reads a pipe.
  private func piped(_ command: String, environment: [String: String] = [:]) throws -> ThrumProcess.Outcome {
    try ThrumProcess(
      ["-c", command], environment: environment.merging(["THRUM": ThrumProcess.path]) { $1 },
      program: "/bin/sh"
    ).wait()
  }

  @Test("A pipe of more than 16 MiB is kept in TMPDIR, where nothing is left; without room it is refused")
  func spooled() throws {
    let folder = try TemporaryFolder()
    // Most of it is space, which costs little to read; the mistake on its last line has to be found again.
    let padding =
      "i=0; while [ $i -lt 17 ]; do head -c 1048576 /dev/zero | tr '\\0' ' '; echo; i=$((i+1)); done"
    let command =
      "{ echo '{\"Pattern\": ['; \(padding); echo '{\"Event\": {\"EventType\": \"Buzz\"}}]}'; } | \"$THRUM\" check -"
    let refused = try piped(command, environment: ["TMPDIR": folder.path("")])
    #expect(refused.output.hasPrefix("-:19:25: error: Pattern[0].Event.EventType: \"Buzz\""), "\(refused)")
    #expect(refused.status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    let without = try piped(command, environment: ["TMPDIR": folder.path("gone")])
    #expect(
      without.output.contains("too long to be kept in memory, and there is no folder \(folder.path("gone"))"),
      "\(without)")
    #expect(without.output.contains("; save it as a file, or set TMPDIR to a folder with room (-4851)"))
    #expect(without.status == 1)
  }

  @Test("A limit on the size of files is told, and nothing is left behind")
  func limited() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text(events: 8000), to: "a.ahap")
    try folder.makeFolder("out")
    let out = folder.path("out")
    // Units of a kilobyte or half of one, as the shell has it; the second that is rendered takes 32.
    let render = try piped("ulimit -f 1; \"$THRUM\" render \"\(file)\" -o \"\(out)/a.wav\"")
    #expect(render.status == 1, "\(render)")
    #expect(render.errors.contains("cannot write \(out)/a.wav: File too large"), "\(render)")
    let long = "{ head -c 17825792 /dev/zero | tr '\\0' ' '; echo '{}'; }"
    let check = try piped(
      "\(long) | { ulimit -f 10; \"$THRUM\" check -; }", environment: ["TMPDIR": out])
    #expect(check.status == 1 && check.output.contains("files in \(out) may not be as large"), "\(check)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out).isEmpty)
  }

  @Test("check and render load nothing that only pictures, terminals and the daemon need")
  func libraries() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text(events: 3), to: "a.ahap")
    for words in [["check", file], ["render", file, "-o", folder.path("o.wav")], ["inspect", file]] {
      let outcome = try ThrumProcess.run(words, environment: ["LD_DEBUG": "files"])
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("file=libc.so.6"))
      for library in ["cairo", "pixman", "fontconfig", "freetype", "ncurses", "libX11", "libdbus"] {
        #expect(!outcome.errors.contains(library), "\(words[0]) loads \(library)")
      }
    }
  }
}
