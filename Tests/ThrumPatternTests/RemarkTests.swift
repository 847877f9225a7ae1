import Testing
import ThrumPattern

/// Warnings and notes, with the exact line that `check` prints.
@Suite struct RemarkTests {
  /// The place of the mark in a text, and the remarks on it.
  private func remarks(on text: String) throws -> (place: String, remarks: [String]) {
    let (text, place) = marked(text)
    return (place, try ThrumPatternTests.remarks(text))
  }

  @Test func saysNothingOfAGoodFile() throws {
    let text = file(
      tap(parameters(("HapticIntensity", "1"), ("AttackTime", "0.1"), ("DecayTime", "0.2"))),
      buzz(parameters(("Sustained", "0"), ("DecayTime", "1"))),
      buzz(parameters(("Sustained", "1"), ("ReleaseTime", "1"))),
      control("HapticIntensityControl", "0.5", at: "0.5"),
      curve("HapticSharpnessControl", at: "0.25", ("0", "-1"), ("0.5", "1")))
    #expect(try ThrumPatternTests.remarks("{\"Version\": 1.0, " + text.dropFirst()) == [])
  }

  /// Entries with a mark, and what is said of the place, without the entry's own path.
  private static let entries: [(String, String)] = [
    (tap(", ⌖\"Name\": null"), "Event.Name: not a key of an event, skipped"),
    (
      buzz(", ⌖\"Duration\": 2"),
      "Event.Duration: not a key of an event, skipped; did you mean `EventDuration`?"
    ),
    (tap(", ⌖\"time\": 2"), "Event.time: not a key of an event, skipped; did you mean `Time`?"),
    (tap(", ⌖\"ParameterID\": 1"), "Event.ParameterID: not a key of an event, skipped"),
    (
      "{⌖\"Marker\": {\"Time\": NULL}}".replacing("NULL", with: "0"),
      "Marker: not a key of a pattern entry, skipped"
    ),
    (
      "{⌖\"ParameterCurves\": []}",
      "ParameterCurves: not a key of a pattern entry, skipped; did you mean `ParameterCurve`?"
    ),
    (
      tap(", \"EventParameters\": [{\"ParameterID\": \"AttackTime\", \"ParameterValue\": 1, ⌖\"Time\": 1}]"),
      "Event.EventParameters[0].Time: not a key of an event parameter, skipped"
    ),
    ("⌖{}", "an entry with nothing in it"),
    (tap(", ⌖\"Time\": 1"), "Event.Time: this key comes twice; the last one counts"),
    (
      tap(
        ", \"EventParameters\": [{\"ParameterID\": \"AttackTime\", \"ParameterValue\": 1}, "
          + "⌖{\"ParameterID\": \"AttackTime\", \"ParameterValue\": 0}]"),
      "Event.EventParameters[1]: AttackTime comes twice in this event; the last one counts"
    ),
    ("{\"Event\": ⌖{\"EventType\": \"HapticTransient\"}}", "Event: no `Time`; the event begins at 0 s"),
    (
      tap(", \"EventParameters\": [⌖{\"ParameterID\": \"DecayTime\"}]"),
      "Event.EventParameters[0]: no `ParameterValue`; DecayTime takes its default"
    ),
    (
      tap(parameters(("HapticIntensity", "⌖1.7"))),
      "Event.EventParameters[0].ParameterValue: found 1.7; HapticIntensity goes from 0 to 1, so 1 is used"
    ),
    (
      tap(parameters(("HapticSharpness", "⌖-1e400"))),
      "Event.EventParameters[0].ParameterValue: found -1e400; HapticSharpness goes from 0 to 1, so 0 is used"
    ),
    (
      buzz(parameters(("Sustained", "⌖0.5"))),
      "Event.EventParameters[0]: Sustained is 0 or 1; 0.5 counts as 1"
    ),
    (
      buzz(parameters(("Sustained", "⌖0.25"))),
      "Event.EventParameters[0]: Sustained is 0 or 1; 0.25 counts as 0"
    ),
    (
      buzz(", \"EventDuration\": ⌖0").replacing("\"EventDuration\": 1, ", with: ""),
      "Event.EventDuration: 0 s means no end; a HapticContinuous event needs a duration, without one it "
        + "fades out "
        + "after 30 s"
    ),
    (
      "{\"Event\": ⌖{\"Time\": 0, \"EventType\": \"HapticContinuous\"}}",
      "Event: no `EventDuration`; a HapticContinuous event needs a duration, without one it fades out "
        + "after 30 s"
    ),
    (
      "{\"Event\": {\"Time\": 0, \"EventType\": \"HapticContinuous\", \"EventDuration\": ⌖3.4e38}}",
      "Event.EventDuration: longer than 30 s; the event fades out 30 s after it begins"
    ),
    (
      "{\"Event\": {\"Time\": 0, \"EventType\": \"HapticContinuous\", \"EventDuration\": ⌖6e-5}}",
      "Event.EventDuration: shorter than half a frame, which is 0.0000625 s; nothing is played"
    ),
    (
      tap(", \"EventDuration\": ⌖0.1"),
      "Event.EventDuration: a HapticTransient has a length of its own; this can only move the pattern's end"
    ),
    (
      tap(", \"EventParameters\": [⌖{\"ParameterID\": \"ReleaseTime\", \"ParameterValue\": 1}]"),
      "Event.EventParameters: ReleaseTime has no effect on a HapticTransient, which ends by itself"
    ),
    (
      buzz(", \"EventParameters\": [⌖{\"ParameterID\": \"DecayTime\", \"ParameterValue\": 1}]"),
      "Event.EventParameters: DecayTime has no effect here; it acts where Sustained is 0"
    ),
    (
      buzz(
        ", \"EventParameters\": [{\"ParameterID\": \"Sustained\", \"ParameterValue\": 0}, "
          + "⌖{\"ParameterID\": \"ReleaseTime\", \"ParameterValue\": 1}]"),
      "Event.EventParameters: ReleaseTime acts on an event with Sustained 0 only where it ends before "
        + "its decay"
    ),
    (
      buzz(", \"EventParameters\": [⌖{\"ParameterID\": \"AudioPan\", \"ParameterValue\": 1}]"),
      "Event.EventParameters: AudioPan has no effect on a HapticContinuous event, only on sounds"
    ),
    (
      buzz(", \"EventWaveformLoopEnabled\": ⌖true"),
      "Event.EventWaveformLoopEnabled: EventWaveformLoopEnabled has no effect on a HapticContinuous "
        + "event, only on "
        + "AudioCustom"
    ),
    (
      "{\"Event\": ⌖{\"Time\": 0, \"EventType\": \"AudioContinuous\"}}",
      "Event: no `EventDuration`; an AudioContinuous event needs a duration, without one it fades out after 30 s"
    ),
    (
      "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioContinuous\", \"EventDuration\": 1, "
        + "\"EventParameters\": [⌖{\"ParameterID\": \"DecayTime\", \"ParameterValue\": 1}]}}",
      "Event.EventParameters: DecayTime has no effect here; it acts where Sustained is 0"
    ),
    (
      "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioCustom\", \"EventWaveformPath\": \"/proc/self/stat\", "
        + "\"EventWaveformUseVolumeEnvelope\": false, "
        + "\"EventParameters\": [⌖{\"ParameterID\": \"AttackTime\", \"ParameterValue\": 1}]}}",
      "Event.EventParameters: AttackTime has no effect; EventWaveformUseVolumeEnvelope is off"
    ),
    (
      "{\"Parameter\": ⌖{\"Time\": 0, \"ParameterID\": \"AudioPanControl\", \"ParameterValue\": 1}}",
      "Parameter: no effect, or only on a release; no sound begins or is held from here to the next "
        + "AudioPanControl"
    ),
  ]

