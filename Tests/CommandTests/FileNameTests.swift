import Foundation
import ThrumPattern
import Testing

@testable import thrum

/// Names of files that are no text, and names that would act on a terminal if they were printed as they are.
@Suite("File names")
struct FileNameTests {
  /// Runs a line of the shell, in which `thrum` is the binary, in a folder with patterns of strange names.
  private func run(_ line: String) throws -> ThrumProcess.Outcome {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "tap.ahap")
    try folder.write("{", to: "bad.ahap")
    let script = """
      n=$'n\\xff\\xe9.ahap'; e=$'e\\e[31m\\n\\x9b.ahap'; mkdir $'d\\xfe' patterns
      cp tap.ahap "$n"; cp tap.ahap $'d\\xfe/'"$n"; cp bad.ahap "$e"; cp tap.ahap "patterns/$n"
      cp bad.ahap "patterns/$e"
      t=\(ThrumProcess.path); thrum() { "$t" "$@"; }
      \(line)
      """
    return try ThrumProcess(
      ["-c", script], in: folder.path(""), environment: PlayTests.noCard, program: "/bin/bash"
    ).wait()
  }

  @Test(
    "Every command opens a file and writes one whose name is not UTF-8",
    arguments: [
      #"thrum check "$n" $'d\xfe' $'d\xfe/'"$n""#,
      #"thrum inspect "$n" > x && test -s x"#,
      #"thrum render "$n" -o $'o\xff.wav' && test -s $'o\xff.wav'"#,
      #"thrum render "$n" -o$'d\xfe/o.wav' && test -s $'d\xfe/o.wav'"#,
      #"touch $'o\xff.wav' && thrum render "$n" --output=$'o\xff.wav' && test -s $'o\xff.wav'"#,
      #"ln -s "$n" l && thrum inspect l > x && touch $'o\xff' && ln -s $'o\xff' m && thrum render l -o m && test -s $'o\xff'"#,
      #"thrum plot "$n" -o $'o\xff.svg' && test -s $'o\xff.svg'"#,
      #"thrum play -d virtual "$n" $'d\xfe/'"$n""#,
      #"mkdir $'d\xfe/thrum'; echo 'device = virtual' > $'d\xfe/thrum/config'; "#
        + #"XDG_CONFIG_HOME="$PWD/"$'d\xfe' thrum play "$n""#,
    ])
  func opened(line: String) throws {
    let outcome = try run(line)
    #expect(outcome.errors == "")
    #expect(outcome.output == "")
    #expect(outcome.status == 0)
  }

  @Test("A pattern in a folder of such a name finds its sounds")
  func sounds() throws {
    let event = #"{"Event":{"Time":0,"EventType":"AudioCustom","EventWaveformPath":"s.wav"}}"#
    let outcome = try run(
      "touch $'d\\xfe/s.wav'; echo '{\"Pattern\":[\(event)]}' > $'d\\xfe/s.ahap'; thrum check $'d\\xfe/s.ahap'"
    )
    #expect(!outcome.output.contains("no file"))
    #expect(outcome.status == 0)
  }

  @Test("--watch plays a file again whose name is not UTF-8")
  func watched() throws {
    let outcome = try run(
      #"""
      : > log; "$t" play -d virtual --json --watch "$n" > log & p=$!
      until grep -q finished log; do sleep 0.02; done
      cp tap.ahap "$n"
      until [ $(grep -c finished log) = 2 ]; do sleep 0.02; done
      kill -TERM $p; wait $p
      """#)
    #expect(outcome.errors == "")
    #expect(outcome.status == 143)
  }

  @Test(
    "What a name holds does not act on a terminal, and a finding stays one line",
    arguments: [
      #"thrum check "$e""#, #"thrum check patterns"#, #"thrum inspect "$e""#, #"thrum render "$e" -o x.wav"#,
      #"thrum play -d virtual "$e""#, #"thrum play --watch $'\e[31m'"#, #"thrum inspect "$n" "$e""#,
      #"thrum render "$n" -o $'\e[31m/x.wav'"#, #"thrum $'\e[31m'"#, #"thrum check $'--\e[31m'"#,
      #"thrum play -p $'\e[31m' "$n""#, #"thrum play -d $'\e[31m' "$n""#,
      #"THRUM_DEVICE=$'\e[31m' thrum play "$n""#, #"thrum devices -d $'\e[31m' >&2; false"#,
      #"mkdir -p c/thrum; echo $'\e[31m = 1' > c/thrum/config; XDG_CONFIG_HOME=$PWD/c thrum play "$n""#,
    ])
  func printed(line: String) throws {
    let outcome = try run(line)
    #expect(outcome.status == 1 || outcome.status == 2)
    let text = outcome.output + outcome.errors
    #expect(text.contains("[31m"))
    #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (0x7F..<0xA0).contains($0.value) })
    if line.contains("thrum check \"$e\"") { #expect(text.split(separator: "\n").count == 1) }
  }

  @Test(
    "JSON stays JSON, and has such a name as text",
    arguments: [
      #"thrum check --json "$e""#, #"thrum inspect --json "$n""#, #"thrum render "$n" --json -o x.wav"#,
      #"thrum play -d virtual --json "$n""#,
    ])
  func json(line: String) throws {
    let outcome = try run(line)
    let names = try outcome.output.split(separator: "\n").compactMap { text -> String? in
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let files = object?["files"] as? [[String: Any]]
      return object?["file"] as? String ?? files?.first?["file"] as? String
    }
    let expected = line.contains("$e") ? "e\u{1B}[31m\n\u{FFFD}.ahap" : "n\u{FFFD}\u{FFFD}.ahap"
    #expect(!names.isEmpty && names.allSatisfy { $0 == expected }, "\(names)")
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("A name comes apart and together by its slashes")
  func parts() {
    let names: [(FileName, FileName, FileName)] = [
      ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/a/b", "/a", "b"), ("a/", "a", ""),
      ("", ".", ""),
    ]
    for (name, folder, part) in names {
      #expect(name.folder == folder)
      #expect(name.lastPart == part)
    }
    #expect(FileName("a").appending("b") == "a/b")
    #expect(FileName("/").appending("b") == "/b")
    #expect(FileName("a").appending("/b") == "/b")
    #expect(FileName(bytes: [97, 0, 98]) == "a")
    #expect(
      FileName(bytes: [0xFF, 10]).description == "\u{FFFD}\\u{0A}"
        || FileName(bytes: [10]).description == "\\n")
  }
}
