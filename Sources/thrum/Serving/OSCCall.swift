import ThrumEngine
import ThrumOSC
import ThrumPattern
import ThrumRealtime

/// Why a message is not done; the words go to its sender.
struct OSCRefusal: Error, Equatable {
  var words: String

  init(_ words: String) { self.words = words }
}

/// A message that has come to its time.
struct OSCCall {
  /// The address that it was meant for; that of the message may be a pattern.
  var address: String
  var arguments: [OSCArgument]
  var sender: OSCSender
  var moment: OSCMoment

  /// Refuses other counts of arguments than these.
  func expect(_ counts: ClosedRange<Int>, _ usage: String) throws(OSCRefusal) {
    if counts.contains(arguments.count) { return }
    throw OSCRefusal("takes \(usage), not \(arguments.count) arguments")
  }

  /// An argument as a number, held within a range.
  func number(_ index: Int, _ name: String, _ range: ClosedRange<Float>) throws(OSCRefusal) -> Float {
    guard let value = arguments[index].number, value.isFinite else {
      throw OSCRefusal("\(name) is a number from \(text(range.lowerBound)) to \(text(range.upperBound))")
    }
    return min(max(Float(value), range.lowerBound), range.upperBound)
  }

  /// An argument as a yes or no.
  func truth(_ index: Int, _ name: String) throws(OSCRefusal) -> Bool {
    guard let value = arguments[index].truth else { throw OSCRefusal("\(name) is 1 or 0, or T or F") }
    return value
  }

  /// An argument that names something: text, or a whole number.
  func name(_ index: Int, _ name: String) throws(OSCRefusal) -> String {
    let text =
      switch arguments[index] {
      case .text(let text): text
      case .int(let number): String(number)
      case .long(let number): String(number)
      default: ""
      }
    guard (1...Self.longestName).contains(text.utf8.count) else {
      throw OSCRefusal("\(name) is text of 1 to \(Self.longestName) bytes, or a whole number")
    }
    return text
  }

  /// The longest name of a pattern or of a continuous event, bytes.
  static let longestName = 255

  private func text(_ bound: Float) -> String { String(Int(bound)) }
}
