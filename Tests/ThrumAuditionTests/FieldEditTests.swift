import Testing
import ThrumAudition
import ThrumPattern

/// A change of a number changes its digits, and nothing else of the text.
@Suite struct FieldEditTests {
  @Test(arguments: [
    (PatternEdit.set(.time, of: 0, to: 0.125), "\"Time\": 0.125,"),
    (.nudge(.time, of: 1, by: 0.01), "\"Time\": 0.26,"),
    (.nudge(.time, of: 1, by: -1), "\"Time\": 0.0,"),
    (.set(.time, of: 1, to: 0.1 + 0.2), "\"Time\": 0.3,"),
    (.set(.duration, of: 1, to: 2), "\"EventDuration\": 2.0,"),
    (.nudge(.duration, of: 1, by: -9), "\"EventDuration\": 0.001,"),
    (.nudge(.duration, of: 1, by: 99), "\"EventDuration\": 30.0,"),
    (
      .nudge(.intensity, of: 0, by: 0.05),
      "{ \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 0.85 },"
    ),
    (.nudge(.intensity, of: 0, by: 5), "{ \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 1.0 },"),
    (
      .set(.sharpness, of: 0, to: Double(Float(0.1))),
      "{ \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": 0.1 }"
    ),
    (.set(.time, of: 2, to: 0.5), "\"Time\": 0.5,"),
    (.set(.pointValue(0), of: 2, to: 0), "{ \"Time\": 0, \"ParameterValue\": 0.0 },"),
    (.nudge(.pointTime(1), of: 2, by: -0.05), "{ \"Time\": 0.45, \"ParameterValue\": 1.0 }"),
    (.movePoint(1, of: 2, to: .init(time: 0.75, value: 0.9)), "{ \"Time\": 0.75, \"ParameterValue\": 0.9 }"),
  ])
  func changesOneNumber(_ edit: PatternEdit, _ line: String) throws {
    let after = try edited(pretty, edit)
    #expect(changedLines(pretty, after) == [line])
  }

  /// Texts, an edit, and the text that must come of it.
  static let styles: [(before: String, edit: PatternEdit, after: String)] = [
    // Digits as they were: none, two kept by zeros, nine, an exponent of either letter.
    (tap("1"), .nudge(.intensity, of: 0, by: -0.1), tap("0.9")),
    (tap("0.5"), .nudge(.intensity, of: 0, by: 0.5), tap("1.0")),
    (tap("0.50"), .nudge(.intensity, of: 0, by: 0.1), tap("0.60")),
    (tap("0.123456"), .nudge(.intensity, of: 0, by: 0.05), tap("0.173456")),
    (tap("5e-1"), .nudge(.intensity, of: 0, by: 0.05), tap("5.5e-1")),
    (tap("2.5E-01"), .nudge(.intensity, of: 0, by: 0.25), tap("5.0E-01")),
    (tap("1E0"), .nudge(.intensity, of: 0, by: -0.75), tap("0.25E0")),
    (tap("0.05e+1"), .set(.intensity, of: 0, to: 1), tap("0.1e+1")),
    // A Float that a program wrote as a Double.
    (tap("0.10000000149011612"), .nudge(.intensity, of: 0, by: 0.1), tap("0.2")),
    (tap("0.699999988079071"), .nudge(.intensity, of: 0, by: 0.01), tap("0.71")),
    // Beyond the range, where the nearer end is what counts.
    (tap("1.7"), .nudge(.intensity, of: 0, by: -0.05), tap("0.95")),
    (tap("-3"), .nudge(.intensity, of: 0, by: 0.05), tap("0.05")),
    // The one that counts of several.
    (
      file("{\"Event\": {\"Time\": 1, \"EventType\": \"HapticTransient\", \"Time\": 2}}"),
      .nudge(.time, of: 0, by: 1),
      file("{\"Event\": {\"Time\": 1, \"EventType\": \"HapticTransient\", \"Time\": 3}}")
    ),
    (
      file(
        "{\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":1},\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":4}}"
      ),
      .nudge(.time, of: 0, by: 1),
      file(
        "{\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":1},\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":5}}"
      )
    ),
    (
      "{\"Pattern\":[],\"Pattern\":[{\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":1}}]}",
      .set(.time, of: 0, to: 0),
      "{\"Pattern\":[],\"Pattern\":[{\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":0}}]}"
    ),
    // Keys and ids with escapes in them.
    (
      file("{\"\\u0045vent\": {\"\\u0054ime\": 1, \"EventType\": \"Haptic\\u0054ransient\"}}"),
      .set(.time, of: 0, to: 2),
      file("{\"\\u0045vent\": {\"\\u0054ime\": 2, \"EventType\": \"Haptic\\u0054ransient\"}}")
    ),
    // Commas, brackets and quotes in texts that nobody reads.
    (
      "{\"Metadata\":{\"a\":\"]}\\\"[{,\",\"\\\\\":[[],{}]},\"Pattern\":[{\"x\":\"}\",\"Event\":{\"Time\":1,\"EventType\":\"HapticTransient\"}}],\"z\":null}",
      .set(.time, of: 0, to: 2),
      "{\"Metadata\":{\"a\":\"]}\\\"[{,\",\"\\\\\":[[],{}]},\"Pattern\":[{\"x\":\"}\",\"Event\":{\"Time\":2,\"EventType\":\"HapticTransient\"}}],\"z\":null}"
    ),
    // Tabs, carriage returns, a byte order mark, space behind lines, no line end at the end, a comma too
    // many.
    (
      "\u{FEFF}{\t\"Pattern\":\t[\r\n\t\t{\"Event\":{\"Time\" : 1 ,\"EventType\":\"HapticTransient\" } } , \r\n\t]}  \r\n\r\n",
      .set(.time, of: 0, to: 2.5),
      "\u{FEFF}{\t\"Pattern\":\t[\r\n\t\t{\"Event\":{\"Time\" : 2.5 ,\"EventType\":\"HapticTransient\" } } , \r\n\t]}  \r\n\r\n"
    ),
    // What is not there yet.
    (
      file("{\"Event\": {\"EventType\": \"HapticTransient\"}}"), .set(.time, of: 0, to: 2),
      file("{\"Event\": {\"Time\": 2.0, \"EventType\": \"HapticTransient\"}}")
    ),
    (
      file("{\"Event\":{\"EventType\":\"HapticTransient\"}}"), .set(.time, of: 0, to: 2),
      file("{\"Event\":{\"Time\":2.0,\"EventType\":\"HapticTransient\"}}")
    ),
    (
      file("{\"Event\": {\"Time\": 0, \"EventType\": \"HapticContinuous\"}}"),
      .nudge(.duration, of: 0, by: -28),
      file("{\"Event\": {\"Time\": 0, \"EventType\": \"HapticContinuous\", \"EventDuration\": 2}}")
    ),
    (
      file(
        "{\"Event\": {\"Time\": 0, \"EventType\": \"HapticTransient\", \"EventParameters\": [{\"ParameterID\": \"HapticIntensity\"}]}}"
      ),
      .set(.intensity, of: 0, to: 0.5),
      file(
        "{\"Event\": {\"Time\": 0, \"EventType\": \"HapticTransient\", \"EventParameters\": [{\"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 0.5}]}}"
      )
    ),
    (
      file("{\"Parameter\":{\"ParameterID\":\"HapticSharpnessControl\",\"ParameterValue\":0.25,\"Time\":1}}"),
      .nudge(.value, of: 0, by: -0.5),
      file("{\"Parameter\":{\"ParameterID\":\"HapticSharpnessControl\",\"ParameterValue\":-0.25,\"Time\":1}}")
    ),
    (
      file("{\"Parameter\":{\"ParameterID\":\"HapticSharpnessControl\",\"ParameterValue\":0.25}}"),
      .nudge(.time, of: 0, by: 0.5),
      file(
        "{\"Parameter\":{\"ParameterID\":\"HapticSharpnessControl\",\"ParameterValue\":0.25,\"Time\":0.5}}")
    ),
  ]

  private static func tap(_ intensity: String) -> String {
    file(
      "{\"Event\": {\"Time\": 0, \"EventType\": \"HapticTransient\", \"EventParameters\": ["
        + "{\"ParameterID\": \"HapticIntensity\", \"ParameterValue\": \(intensity)}]}}")
  }

  @Test(arguments: styles) func keepsTheStyle(_ before: String, _ edit: PatternEdit, _ after: String) throws {
    #expect(try edited(before, edit) == after)
  }

  @Test func addsAParameterAsItsNeighboursAreWritten() throws {
    #expect(
      addedLines(pretty, try edited(pretty, .set(.sharpness, of: 1, to: 0.3)))
        == "          { \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": 0.3 }")
    // From the default that counted until then.
    let nudged = try edited(pretty, .nudge(.sharpness, of: 1, by: -0.1))
    #expect(nudged.contains("{ \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": 0.322601 }"))
  }

  @Test func addsAListOfParametersAsAnotherEventHasIt() throws {
    let bare =
      "    {\n      \"Event\": {\n        \"Time\": 3.0,\n"
      + "        \"EventType\": \"HapticTransient\"\n      }\n    },\n"
    let text = pretty.replacing("  \"Pattern\": [\n", with: "  \"Pattern\": [\n" + bare)
    let after = try edited(text, .set(.intensity, of: 0, to: 0.7))
    #expect(
      addedLines(text, after) == """
                "EventParameters": [
                  { "ParameterID": "HapticIntensity", "ParameterValue": 0.7 }
                ]
        """)
  }

  @Test func addsAListOfParametersWhereNoEventHasOne() throws {
    let line = "{\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\"}}]}"
    #expect(
      try edited(line, .set(.intensity, of: 0, to: 1))
        == "{\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\","
        + "\"EventParameters\":[{\"ParameterID\":\"HapticIntensity\",\"ParameterValue\":1.0}]}}]}")
    let lines =
      "{\n\t\"Pattern\": [\n\t\t{\n\t\t\t\"Event\": {\n\t\t\t\t\"Time\": 0,\n"
      + "\t\t\t\t\"EventType\": \"HapticTransient\"\n\t\t\t}\n\t\t}\n\t]\n}"
    #expect(
      addedLines(lines, try edited(lines, .set(.intensity, of: 0, to: 0.5)))
        == "\t\t\t\t\"EventParameters\": [\n"
        + "\t\t\t\t\t{\"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 0.5}\n\t\t\t\t]")
  }

  @Test func takesAParameterAway() throws {
    let after = try edited(pretty, .clear(.intensity, of: 0))
    #expect(
      addedLines(after, pretty)
        == "          { \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 0.8 },")
    let none = try edited(after, .clear(.sharpness, of: 0))
    #expect(none.contains("\"Time\": 0.0,\n        \"EventType\": \"HapticTransient\"\n      }\n    },\n"))
  }

  @Test func saysWhatWasClampedAndWhatDidNothing() throws {
    var document = document(pretty)
    var outcome = try document.apply(.set(.intensity, of: 0, to: 4))
    #expect(outcome == EditOutcome(entry: 0, isClamped: true, name: "intensity"))
    outcome = try document.apply(.nudge(.intensity, of: 0, by: 0.1))
    #expect(outcome == EditOutcome(entry: 0, isChanged: false, isClamped: true, name: "intensity"))
    outcome = try document.apply(.set(.time, of: 0, to: 0))
    #expect(!outcome.isChanged && !outcome.isClamped)
    #expect(document.undo()?.name == "intensity")
    #expect(document.undo() == nil)
  }

  @Test(arguments: [
    (PatternEdit.set(.duration, of: 0, to: 1), "a HapticTransient has a length of its own"),
    (.set(.duration, of: 2, to: 1), "only events have a duration"),
    (.set(.intensity, of: 2, to: 1), "only events have intensity"),
    (.set(.value, of: 0, to: 1), "only dynamic parameters have a single value"),
    (.set(.parameter(.audioPan), of: 0, to: 1), "AudioPan has no effect on a HapticTransient"),
    (.set(.parameter(.sustained), of: 0, to: 1), "Sustained has no effect on a HapticTransient"),
    (.set(.pointTime(0), of: 0, to: 1), "only a curve has points"),
    (.set(.pointTime(2), of: 2, to: 1), "there is no point 2; the curve has 2"),
    (.set(.time, of: 3, to: 1), "there is no entry 3; the pattern has 3"),
    (.set(.time, of: -1, to: 1), "there is no entry -1"),
    (.set(.time, of: 0, to: .nan), "a finite number is needed"),
    (.nudge(.time, of: 0, by: .infinity), "a finite number is needed"),
    (.clear(.duration, of: 1), "a HapticContinuous needs a duration"),
    (.clear(.duration, of: 0), "the event has no duration"),
    (.clear(.sharpness, of: 1), "the event carries no HapticSharpness"),
    (.clear(.time, of: 1), "only a duration or a parameter"),
    (.addCurve(ParameterCurve(id: .hapticIntensityControl, time: 0, points: [])), "a curve without points"),
    (.addEvent(Event(type: .audioCustom, time: 0)), "only events that are felt can be added here"),
    (.addTransient(at: .nan, intensity: 1, sharpness: 1), "a finite number is needed"),
    (.remove(7), "there is no entry 7"),
  ])
  func refuses(_ edit: PatternEdit, _ words: String) {
    let message = refusal(pretty, edit)
    #expect(message?.hasPrefix(words) ?? false, "\(message ?? "not refused")")
  }
}
