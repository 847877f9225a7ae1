import Testing
import ThrumPattern

/// What is refused, with the exact line that `check` prints: place, key path, what was found, what is right,
/// code.
@Suite struct RefusalTests {
  @Test(arguments: [
    ("", "t:1:1: error: the file is empty; an AHAP file is an object with a `Pattern` list (-4813)"),
    (
      " \n\t",
      "t:1:1: error: the file holds only space; an AHAP file is an object with a `Pattern` list (-4813)"
    ),
    ("[]", "t:1:1: error: found a list; an object with a `Pattern` list is right here (-4814)"),
    ("12.5", "t:1:1: error: found the number 12.5; an object with a `Pattern` list is right here (-4814)"),
    ("nope", "t:1:1: error: found `nope`, where a value belongs; text takes double quotes (-4813)"),
    ("{}", "t:1:1: error: no `Pattern`; a list of events and curves is needed (-4814)"),
    (
      "{\"Pattern\": {}}",
      "t:1:13: error: Pattern: found an object; a list of entries, `[…]`, is right here (-4814)"
    ),
    (
      "{\"Pattern\": [3]}",
      "t:1:14: error: Pattern[0]: found the number 3; an object with `Event`, `Parameter` or "
        + "`ParameterCurve` "
        + "is right here (-4814)"
    ),
    (
      "{\"Pattern\": [{\"Event\": []}]}",
      "t:1:24: error: Pattern[0].Event: found a list; an event, `{…}`, is right here (-4814)"
    ),
    (
      "{\"Pattern\": []} {}",
      "t:1:17: error: found `{}` after the end; one object is the whole file (-4813)"
    ),
    (
      "{\"Pattern\": []",
      "t:1:15: error: Pattern: the file ends where a comma or `}` belongs; it may be cut off (-4813)"
    ),
    (
      "{\"Pattern\": [{\"Event\"",
      "t:1:22: error: Pattern[0].Event: the file ends where a colon after the key belongs; it may be cut off "
        + "(-4813)"
    ),
    (
      "{\"Pattern\": [{\"Eve",
      "t:1:15: error: Pattern[0]: the file ends inside this text; it may be cut off (-4813)"
    ),
    (
      "{\"Pattern\n\": []}",
      "t:1:2: error: this text is not closed on its line; a closing quote is missing (-4813)"
    ),
    (
      "{\"a\tb\": []}",
      "t:1:4: error: found the control character 0x09 in a text; write it as an escape (-4813)"
    ),
    ("{\"a\\x\": 1}", "t:1:4: error: `\\x` is no escape; a backslash is written as `\\\\` (-4813)"),
    ("{\"\\u12g4\": 1}", "t:1:3: error: the escape `\\u` takes four hexadecimal digits (-4813)"),
    (
      "{Pattern: []}",
      "t:1:2: error: found `Pattern`, where a key in double quotes belongs; text takes double quotes (-4813)"
    ),
    (
      "{'Pattern': []}",
      "t:1:2: error: found a single quote, where a key in double quotes belongs; text takes double "
        + "quotes (-4813)"
    ),
    ("{\"Pattern\" []}", "t:1:12: error: Pattern: found `[`, where a colon after the key belongs (-4813)"),
    ("{\"Pattern\": [,]}", "t:1:14: error: Pattern[0]: found `,`, where a value belongs (-4813)"),
    (
      "{\"Pattern\": [] \"Version\": 1}",
      "t:1:16: error: Pattern: found `\"`, where a comma or `}` belongs (-4813)"
    ),
    ("{\"Pattern\": [},]}", "t:1:14: error: Pattern[0]: found `}`, where a value belongs (-4813)"),
    (
      "// a\n{}",
      "t:1:1: error: found a comment, where a value belongs; AHAP has no comments, remove it (-4813)"
    ),
    (
      "{\"Version\": 1, /* a */ \"Pattern\": []}",
      "t:1:16: error: Version: found a comment, where a key in double quotes belongs; AHAP has no comments, "
        + "remove it (-4813)"
    ),
    ("\u{0}", "t:1:1: error: found the byte 0x00, where a value belongs (-4813)"),
    (
      "{\"Pattern\": []}\u{0}",
      "t:1:16: error: found `\\0` after the end; one object is the whole file (-4813)"
    ),
  ])
  func refusesWhatIsNotAPattern(text: String, expected: String) {
    #expect(refusal(text) == expected)
  }

