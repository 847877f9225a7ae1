import Testing
import ThrumAudition
import ThrumPattern

/// What is added looks as its neighbours do, and what is removed takes only itself along.
@Suite struct EntryEditTests {
  @Test func addsATapLikeTheOthers() throws {
    let after = try edited(pretty, .addTransient(at: 0.1, intensity: 0.6, sharpness: 0.2))
    #expect(
      after
        == inserting(
          """
              {
                "Event": {
                  "Time": 0.1,
                  "EventType": "HapticTransient",
                  "EventParameters": [
                    { "ParameterID": "HapticIntensity", "ParameterValue": 0.6 },
                    { "ParameterID": "HapticSharpness", "ParameterValue": 0.2 }
                  ]
                }
              },

          """, before: "    {\n      \"_comment\""))
    #expect(document(after).entries.map(\.time) == [0, 0.1, 0.25, 0.25])
  }

  @Test func addsAVibrationBehindThoseThatBeginNoLater() throws {
    var document = document(pretty)
    let outcome = try document.apply(.addContinuous(at: 0.25, duration: 0.75, intensity: 1, sharpness: 0))
    #expect(outcome == EditOutcome(entry: 2, name: "new vibration"))
    #expect(
      document.text
        == inserting(
          """
              {
                "Event": {
                  "Time": 0.25,
                  "EventType": "HapticContinuous",
                  "EventDuration": 0.75,
                  "EventParameters": [
                    { "ParameterID": "HapticIntensity", "ParameterValue": 1.0 },
                    { "ParameterID": "HapticSharpness", "ParameterValue": 0.0 }
                  ]
                }
              },

          """, before: "    {\n      \"ParameterCurve\""))
  }

  private func inserting(_ block: String, before mark: String) -> String {
    pretty.replacing(mark, with: block + mark)
  }

  /// Texts, an edit, and the text that must come of it.
  static let additions: [(before: String, edit: PatternEdit, after: String)] = [
    (
      "{\"Pattern\":[]}", .addTransient(at: 1, intensity: 1, sharpness: 0.5),
      "{\"Pattern\":[{\"Event\":{\"Time\":1.0,\"EventType\":\"HapticTransient\",\"EventParameters\":["
        + "{\"ParameterID\":\"HapticIntensity\",\"ParameterValue\":1.0},"
        + "{\"ParameterID\":\"HapticSharpness\",\"ParameterValue\":0.5}]}}]}"
    ),
    (
      "{\n\t\"Pattern\": [\n\t]\n}\n", .addEvent(Event(type: .hapticTransient, time: 0)),
      "{\n\t\"Pattern\": [\n\t\t{\n\t\t\t\"Event\": {\n\t\t\t\t\"Time\": 0.0,\n"
        + "\t\t\t\t\"EventType\": \"HapticTransient\"\n\t\t\t}\n\t\t}\n\t]\n}\n"
    ),
    // A file of one line, from one of another type, with what is not wanted left out.
    (
      "{\"Pattern\": [{\"Event\": {\"x\": 1, \"EventType\": \"HapticContinuous\", \"Time\": 2, \"EventDuration\": 3, "
        + "\"EventParameters\": [{\"ParameterValue\": 0.25, \"ParameterID\": \"AttackTime\"}]}}]}",
      .addTransient(at: 1, intensity: 1, sharpness: 0),
      "{\"Pattern\": [{\"Event\": {\"EventType\": \"HapticTransient\", \"Time\": 1, "
        + "\"EventParameters\": [{\"ParameterValue\": 1.0, \"ParameterID\": \"HapticIntensity\"}, "
        + "{\"ParameterValue\": 0.0, \"ParameterID\": \"HapticSharpness\"}]}}, "
        + "{\"Event\": {\"x\": 1, \"EventType\": \"HapticContinuous\", \"Time\": 2, \"EventDuration\": 3, "
        + "\"EventParameters\": [{\"ParameterValue\": 0.25, \"ParameterID\": \"AttackTime\"}]}}]}"
    ),
    // Commas before lines.
    (
      "{\"Pattern\":\n  [ {\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\"}}\n"
        + "  , {\"Event\":{\"Time\":2,\"EventType\":\"HapticTransient\"}}\n  ]}",
      .addEvent(Event(type: .hapticTransient, time: 3)),
      "{\"Pattern\":\n  [ {\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\"}}\n"
        + "  , {\"Event\":{\"Time\":2,\"EventType\":\"HapticTransient\"}}\n"
        + "  , {\"Event\":{\"Time\":3,\"EventType\":\"HapticTransient\"}}\n  ]}"
    ),
    // Behind the last of its id that is no later, so that it counts.
    (
      file(control("0.5", at: "1"), control("0.75", at: "1"), control("1", at: "2")),
      .addParameter(DynamicParameter(id: .hapticIntensityControl, value: 0.25, time: 1)),
      file(control("0.5", at: "1"), control("0.75", at: "1"), control("0.25", at: "1"), control("1", at: "2"))
    ),
    (
      file("{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\"}}"),
      .addParameter(DynamicParameter(id: .hapticIntensityControl, value: 0.25, time: 0)),
      file("{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\"}}", control("0.25", at: "0"))
    ),
    (
      "{\r\n  \"Pattern\": [\r\n  ]\r\n}",
      .addCurve(
        ParameterCurve(
          id: .hapticSharpnessControl, time: 0.5,
          points: [.init(time: 1, value: -0.5), .init(time: 0, value: 0)])),
      "{\r\n  \"Pattern\": [\r\n    {\r\n      \"ParameterCurve\": {\r\n"
        + "        \"ParameterID\": \"HapticSharpnessControl\",\r\n        \"Time\": 0.5,\r\n"
        + "        \"ParameterCurveControlPoints\": [\r\n"
        + "          {\"Time\": 0.0, \"ParameterValue\": 0.0},\r\n"
        + "          {\"Time\": 1.0, \"ParameterValue\": -0.5}\r\n        ]\r\n      }\r\n    }\r\n  ]\r\n}"
    ),
  ]

  private static func control(_ value: String, at time: String) -> String {
    "{\"Parameter\":{\"ParameterID\":\"HapticIntensityControl\",\"ParameterValue\":\(value),\"Time\":\(time)}}"
  }

  @Test(arguments: additions) func adds(_ before: String, _ edit: PatternEdit, _ after: String) throws {
    #expect(try edited(before, edit) == after)
  }

  @Test func addsACurveLikeTheOthers() throws {
    let curve = ParameterCurve(
      id: .hapticSharpnessControl, time: 0.5,
      points: [.init(time: 0, value: 0), .init(time: 0.2, value: -1), .init(time: 0.4, value: 1)])
    var document = document(pretty)
    let outcome = try document.apply(.addCurve(curve))
    #expect(outcome.entry == 3)
    #expect(document.entries[3].content == .curve(curve))
    #expect(
      document.text
        == inserting(
          """
          ,
              {
                "ParameterCurve": {
                  "ParameterID": "HapticSharpnessControl",
                  "Time": 0.5,
                  "ParameterCurveControlPoints": [
                    { "Time": 0, "ParameterValue": 0.0 },
                    { "Time": 0.2, "ParameterValue": -1.0 },
                    { "Time": 0.4, "ParameterValue": 1.0 }
                  ]
                }
              }
          """, before: "\n  ]\n}\n"))
  }

  @Test(arguments: [
    (0, "a,b,c", "b,c"), (1, "a,b,c", "a,c"), (2, "a,b,c", "a,b"), (0, "a", ""), (0, "a,", ""),
    (1, "a,b,", "a,"),
    (0, "\n a,\n b\n", "\n b\n"), (1, "\n a,\n b\n", "\n a\n"), (1, "\n  a\n, b\n, c\n", "\n  a\n, c\n"),
    (0, " a ", ""),
  ])
  func removes(_ entry: Int, _ before: String, _ after: String) throws {
    func expanded(_ list: String) -> String {
      let text = list.map { letter in
        letter.isLetter
          ? "{\"//\":\"\(letter)\",\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":1}}" : "\(letter)"
      }
      return "{\"Pattern\":[\(text.joined())]}"
    }
    #expect(try edited(expanded(before), .remove(entry)) == expanded(after))
  }

  @Test func removesOneOfTwoKindsInAnEntry() throws {
    let event = "\"Event\": {\"EventType\": \"HapticTransient\", \"Time\": 1}"
    let control =
      "\"Parameter\": {\"ParameterID\": \"HapticIntensityControl\", \"ParameterValue\": 1, \"Time\": 0}"
    let both = file("{\(event), \(control)}")
    #expect(try edited(both, .remove(0)) == file("{\(control)}"))
    #expect(try edited(both, .remove(1)) == file("{\(event)}"))
    // The earlier of two must not come back.
    #expect(try edited(file("{\(event), \(control), \(event)}"), .remove(1)) == file("{\(control)}"))
  }

  // MARK: - Points

  @Test func addsMovesAndRemovesPoints() throws {
    var document = document(pretty)
    var outcome = try document.apply(.addPoint(.init(time: 0.25, value: 0.75), to: 2))
    #expect(outcome == EditOutcome(entry: 2, point: 1, name: "new point"))
    #expect(addedLines(pretty, document.text) == "          { \"Time\": 0.25, \"ParameterValue\": 0.75 },")
    // Past its neighbour, and the text stays in order.
    outcome = try document.apply(.movePoint(1, of: 2, to: .init(time: 0.8, value: 0.5)))
    #expect(outcome.point == 2)
    #expect(addedLines(pretty, document.text) == "          { \"Time\": 0.8, \"ParameterValue\": 0.5 }")
    #expect(document.entries[2].points.map(\.time) == [0, 0.5, 0.8])
    outcome = try document.apply(.removePoint(0, of: 2))
    #expect(outcome.point == 0)
    #expect(document.entries[2].points.map(\.time) == [0.5, 0.8])
    try document.apply(.removePoint(1, of: 2))
    #expect(refusal(document.text, .removePoint(0, of: 2))?.hasPrefix("a curve without points") ?? false)
    while document.undo() != nil {}
    #expect(document.text == pretty)
  }

  @Test func leavesPointsThatAreOutOfOrderAsTheyStand() throws {
    let text = curve(
      "{\"Time\":2,\"ParameterValue\":1}", "{\"Time\":0,\"ParameterValue\":0}",
      "{\"Time\":1,\"ParameterValue\":0.5}")
    #expect(
      try edited(text, .set(.pointValue(1), of: 0, to: 0.25))
        == curve(
          "{\"Time\":2,\"ParameterValue\":1}", "{\"Time\":0,\"ParameterValue\":0}",
          "{\"Time\":1,\"ParameterValue\":0.25}"))
    #expect(
      try edited(text, .removePoint(2, of: 0))
        == curve("{\"Time\":0,\"ParameterValue\":0}", "{\"Time\":1,\"ParameterValue\":0.5}"))
  }

  @Test func givesACurveWithoutPointsItsFirst() throws {
    let text = file("{\"ParameterCurve\": {\"ParameterID\": \"HapticIntensityControl\", \"Time\": 0}}")
    let after = try edited(text, .addPoint(.init(time: 0, value: 1), to: 0))
    #expect(document(after).entries[0].points == [.init(time: 0, value: 1)])
  }

  private func curve(_ points: String...) -> String {
    file(
      "{\"ParameterCurve\":{\"ParameterID\":\"HapticIntensityControl\",\"Time\":0,"
        + "\"ParameterCurveControlPoints\":[\(points.joined(separator: ","))]}}")
  }
}
