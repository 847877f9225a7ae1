/// Where a port is: a client of the sequencer and a port of it, 0…255 each.
public struct MIDIAddress: Hashable, Sendable, CustomStringConvertible {
  /// The number of the client; a device that is plugged again may get another.
  public var client: Int
  /// The number of the port.
  public var port: Int

  /// Names a port.
  public init(client: Int, port: Int) {
    self.client = client
    self.port = port
  }

  /// As `aconnect -l` numbers it, such as `20:0`.
  public var description: String { "\(client):\(port)" }
}

/// A port of the sequencer.
public struct MIDIPort: Equatable, Sendable {
  /// Where it is.
  public var address: MIDIAddress
  /// What its client is called: a device's own name.
  public var clientName: String
  /// What it is called itself.
  public var name: String
  /// Whether others may connect to what it sends.
  public var isSource: Bool
  /// Whether it is the kernel's own loop, which sends what is sent to it.
  public var isThrough: Bool

  /// Describes a port.
  public init(
    address: MIDIAddress, clientName: String, name: String, isSource: Bool = true, isThrough: Bool = false
  ) {
    self.address = address
    self.clientName = clientName
    self.name = name
    self.isSource = isSource
    self.isThrough = isThrough
  }
}

/// Which ports are listened to.
public enum MIDIChoice: Equatable, Sendable {
  /// None; whoever wants to may connect to ours.
  case none
  /// All that send, but for the kernel's own loop.
  case all
  /// One, and the same device where it is plugged again.
  case address(MIDIAddress)
  /// Those whose client's or own name contains this, whatever the case of ASCII letters.
  case name(String)
  /// No port of the sequencer but a device or a pipe with a cable's bytes.
  case path(String)

  /// Reads what a person writes: `none`, `all`, `20:0`, a path (anything with a `/`) or a name.
  /// - Returns: nil for what is empty, or is no port such as `20:0:1` or `300:0`.
  public init?(_ word: String) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    switch word {
    case "": return nil
    case "none": self = .none
    case "all": self = .all
    case _ where word.utf8.contains(UInt8(ascii: "/")): self = .path(word)
    case _ where word.utf8.allSatisfy({ digits.contains($0) || $0 == UInt8(ascii: ":") }):
      let numbers = word.split(separator: ":", omittingEmptySubsequences: false).map { UInt8($0) }
      guard (1...2).contains(numbers.count), let client = numbers[0] else { return nil }
      guard numbers.count == 2 else {
        self = .address(MIDIAddress(client: Int(client), port: 0))
        return
      }
      guard let port = numbers[1] else { return nil }
      self = .address(MIDIAddress(client: Int(client), port: Int(port)))
    default: self = .name(word)
    }
  }

  /// Whether a port is among them, as far as its address and names tell.
  func includes(_ port: MIDIPort) -> Bool {
    guard port.isSource else { return false }
    switch self {
    case .none, .path: return false
    case .all: return !port.isThrough
    case .address(let address): return port.address == address
    case .name(let name):
      let wanted = Self.folded(name)
      return Self.contains(Self.folded(port.clientName), wanted)
        || Self.contains(Self.folded(port.name), wanted)
    }
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
  }
}