  @Test(arguments: [
    ("NaN", "found `NaN`, where a value belongs; every number is finite (-4813)"),
    ("-Infinity", "`-Infinity` is not a number; a digit is missing (-4813)"),
    ("+1", "found `+1`, where a value belongs; a number begins with a digit or a minus (-4813)"),
    (".5", "found `.5`, where a value belongs; a number begins with a digit or a minus (-4813)"),
    ("5.", "`5.` is not a number; a digit is missing after the point (-4813)"),
    ("007", "`007` is not a number; a number has no leading zeros (-4813)"),
    ("0x10", "`0x10` is not a number; write it like 0.5 or 5e-1 (-4813)"),
    ("1e", "`1e` is not a number; a digit is missing in the exponent (-4813)"),
    ("1.2.3", "`1.2.3` is not a number; write it like 0.5 or 5e-1 (-4813)"),
    ("-", "`-` is not a number; a digit is missing (-4813)"),
    ("\"0.0\"", "found the text \"0.0\"; a number without quotes is right here (-4814)"),
    ("null", "found null; a number without quotes is right here (-4814)"),
    ("true", "found true; a number without quotes is right here (-4814)"),
    ("[0]", "found a list; a number without quotes is right here (-4814)"),
    ("-0.5", "found -0.5; a time is 0 s or later (-4822)"),
    ("1e400", "found 1e400; the last possible time is 1125899906842.624 s (-4822)"),
    ("3.4028235e38", "found 3.4028235e38; the last possible time is 1125899906842.624 s (-4822)"),
    ("1125899906842.625", "found 1125899906842.625; the last possible time is 1125899906842.624 s (-4822)"),
  ])
  func refusesATime(value: String, expected: String) {
    let (text, place) = marked(
      file("{\"Event\": {\"EventType\": \"HapticTransient\", \"Time\": ⌖\(value)}}"))
    #expect(refusal(text) == "\(place)error: Pattern[0].Event.Time: \(expected)")
  }