  @Test(arguments: entries)
  func warnsOfAnEntry(entry: String, expected: String) throws {
    let (place, found) = try remarks(on: file(entry))
    let separator = expected.first?.isUppercase == true ? "." : ": "
    #expect(found.contains("\(place)warning: Pattern[0]\(separator)\(expected)"), "\(found)")
  }

  @Test func notesOtherTopLevelKeys() throws {
    let (place, found) = try remarks(on: "{\"Pattern\": [], ⌖\"Patern\": 1}")
    #expect(found == ["\(place)note: Patern: not a key of the top level, skipped; did you mean `Pattern`?"])
  }

  @Test func notesVersions() throws {
    var (place, found) = try remarks(on: "{\"Version\": ⌖\"1\", \"Pattern\": []}")
    #expect(
      found == [
        "\(place)warning: Version: found the text \"1\"; the version is a number such as 1.0, ignored"
      ])
    (place, found) = try remarks(on: "{\"Version\": ⌖2.5, \"Pattern\": []}")
    #expect(
      found == [
        "\(place)note: Version: version 2.5 is newer than 1.0; keys that this version of the format "
          + "does not have "
          + "are skipped"
      ])
  }

  @Test func notesTrailingCommasOnce() throws {
    let (place, found) = try remarks(on: "{\"Pattern\": [\(tap())⌖,],}")
    #expect(
      found == [
        "\(place)note: a comma before the closing bracket is accepted here, but not by strict JSON readers"
      ])
  }

  @Test func notesEntriesOfSeveralKinds() throws {
    let tap = String(tap().dropFirst().dropLast())
    let control = String(control("HapticIntensityControl", "1", at: "0").dropFirst().dropLast())
    let (place, found) = try remarks(on: file("⌖{\(tap), \(control)}"))
    #expect(found == ["\(place)note: Pattern[0]: one entry holds 2 kinds; all of them count"])
  }

  // MARK: - Curves and controls

  @Test func warnsOfCurvesWithoutPoints() throws {
    let (place, found) = try remarks(
      on: file(
        buzz(),
        "{\"ParameterCurve\": {\"ParameterID\": \"HapticIntensityControl\", \"Time\": 0, "
          + "\"ParameterCurveControlPoints\": ⌖[]}}"))
    let path = "Pattern[1].ParameterCurve.ParameterCurveControlPoints"
    #expect(found == ["\(place)warning: \(path): no control points; the curve has no effect"])
  }

  @Test func warnsOfPointsCountedFromThePattern() throws {
    let points = "⌖[{\"Time\": 1.5, \"ParameterValue\": 1}, {\"Time\": 2.5, \"ParameterValue\": 0}]"
    let entry =
      "{\"ParameterCurve\": {\"ParameterID\": \"HapticIntensityControl\", \"Time\": 1.5, "
      + "\"ParameterCurveControlPoints\": \(points)}}"
    let (place, found) = try remarks(on: file(buzz(", \"EventDuration\": 3"), entry))
    let path = "Pattern[1].ParameterCurve.ParameterCurveControlPoints"
    #expect(
      found.last
        == "\(place)warning: \(path): the points look counted from the pattern's start; they count from "
        + "the curve's "
        + "`Time`, so the last one comes at 4 s, not at 2.5 s")
    // Counted from the curve, as Apple's files have it: nothing to say.
    #expect(
      try ThrumPatternTests.remarks(file(buzz(), curve("HapticIntensityControl", at: "0.5", ("0", "1"))))
        == [])
  }

  @Test func warnsOfPointsOutOfOrderAndOfRange() throws {
    let text = file(buzz(), curve("HapticIntensityControl", at: "0", ("0.5", "1"), ("0.2", "⌖1.5")))
    let (place, found) = try remarks(on: text)
    let list = marked(text.replacing("⌖", with: "").replacing("[{\"Time\": 0.5", with: "⌖[{\"Time\": 0.5"))
      .place
    let path = "Pattern[1].ParameterCurve.ParameterCurveControlPoints"
    #expect(
      found == [
        "\(list)warning: \(path): points out of order; they are sorted by `Time`",
        "\(place)warning: \(path)[1].ParameterValue: found 1.5; HapticIntensityControl goes from 0 to "
          + "1, so 1 is used",
      ])
  }

  @Test func warnsOfControlsThatNoEventNotices() throws {
    func reach(_ entries: String...) throws -> [String] {
      try decode("{\"Pattern\": [\(entries.joined(separator: ", "))]}").diagnostics
        .filter { $0.message.contains("effect") }
        .map { "\($0.keyPath): \($0.message)" }
    }
    let intensity = "HapticIntensityControl"
    let none =
      "no effect, or only on a release; no haptic event begins or is held from here to the next \(intensity)"
    #expect(try reach(control(intensity, "0", at: "0")) == ["Pattern[0].Parameter: \(none)"])
    #expect(try reach(tap(), control(intensity, "0", at: "0")) == [])
    #expect(try reach(tap(), control(intensity, "0", at: "0.001")) == ["Pattern[1].Parameter: \(none)"])
    #expect(try reach(buzz(), control(intensity, "0", at: "1")) == [])
    #expect(try reach(buzz(), control(intensity, "0", at: "1.001")) == ["Pattern[1].Parameter: \(none)"])
    #expect(
      try reach(buzz(), curve(intensity, at: "2", ("0", "0"))) == ["Pattern[1].ParameterCurve: \(none)"])
    #expect(
      try reach(buzz(), control(intensity, "0", at: "0.5"), control(intensity, "1", at: "0.5")) == [
        "Pattern[1].Parameter: no effect; a later entry of the file sets \(intensity) at the same time"
      ])
    #expect(
      try reach(
        buzz(), curve(intensity, at: "0", ("0", "0"), ("0.5", "1")), control(intensity, "1", at: "0.25")) == [
          "Pattern[1].ParameterCurve: the points past 0.25 s have no effect; there the next "
            + "\(intensity) takes over"
        ])
    #expect(
      try reach(
        buzz(), curve(intensity, at: "0", ("0", "0"), ("0.5", "1")), curve(intensity, at: "0.5", ("0", "1")))
        == [])
    let attack = "HapticAttackTimeControl"
    #expect(
      try reach(buzz(), control(attack, "1", at: "0.1")) == [
        "Pattern[1].Parameter: no effect, or only on a release; no haptic event begins from here to the "
          + "next \(attack)"
      ])
    let decay = "HapticDecayTimeControl"
    #expect(
      try reach(buzz(), control(decay, "1", at: "0")) == [
        "Pattern[1].Parameter: no effect, or only on a release; no HapticTransient, or HapticContinuous with "
          + "Sustained 0, begins from here to the next \(decay)"
      ])
    #expect(try reach(tap(), control(decay, "1", at: "0")) == [])
    let release = "HapticReleaseTimeControl"
    #expect(try reach(buzz(), control(release, "1", at: "0.9")) == [])
    #expect(
      try reach(tap(), control(release, "1", at: "0")) == [
        "Pattern[1].Parameter: no effect, or only on a release; no HapticContinuous event is released "
          + "from here to "
          + "the next \(release)"
      ])
  }

  // MARK: - Sounds

  @Test func looksForSounds() throws {
    func sounds(_ path: String, folder: String?) throws -> [String] {
      try ThrumPatternTests.remarks(
        file(
          "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioCustom\", \"EventWaveformPath\": \"\(path)\"}}"),
        soundFolder: folder.map { FileName($0) }
      ).map { $0.split(separator: ": ", maxSplits: 3).last.map(String.init) ?? "" }
    }
    #expect(try sounds("self/stat", folder: "/proc").isEmpty)
    #expect(try sounds("/proc/self/stat", folder: nil).isEmpty)
    #expect(
      try sounds("gone.wav", folder: "/proc") == [
        "no file \"gone.wav\" in /proc; paths are relative to the pattern's folder"
      ])
    #expect(
      try sounds("gone.wav", folder: nil) == [
        "\"gone.wav\" was not looked up; a pattern that is not a file has no folder to look in"
      ])
    #expect(
      try sounds("self", folder: "/proc") == ["\"self\" is a folder; a sound file is needed"])
    #expect(
      try sounds("a\\u0000b", folder: "/proc") == ["\"a\\0b\" is not the path of a file"])
    #expect(
      try ThrumPatternTests.remarks(file("{\"Event\": {\"Time\": 0, \"EventType\": \"AudioCustom\"}}")).last
        == "t:2:11: warning: Pattern[0].Event: no `EventWaveformPath`; an AudioCustom event needs the "
        + "path of a sound "
        + "file")
  }
}
