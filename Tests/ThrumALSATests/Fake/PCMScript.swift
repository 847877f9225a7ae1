import Foundation

/// What happens to a sound device that is not there: the statements of a PCM script, in order.
struct PCMScript {
  /// A call of the loop's.
  enum Call: String {
    case write, avail, delay, wait, prepare, resume, state
  }

  /// What a call gives in place of its usual result.
  enum Answer: Equatable {
    case value(Int)
    /// The value before, and so much more.
    case previous(Int)
    case take(Int)
    case revents(Int32)
    case state(String)
  }

  /// When an answer is given: the calls of that number, counted over the run or from a time on.
  struct Rule {
    var call: Call
    var calls: ClosedRange<Int>?
    var afterSeconds: Double?
    var answer: Answer
  }

  /// Something that happens by itself.
  struct Event: Equatable {
    var seconds: Double
    var subject: String
    var value: String
  }

  struct Malformed: Error, Equatable {
    var line: Int
    var text: String
  }

  var device: [String: String] = [:]
  var rules: [Rule] = []
  var events: [Event] = []

  init() {}

  /// Reads a script; unknown statements are errors.
  init(_ text: String) throws {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
      guard let first = words.first else { continue }
      let rest = Array(words.dropFirst())
      let isRead =
        switch first {
        case "device": readDevice(rest)
        case "on": readRule(rest, afterSeconds: nil)
        case "after":
          rest.first.flatMap(Double.init).map { seconds in
            rest.count > 1 && rest[1] == "on" && readRule(Array(rest.dropFirst(2)), afterSeconds: seconds)
          } ?? false
        case "at": readEvent(rest)
        default: false
        }
      if !isRead { throw Malformed(line: index + 1, text: String(line)) }
    }
  }

  private mutating func readDevice(_ words: [String]) -> Bool {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count != 2 { return false }
      device[parts[0]] = parts[1]
    }
    return true
  }

  private mutating func readEvent(_ words: [String]) -> Bool {
    guard words.count == 3, let seconds = Double(words[0]) else { return false }
    guard
      [["present", "yes"], ["present", "no"], ["clock", "stop"], ["clock", "go"]].contains(Array(words[1...]))
    else { return false }
    events.append(Event(seconds: seconds, subject: words[1], value: words[2]))
    return true
  }

  private mutating func readRule(_ words: [String], afterSeconds: Double?) -> Bool {
    guard let call = words.first.flatMap(Call.init(rawValue:)) else { return false }
    var rest = words.dropFirst()
    var calls: ClosedRange<Int>?
    if let first = rest.first, let range = PCMScript.range(first) {
      calls = range
      rest = rest.dropFirst()
    }
    guard rest.count == 2, calls != nil || afterSeconds != nil,
      let answer = PCMScript.answer(call, rest[rest.startIndex], rest[rest.startIndex + 1])
    else { return false }
    rules.append(Rule(call: call, calls: calls, afterSeconds: afterSeconds, answer: answer))
    return true
  }

  /// Reads `n` or `n..m`.
  static func range(_ text: String) -> ClosedRange<Int>? {
    if let one = Int(text) { return one...one }
    guard let dots = text.range(of: "..") else { return nil }
    guard let low = Int(text[..<dots.lowerBound]), let high = Int(text[dots.upperBound...]), low <= high
    else {
      return nil
    }
    return low...high
  }

  private static func answer(_ call: Call, _ verb: String, _ value: String) -> Answer? {
    switch verb {
    case "take": call == .write ? Int(value).map(Answer.take) : nil
    case "revents": call == .wait ? flags(value).map(Answer.revents) : nil
    case "return" where call == .state: .state(value)
    case "return" where value.hasPrefix("previous"): Int(value.dropFirst(8)).map(Answer.previous)
    case "return": (Int(value) ?? errors[value]).map(Answer.value)
    default: nil
    }
  }

  private static func flags(_ text: String) -> Int32? {
    let known: [Substring: Int32] = [
      "POLLIN": Int32(POLLIN), "POLLOUT": Int32(POLLOUT), "POLLERR": Int32(POLLERR),
      "POLLHUP": Int32(POLLHUP),
      "POLLNVAL": Int32(POLLNVAL),
    ]
    return text.split(separator: "|").reduce(0) { sum, word in
      sum.flatMap { sum in known[word].map { sum | $0 } }
    }
  }

  static let errors: [String: Int] = [
    "EPIPE": -Int(EPIPE), "ESTRPIPE": -Int(ESTRPIPE), "EINTR": -Int(EINTR), "EAGAIN": -Int(EAGAIN),
    "ENODEV": -Int(ENODEV), "EBADFD": -Int(EBADFD), "EIO": -Int(EIO), "ENOSYS": -Int(ENOSYS),
    "EINVAL": -Int(EINVAL), "EBUSY": -Int(EBUSY),
  ]
}