  @Test func namesADecimalComma() {
    #expect(
      refusal(file(tap(), "{\"Event\": {\"Time\": 0,5}}"))
        == "t:3:22: error: Pattern[1].Event.Time: found `5`, where a key in double quotes belongs; "
        + "numbers take a point, not a decimal comma (-4813)")
  }

  @Test(arguments: ["Parameter", "ParameterCurve"])
  func refusesTheTimesOfControls(entry: String) {
    let (text, place) = marked(
      file("{\"\(entry)\": {\"ParameterID\": \"HapticIntensityControl\", \"Time\": ⌖-1}}"))
    #expect(
      refusal(text) == "\(place)error: Pattern[0].\(entry).Time: found -1; a time is 0 s or later (-4822)")
  }

  @Test func refusesTheTimeOfAPoint() {
    let (text, place) = marked(
      file(curve("HapticIntensityControl", at: "0", ("0", "1"), ("⌖-0.1", "1"))))
    #expect(
      refusal(text)
        == "\(place)error: Pattern[0].ParameterCurve.ParameterCurveControlPoints[1].Time: found -0.1; "
        + "a time is 0 s or later (-4822)")
  }

  @Test(arguments: [
    ("-1.0", "found -1.0; a duration is 0 s or more (-4823)"),
    ("1e999", "found 1e999; the longest possible is 1.7e308 s (-4823)"),
    ("\"1\"", "found the text \"1\"; a number without quotes is right here (-4814)"),
  ])
  func refusesADuration(value: String, expected: String) {
    #expect(
      refusal(file("{\"Event\": {\"EventDuration\": \(value)}}"))
        == "t:2:29: error: Pattern[0].Event.EventDuration: \(expected)")
  }

  @Test(arguments: [
    (
      "HapticSparkle",
      "use HapticTransient, HapticContinuous, AudioContinuous or AudioCustom"
    ), ("hapticTransient", "did you mean HapticTransient?"), ("Continuous", "did you mean HapticContinuous?"),
    ("HapticTransiant", "did you mean HapticTransient?"),
  ])
  func refusesAnEventType(type: String, advice: String) {
    let (text, place) = marked(file(tap(), "{\"Event\": {\"Time\": 0, \"EventType\": ⌖\"\(type)\"}}"))
    #expect(
      refusal(text)
        == "\(place)error: Pattern[1].Event.EventType: \"\(type)\" is not an event type; \(advice) (-4821)")
  }

  @Test func refusesAnEventWithoutType() {
    #expect(
      refusal(file("{\"Event\": {\"Time\": 0}}"))
        == "t:2:11: error: Pattern[0].Event: no `EventType`; use HapticTransient, HapticContinuous, "
        + "AudioContinuous or AudioCustom (-4830)")
  }

  @Test(arguments: [
    ("HapticAttackTime", "is not an event parameter; did you mean AttackTime?"),
    ("HapticDecayTime", "is not an event parameter; did you mean DecayTime?"),
    ("HapticReleaseTime", "is not an event parameter; did you mean ReleaseTime?"),
    ("hapticIntensity", "is not an event parameter; did you mean HapticIntensity?"),
    ("Sharpness", "is not an event parameter; did you mean HapticSharpness?"),
    ("HapticIntensty", "is not an event parameter; did you mean HapticIntensity?"),
    (
      "HapticLoudness",
      "is not an event parameter; use HapticIntensity, HapticSharpness, AttackTime, DecayTime, ReleaseTime, "
        + "Sustained, AudioVolume, AudioPitch, AudioPan or AudioBrightness"
    ),
    (
      "HapticIntensityControl",
      "is a control, not an event parameter; it belongs in a `Parameter` or `ParameterCurve` entry"
    ),
  ])
  func refusesAnEventParameter(id: String, expected: String) {
    let (text, place) = marked(file(tap(", \"EventParameters\": [{\"ParameterID\": ⌖\"\(id)\"}]")))
    #expect(
      refusal(text)
        == "\(place)error: Pattern[0].Event.EventParameters[0].ParameterID: \"\(id)\" \(expected) (-4820)")
  }

  @Test(arguments: [
    ("HapticIntensity", "is an event parameter; the control is named HapticIntensityControl"),
    ("hapticIntensityControl", "is not a control; did you mean HapticIntensityControl?"),
    ("IntensityControl", "is not a control; did you mean HapticIntensityControl?"),
    (
      "Sustained",
      "is not a control; use HapticIntensityControl, HapticSharpnessControl, HapticAttackTimeControl, "
        + "HapticDecayTimeControl, HapticReleaseTimeControl, AudioVolumeControl, AudioPanControl, "
        + "AudioBrightnessControl, AudioPitchControl, AudioAttackTimeControl, AudioDecayTimeControl or "
        + "AudioReleaseTimeControl"
    ),
  ])
  func refusesAControl(id: String, expected: String) {
    #expect(
      refusal(file(control(id, "1", at: "0")))
        == "t:2:31: error: Pattern[0].Parameter.ParameterID: \"\(id)\" \(expected) (-4820)")
    #expect(
      refusal(file(curve(id, at: "0", ("0", "1"))))
        == "t:2:36: error: Pattern[0].ParameterCurve.ParameterID: \"\(id)\" \(expected) (-4820)")
  }

  @Test func refusesParametersWithoutIDOrValue() {
    let ids =
      "HapticIntensityControl, HapticSharpnessControl, HapticAttackTimeControl, HapticDecayTimeControl, "
      + "HapticReleaseTimeControl, AudioVolumeControl, AudioPanControl, AudioBrightnessControl, "
      + "AudioPitchControl, AudioAttackTimeControl, AudioDecayTimeControl or AudioReleaseTimeControl"
    #expect(
      refusal(file("{\"Parameter\": {\"Time\": 0, \"ParameterValue\": 1}}"))
        == "t:2:15: error: Pattern[0].Parameter: no `ParameterID`; use \(ids) (-4831)")
    #expect(
      refusal(file("{\"Parameter\": {\"Time\": 0, \"ParameterID\": \"HapticIntensityControl\"}}"))
        == "t:2:15: error: Pattern[0].Parameter: no `ParameterValue`; a number is needed (-4831)")
    #expect(
      refusal(file("{\"ParameterCurve\": {\"Time\": 0, \"ParameterCurveControlPoints\": []}}"))
        == "t:2:20: error: Pattern[0].ParameterCurve: no `ParameterID`; use \(ids) (-4831)")
    #expect(
      refusal(file(tap(", \"EventParameters\": [{\"ParameterValue\": 1}]")))
        == "t:2:75: error: Pattern[0].Event.EventParameters[0]: no `ParameterID`; use HapticIntensity, "
        + "HapticSharpness, AttackTime, DecayTime, ReleaseTime, Sustained, AudioVolume, AudioPitch, AudioPan "
        + "or AudioBrightness (-4831)")
    #expect(
      refusal(
        file(
          "{\"ParameterCurve\": {\"ParameterID\": \"HapticIntensityControl\", "
            + "\"ParameterCurveControlPoints\": [{\"Time\": 0}]}}"))
        == "t:2:94: error: Pattern[0].ParameterCurve.ParameterCurveControlPoints[0]: no `ParameterValue`; "
        + "a control point needs a number (-4831)")
  }

  @Test(arguments: [
    ("EventWaveformPath", "3", "found the number 3; a text in double quotes is right here"),
    ("EventWaveformLoopEnabled", "\"yes\"", "found the text \"yes\"; true or false is right here"),
    ("EventWaveformUseVolumeEnvelope", "2", "found the number 2; true or false is right here"),
    ("EventParameters", "{}", "found an object; a list, `[…]`, is right here"),
    ("EventType", "null", "found null; a text in double quotes is right here"),
  ])
  func refusesWrongKinds(key: String, value: String, expected: String) {
    let text = file("{\"Event\": {\"\(key)\": \(value)}}")
    let column = 16 + key.utf8.count
    #expect(refusal(text) == "t:2:\(column): error: Pattern[0].Event.\(key): \(expected) (-4814)")
  }

  @Test func refusesOtherEncodings() {
    let text = file(tap())
    let sixteen = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let expected16 = "t:1:1: error: this is UTF-16 text; an AHAP file is UTF-8 (-4813)"
    let expected32 = "t:1:1: error: this is UTF-32 text; an AHAP file is UTF-8 (-4813)"
    #expect(refusal([0xFF, 0xFE] + sixteen) == expected16)
    #expect(refusal(sixteen) == expected16)
    #expect(refusal([0xFE, 0xFF, 0, 0x7B]) == expected16)
    #expect(refusal([0, 0x7B, 0, 0x22]) == expected16)
    #expect(refusal([0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0]) == expected32)
    #expect(refusal([0, 0, 0xFE, 0xFF]) == expected32)
    #expect(refusal([0x7B, 0, 0, 0]) == expected32)
  }

  @Test func showsNothingATerminalWouldActOn() {
    let text = "{\"Pattern\": [], \"\\u001b[31m\u{202E}é\": 1}"
    #expect(
      check(text).diagnostics.map(\.description) == [
        "t:1:17: note: \\u{1B}[31m\\u{202E}é: not a key of the top level, skipped"
      ])
    let long = String(repeating: "x", count: 100)
    #expect(
      check("{\"Pattern\": [], \"\(long)\": 1}").diagnostics.first?.keyPath
        == String(repeating: "x", count: 60) + "…")
  }

  @Test func countsLinesOfEveryKind() {
    #expect(refusal("{\n\n \"Pattern\": 3}")?.hasPrefix("t:3:13: ") == true)
    #expect(refusal("{\r\n\r\n \"Pattern\": 3}")?.hasPrefix("t:3:13: ") == true)
    #expect(refusal("{\r\r \"Pattern\": 3}")?.hasPrefix("t:3:13: ") == true)
    #expect(refusal("\u{FEFF}{\"Pattern\": 3}")?.hasPrefix("t:1:13: ") == true)
  }

  @Test func listsEveryErrorOfMeaning() {
    let text = file(
      "{\"Event\": {\"EventType\": \"A\", \"Time\": -1}}", tap(), control("B", "1", at: "-2"),
      curve("HapticIntensityControl", at: "\"x\"", ("-1", "null")), "7", "{\"Event\": NaN}")
    let report = check(text)
    #expect(report.pattern == nil)
    #expect(
      report.diagnostics.map { "\($0.position?.line ?? 0) \($0.keyPath) \($0.code?.rawValue ?? 0)" } == [
        "2 Pattern[0].Event.EventType -4821", "2 Pattern[0].Event.Time -4822",
        "4 Pattern[2].Parameter.ParameterID -4820", "4 Pattern[2].Parameter.Time -4822",
        "5 Pattern[3].ParameterCurve.Time -4814",
        "5 Pattern[3].ParameterCurve.ParameterCurveControlPoints[0].Time -4822",
        "5 Pattern[3].ParameterCurve.ParameterCurveControlPoints[0].ParameterValue -4814",
        "6 Pattern[4] -4814", "7 Pattern[5].Event -4813",
      ])
    #expect(throws: report.diagnostics[0]) { try decode(text) }
  }
}
