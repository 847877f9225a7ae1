import ThrumPattern

/// What was learned: which control of which controller stands for what, in a file of one line each.
///
/// Lives on the main thread.
final class ControlMemory {
  /// A control of a controller.
  struct Binding: Equatable {
    /// A controller of MIDI, or an axis of a game pad.
    var number: Int
    /// Whether it is turned the other way round.
    var isReversed = false
  }

  /// What a controller is.
  enum Kind: String {
    case midi
    case pad
  }

  private struct Line: Equatable {
    var kind: Kind
    var target: ControlTarget
    var binding: Binding
    var name: String
  }

  /// More controllers than that are not remembered; the first are forgotten.
  private static let mostLines = 256
  private let file: StateFile
  private var lines: [Line]

  /// Reads the file; a line that makes no sense is passed over.
  init(file: StateFile = StateFile("controls")) {
    self.file = file
    lines = file.text("list of controls").split(separator: "\n").prefix(Self.mostLines).compactMap(Self.line)
  }

  /// What stands for a target on a controller; what was learned before what is usual.
  func binding(_ kind: Kind, _ name: String, _ target: ControlTarget, usual: Binding) -> Binding? {
    let own = lines.filter { $0.kind == kind && $0.name == printable(name) }
    if let learned = own.last(where: { $0.target == target }) { return learned.binding }
    // A usual one that was learned for another target is that one's alone.
    return own.contains { $0.binding.number == usual.number } ? nil : usual
  }

  /// Has a control stand for a target from now on, and no other for it.
  /// - Returns: Why it could not be remembered for the next start; for this run it is.
  func remember(_ kind: Kind, _ name: String, _ target: ControlTarget, _ binding: Binding) -> String? {
    let name = printable(name)
    lines.removeAll {
      $0.kind == kind && $0.name == name && ($0.target == target || $0.binding.number == binding.number)
    }
    lines.append(Line(kind: kind, target: target, binding: binding, name: name))
    lines.removeFirst(max(0, lines.count - Self.mostLines))
    return file.write(lines.map(Self.text).joined())
  }

  private static func text(_ line: Line) -> String {
    let sign = line.binding.isReversed ? "-" : ""
    return "\(line.kind.rawValue) \(line.target.rawValue) \(sign)\(line.binding.number) \(line.name)\n"
  }

  /// Such as `midi intensity 74 LPK25` or `pad sharpness -3 Some Pad`.
  private static func line(_ text: Substring) -> Line? {
    let parts = text.split(separator: " ", maxSplits: 3)
    guard parts.count == 4, let kind = Kind(rawValue: String(parts[0])),
      let target = ControlTarget(rawValue: String(parts[1]))
    else { return nil }
    let isReversed = parts[2].hasPrefix("-")
    guard let number = UInt8(isReversed ? parts[2].dropFirst() : parts[2]) else { return nil }
    let binding = Binding(number: Int(number), isReversed: isReversed)
    return Line(kind: kind, target: target, binding: binding, name: String(parts[3]))
  }
}
