import Foundation
import Testing

@testable import ThrumALSA

/// Cards by where they are plugged in, in a tree as the kernel's.
@Suite struct CardIdentityTests {
  private final class Tree {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-sys-\(UUID().uuidString)")
      .path

    deinit {
      do {
        try FileManager.default.removeItem(atPath: root)
      } catch {
        print("left behind: \(root): \(error)")
      }
    }

    /// Plugs a card in.
    func plug(_ number: Int, id: String, port: String, product: String = "0014", serial: String? = nil) throws
    {
      let device = root + "/sys/devices/pci0000:00/0000:00:14.0/usb1/\(port)"
      let interface = device + "/\(port):1.0"
      try FileManager.default.createDirectory(atPath: interface, withIntermediateDirectories: true)
      try write("0d8c\n", device + "/idVendor")
      try write("\(product)\n", device + "/idProduct")
      if let serial { try write("\(serial)\n", device + "/serial") }
      let card = interface + "/sound/card\(number)"
      try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
      try write("\(id)\n", card + "/id")
      try FileManager.default.createSymbolicLink(atPath: card + "/device", withDestinationPath: interface)
      let sound = root + "/sys/class/sound"
      try FileManager.default.createDirectory(atPath: sound, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: sound + "/card\(number)", withDestinationPath: card)
    }

    func write(_ text: String, _ path: String) throws {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  @Test func twoEqualCardsAreToldApartByTheirPorts() throws {
    let tree = Tree()
    try tree.plug(1, id: "Device", port: "1-2")
    try tree.plug(2, id: "Device_1", port: "1-4.3")
    let cards = CardIdentity.all(root: tree.root)
    #expect(cards.map(\.port) == ["1-2", "1-4.3"])
    #expect(cards.allSatisfy { $0.hasTwin })
    #expect(cards.map { $0.name(device: 0) } == ["port:1-2,0", "port:1-4.3,0"])
    #expect(!cards[0].isSame(as: cards[1]))
    #expect(try CardIdentity.resolve("port:1-4.3,0", root: tree.root) == "hw:CARD=Device_1,DEV=0")
    #expect(try CardIdentity.resolve("port:1-2", root: tree.root) == "hw:CARD=Device,DEV=0")

    // After a restart they appear in the other order, and take each other's ids.
    let later = Tree()
    try later.plug(0, id: "Device", port: "1-4.3")
    try later.plug(3, id: "Device_1", port: "1-2")
    #expect(try CardIdentity.resolve("port:1-4.3,0", root: later.root) == "hw:CARD=Device,DEV=0")
    let sameId = try #require(CardIdentity.read(number: 0, root: later.root))
    #expect(!cards[0].isSame(as: sameId))
    #expect(cards[1].isSame(as: sameId))
  }

  @Test func aCardWithoutATwinMayComeBackAtAnotherPort() throws {
    let (tree, later, other) = (Tree(), Tree(), Tree())
    try tree.plug(1, id: "Device", port: "1-2")
    try later.plug(5, id: "Device", port: "1-3")
    try other.plug(1, id: "Device", port: "1-2", product: "0102")
    let card = try #require(CardIdentity.read(number: 1, root: tree.root))
    #expect(card.name(device: 0) == "hw:CARD=Device,DEV=0")
    #expect(card.isSame(as: try #require(CardIdentity.read(number: 5, root: later.root))))
    // Something else in its place is not it, whatever it calls itself.
    #expect(!card.isSame(as: try #require(CardIdentity.read(number: 1, root: other.root))))
  }

  @Test func aSerialNumberDecides() throws {
    let (tree, later) = (Tree(), Tree())
    try tree.plug(1, id: "Device", port: "1-2", serial: "A1")
    try later.plug(1, id: "Device", port: "1-2", serial: "A2")
    let card = try #require(CardIdentity.read(number: 1, root: tree.root))
    #expect(!card.isSame(as: try #require(CardIdentity.read(number: 1, root: later.root))))
  }

  @Test func aNameByNumberIsKeptByItsId() throws {
    let card = CardIdentity(id: "Buzzer")
    #expect(card.pinned("hw:1") == "hw:CARD=Buzzer")
    #expect(card.pinned("plughw:1,2") == "plughw:CARD=Buzzer,DEV=2")
    #expect(card.pinned("hw:CARD=Buzzer,DEV=0") == "hw:CARD=Buzzer,DEV=0")
    #expect(card.pinned("default") == "default")
  }

  @Test func nothingAtAPortIsNoDevice() throws {
    let tree = Tree()
    #expect(throws: OutputFault(-19, .open)) { try CardIdentity.resolve("port:9-9", root: tree.root) }
    #expect(CardIdentity.all(root: tree.root).isEmpty)
    #expect(CardIdentity.read(number: 0, root: tree.root) == nil)
  }
}
