import Testing
import ThrumALSA
import ThrumJSON
import ThrumRealtime
import ThrumSettings

@testable import thrum

/// The pieces of the command line by themselves.
@Suite("Arguments")
struct ArgumentTests {
  @Test(
    "Distance counts slips: insertions, deletions, substitutions and swaps",
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "abc", 3), ("json", "json", 0), ("jsn", "json", 1), ("josn", "json", 1),
      ("jsom", "json", 1), ("jason", "json", 1), ("dveice", "device", 1), ("rate", "gain", 3),
    ])
  func distance(left: String, right: String, expected: Int) {
    #expect(NearestName.distance(Array(left.utf8), Array(right.utf8)) == expected)
    #expect(NearestName.distance(Array(right.utf8), Array(left.utf8)) == expected)
  }

  @Test("A short word far from every name has no nearest one")
  func nearest() {
    #expect(NearestName.find("q", in: ["json", "watch"]) == nil)
    #expect(NearestName.find("xyz", in: ["json", "watch"]) == nil)
    #expect(NearestName.find("wathc", in: ["json", "watch"]) == "watch")
  }

  @Test(
    "A period is milliseconds or frames",
    arguments: [
      ("5", ALSARequest.Period.seconds(0.005), 240), ("5ms", .seconds(0.005), 240),
      ("2.5", .seconds(0.0025), 120), ("1", .seconds(0.001), 48), ("48f", .frames(48), 48),
      ("1000", .seconds(1), 48000),
    ])
  func period(word: String, expected: ALSARequest.Period, frames: Int) throws {
    let period = try #require(ValueParser.period.parse(word))
    #expect(period == expected)
    #expect(period.frames(at: 48000) == frames)
  }

  @Test(
    "What is no period is refused",
    arguments: ["", "f", "0", "0f", "0.99", "1000.1", "-5", "5s", "5 ms", "1e9", "inf", "٥"])
  func badPeriod(word: String) { #expect(ValueParser.period.parse(word) == nil) }

  @Test(
    "A gain is decibels, with a point in every locale",
    arguments: [("0", 0.0), ("-6", -6), ("+3.5", 3.5), ("-6dB", -6), ("1e1", 10), ("-120", -120)])
  func gain(word: String, expected: Double) { #expect(ValueParser.gain.parse(word) == expected) }

  @Test(
    "What is no gain is refused", arguments: ["", "dB", "-6,5", "41", "-121", "nan", "inf", "0x8", "six"])
  func badGain(word: String) { #expect(ValueParser.gain.parse(word) == nil) }

  @Test("Every sample format has a word, and is found by it", arguments: SampleFormat.allCases)
  func formats(format: SampleFormat) {
    #expect(ValueParser.deviceFormat.parse(format.word) == format)
    #expect((ValueParser.fileFormat.parse(format.word) != nil) == (format != .s24))
  }

  @Test(
    "Numbers have fixed decimals and a point",
    arguments: [
      (0.0, 3, "0.000"), (1.0005, 3, "1.001"), (-0.0004, 3, "0.000"), (-1.5, 1, "-1.5"), (2.5, 0, "3"),
      (0.05, 1, "0.1"), (123456.789, 2, "123456.79"), (.infinity, 1, "-"), (.nan, 1, "-"),
    ])
  func fixed(value: Double, decimals: Int, expected: String) {
    #expect(NumberText.fixed(value, decimals) == expected)
  }

  @Test("JSON escapes what it must and keeps every digit")
  func json() {
    let value = JSONValue.object([
      ("text", .string("a\"b\\c\n\u{1}é")), ("float", .float(0.1)), ("number", .number(0.1)),
      ("nothing", .null), ("broken", .number(.nan)), ("list", .array([.integer(-1), .bool(true)])),
    ])
    let text = #"{"text":"a\"b\\c\n\u0001é","float":0.1,"number":0.1,"nothing":null,"broken":null,"#
    #expect(value.text == text + #""list":[-1,true]}"#)
  }

}
