import Glibc
import ThrumPattern

/// Which game pad is taken.
enum GamePadChoice: Equatable, Sendable {
  /// The first of `/dev/input/js0` and those that follow, also one that comes later.
  case first
  case path(FileName)
}

/// A game pad, by Linux's joystick interface: eight bytes for each move of an axis or a button.
///
/// The table of what they mean is in `docs/controllers.md`.
final class GamePadSource: ControlSource {
  /// The first stick, up and down: up is more, which the kernel counts downwards.
  static let usualIntensity = ControlMemory.Binding(number: 1, isReversed: true)
  /// The first stick, left and right.
  static let usualSharpness = ControlMemory.Binding(number: 0)
  /// An axis goes from −32767 to this.
  private static let full = 32767.0
  /// How far an axis is moved before it is learned: half of the way from the middle to an end.
  private static let learnedMove = 16384
  private static let mostPads = 32
  private static let eventBytes = 8

  private(set) var name = "game pad"
  private let file: ControlFile
  private let memory: ControlMemory
  private var learning: ControlTarget?
  /// Where the axes are, and were when learning began.
  private var axes: [Int: Int] = [:]
  private var axesBefore: [Int: Int] = [:]
  private var held: Set<Int> = []
  /// The beginning of an event whose rest has not come.
  private var rest: [UInt8] = []

  init(_ choice: GamePadChoice, memory: ControlMemory) {
    self.memory = memory
    file = ControlFile {
      switch choice {
      case .path(let path): return path
      case .first:
        let paths = (0..<Self.mostPads).lazy.map { FileName("/dev/input/js\($0)") }
        return paths.first { $0.withPath { access($0, F_OK) } == 0 } ?? "/dev/input/js0"
      }
    }
  }

  var descriptors: [pollfd] { file.descriptors }

  var due: Int64? { file.due }

  var isLearning: Bool { learning != nil }

  func learn(_ target: ControlTarget?) {
    learning = target
    axesBefore = axes
  }

  func read() -> [ControlEvent] {
    var list = ControlList()
    file.read { happening in
      switch happening {
      case .opened(let path):
        (rest, axes, axesBefore) = ([], [:], [:])
        name = Self.name(file.descriptor) ?? path.description
        list.append(.notice("\(name) is connected"))
      case .bytes(let bytes): take(bytes, into: &list)
      case .gone(let isTold):
        for id in held.sorted() { list.append(.release(id: id)) }
        held = []
        if isTold { list.append(.notice("\(name) has gone; it is connected when it comes again")) }
      case .absent(let words): list.append(.notice(words))
      }
    }
    return list.events
  }

  private func take(_ bytes: UnsafeRawBufferPointer, into list: inout ControlList) {
    rest += bytes
    let whole = rest.count / Self.eventBytes * Self.eventBytes
    for start in stride(from: 0, to: whole, by: Self.eventBytes) {
      // struct js_event: a time of four bytes, the value, the kind and the number, in the machine's own order.
      let value = rest.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + 4, as: Int16.self) }
      take(kind: rest[start + 6], number: Int(rest[start + 7]), value: Int(value), into: &list)
    }
    rest.removeFirst(whole)
  }

  private func take(kind: UInt8, number: Int, value: Int, into list: inout ControlList) {
    // With the bit of JS_EVENT_INIT the kernel tells where something is when it is opened: nobody has moved it.
    let isMove = kind & 0x80 == 0
    switch kind & 0x7F {
    case 1 where isMove: press(number, value != 0, into: &list)
    case 2:
      axes[number] = value
      if isMove { move(number, value, into: &list) } else { axesBefore[number] = value }
    default: break
    }
  }

  private func press(_ number: Int, _ isDown: Bool, into list: inout ControlList) {
    // The even ones tap, the odd ones hold: of A, B, X and Y the first and the third.
    if number % 2 == 0 {
      if isDown { list.append(.tap(intensity: 1, sharpness: nil)) }
    } else if isDown {
      held.insert(number)
      list.append(.hold(id: number, intensity: 1, sharpness: nil))
    } else if held.remove(number) != nil {
      list.append(.release(id: number))
    }
  }

  private func move(_ number: Int, _ value: Int, into list: inout ControlList) {
    let moved = value - (axesBefore[number] ?? 0)
    if let target = learning, abs(moved) >= Self.learnedMove {
      learning = nil
      let binding = ControlMemory.Binding(number: number, isReversed: moved < 0)
      let problem = memory.remember(.pad, name, target, binding)
      list.append(.notice("axis \(number) of \(name) is the \(target.rawValue) from now on"))
      if let problem { list.append(.notice("that cannot be remembered: \(problem)")) }
    }
    if let place = place(.intensity, Self.usualIntensity, number, value) {
      list.append(.intensity((1 + place) / 2))
    }
    if let place = place(.sharpness, Self.usualSharpness, number, value) { list.append(.sharpness(place)) }
  }

  /// Where an axis is, −1…1, if it stands for a target.
  private func place(
    _ target: ControlTarget, _ usual: ControlMemory.Binding, _ number: Int, _ value: Int
  ) -> Double? {
    guard let binding = memory.binding(.pad, name, target, usual: usual), binding.number == number else {
      return nil
    }
    let place = max(-1, Double(value) / Self.full)
    return binding.isReversed ? -place : place
  }

  /// What the kernel calls a pad; nil for what is none.
  private static func name(_ descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 128)
    // JSIOCGNAME of 128 bytes, a macro that Swift does not see.
    guard ioctl(descriptor, 0x8080_6A13, &bytes) >= 0 else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
