import TestSupport
import Testing
import ThrumOSC

@Suite struct OSCPacketTests {
  @Test func aMessageIsReadByteByByte() throws {
    // Worked out by hand from the specification.
    let bytes: [UInt8] =
      Array("/thrum/transient\0\0\0\0".utf8) + Array(",fi\0".utf8) + [0x3F, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFE]
    let packet = try OSCPacket(reading: bytes)
    #expect(packet.messages.map(\.message) == [OSCMessage("/thrum/transient", [.float(0.5), .int(-2)])])
    #expect(packet.messages.map(\.time) == [.immediately])
    #expect(packet.messages[0].message.bytes == bytes)
  }

  @Test func everyTypeComesBack() throws {
    let message = OSCMessage(
      "/a",
      [
        .int(.min), .long(.max), .float(-0.25), .double(.pi), .text("täp"), .text(""), .blob([]),
        .blob([1, 2, 3, 4, 5]),
        .time(OSCTimeTag(rawValue: .max)), .character(65), .quartet(0xFF00_FF00), .flag(true), .flag(false),
        .null,
        .impulse,
      ])
    #expect(try OSCPacket(reading: message.bytes).messages.map(\.message) == [message])
  }

  @Test func aMessageWithoutTypesHasNoArguments() throws {
    #expect(
      try OSCPacket(reading: Array("/stop\0\0\0".utf8)).messages.map(\.message) == [OSCMessage("/stop")])
  }

  @Test func bundlesAreLaidFlatWithTheInnermostTime() throws {
    let inner = bundle(at: 900, [OSCMessage("/b").bytes, OSCMessage("/c").bytes])
    let atOnce = bundle(at: 1, [OSCMessage("/d").bytes])
    let packet = try OSCPacket(reading: bundle(at: 500, [OSCMessage("/a").bytes, inner, atOnce]))
    #expect(packet.messages.map(\.message.address) == ["/a", "/b", "/c", "/d"])
    #expect(packet.messages.map(\.time.rawValue) == [500, 900, 900, 500])
    #expect(try OSCPacket(reading: bundle(at: 1, [])).messages.isEmpty)
  }

  @Test(
    arguments: [
      ([], "byte 0: 0 bytes are no message; its size is a multiple of 4 and not 0"),
      (Array("/a\0".utf8), "byte 0: 3 bytes are no message; its size is a multiple of 4 and not 0"),
      (Array("abc\0".utf8), "byte 0: an address begins with / and a bundle with #bundle"),
      (Array("/abc".utf8), "byte 0: the address is not ended by a zero byte"),
      (Array("/a\0\0fff\0".utf8), "byte 4: the types begin with a comma"),
      (
        Array("/a\0\0,q\0\0".utf8), "byte 5: the type q is not known; there are i h f d s S b t c r m T F N I"
      ),
      (Array("/a\0\0,[]\0".utf8), "byte 5: the type [ is not known; there are i h f d s S b t c r m T F N I"),
      (Array("/a\0\0,i\0\0".utf8), "byte 8: an int takes 4 bytes, of which 0 are there"),
      (Array("/a\0\0,d\0\0four".utf8), "byte 8: a double takes 8 bytes, of which 4 are there"),
      (Array("/a\0\0,s\0\0text".utf8), "byte 8: a text is not ended by a zero byte"),
      (Array("/a\0\0,s\0\0\u{0}\0\0\0more".utf8), "byte 12: 4 bytes follow the last argument; none may"),
      (
        Array("/a\0\0,b\0\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF],
        "byte 12: a blob of 4294967295 bytes is not within the 0 that follow"
      ),
      (Array("#bundle\0".utf8), "byte 8: the time of a bundle takes 8 bytes, of which 0 are there"),
      (
        Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8, 0x2F, 0, 0, 0],
        "byte 16: an element of 8 bytes is not within the 4 that follow"
      ),
      (
        Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        "byte 16: an element of 0 bytes is not within the 0 that follow"
      ),
    ] as [([UInt8], String)])
  func whatIsMalformedIsRefusedWithItsPlace(bytes: [UInt8], words: String) {
    #expect { try OSCPacket(reading: bytes) } throws: { error in
      (error as? OSCProblem)?.description == words
    }
  }

  @Test func textThatIsNotUnicodeIsRefused() {
    #expect { try OSCPacket(reading: [0x2F, 0xC0, 0, 0]) } throws: { error in
      (error as? OSCProblem)?.description == "byte 0: the address is not UTF-8"
    }
  }

  @Test func boundsHold() throws {
    let message = OSCMessage("/a", Array(repeating: .null, count: OSCPacket.mostArguments))
    #expect(try OSCPacket(reading: message.bytes).messages.count == 1)
    #expect(throws: OSCProblem.self) {
      try OSCPacket(reading: OSCMessage("/a", message.arguments + [.null]).bytes)
    }
    var nested = OSCMessage("/a").bytes
    for _ in 0..<OSCPacket.deepestBundle { nested = bundle(at: 1, [nested]) }
    #expect(try OSCPacket(reading: nested).messages.count == 1)
    #expect(throws: OSCProblem.self) { try OSCPacket(reading: bundle(at: 1, [nested])) }
    let many = Array(repeating: OSCMessage("/a").bytes, count: OSCPacket.mostMessages)
    #expect(try OSCPacket(reading: bundle(at: 1, many)).messages.count == OSCPacket.mostMessages)
    #expect(throws: OSCProblem.self) { try OSCPacket(reading: bundle(at: 1, many + [many[0]])) }
    #expect(throws: OSCProblem.self) {
      try OSCPacket(reading: [UInt8](repeating: 0, count: OSCPacket.largestSize + 1))
    }
  }

  @Test func aBundleInsideAnotherIsNotEarlier() {
    #expect(throws: OSCProblem.self) {
      try OSCPacket(reading: bundle(at: 500, [bundle(at: 499, [OSCMessage("/a").bytes])]))
    }
  }

  /// Whatever was done to a good packet, reading it ends, with messages or with a problem that lies within it.
  @Test func spoiledPacketsAreReadOrRefused() throws {
    var random = SeededGenerator(seed: 6)
    let good = bundle(
      at: 77,
      [
        OSCMessage("/thrum/transient", [.float(1), .float(0)]).bytes,
        bundle(at: 78, [OSCMessage("/thrum/play", [.text("heartbeat"), .blob([1, 2, 3])]).bytes]),
      ])
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
      do throws(OSCProblem) {
        let packet = try OSCPacket(reading: bytes)
        #expect(packet.messages.count <= 2)
      } catch {
        refused += 1
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    #expect(refused > 10_000)
  }

  private func bundle(at time: UInt64, _ elements: [[UInt8]]) -> [UInt8] {
    var bytes = Array("#bundle\0".utf8)
    withUnsafeBytes(of: time.bigEndian) { bytes += $0 }
    for element in elements {
      withUnsafeBytes(of: UInt32(element.count).bigEndian) { bytes += $0 }
      bytes += element
    }
    return bytes
  }
}
