import Foundation
import ThrumOSC

/// A program that speaks OSC to a service on this machine.
final class OSCClient {
  let port: UInt16
  private let socket: Int32

  /// A port that nobody has at this moment.
  static func freePort() throws -> UInt16 {
    let probe = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(probe) }
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(probe, $0, size) == 0 ? getsockname(probe, $0, &size) : -1
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Nanoseconds since 1970.
  static var wallNanoseconds: Int64 { nanoseconds(CLOCK_REALTIME) }
  /// Nanoseconds of the clock that the card writes into its log.
  static var monotonicNanoseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  init(port: UInt16) throws {
    self.port = port
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    // Bound to a port of its own, and connected to nothing: a service that does not listen yet is no error.
    var address = Self.loopback(port: 0)
    let code = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(socket) }

  func send(_ message: OSCMessage) { send(bytes: message.bytes) }

  /// Sends a bundle.
  func send(_ messages: [OSCMessage], at unixNanoseconds: Int64) {
    var bytes = Array("#bundle\0".utf8)
    withUnsafeBytes(of: OSCTimeTag(unixNanoseconds: unixNanoseconds).rawValue.bigEndian) { bytes += $0 }
    for message in messages {
      withUnsafeBytes(of: UInt32(message.bytes.count).bigEndian) { bytes += $0 }
      bytes += message.bytes
    }
    send(bytes: bytes)
  }

  func send(bytes: [UInt8]) {
    var address = Self.loopback(port: port)
    let sent = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(sent == bytes.count, "a packet of \(bytes.count) bytes could not be sent: \(errno)")
  }

  /// The next message of an address that came or comes within 20 s; those before it are dropped.
  func next(_ address: String) -> OSCMessage? { all(nil, until: address).last }

  /// Sends a question and gives the answer; nil if none comes within half a second.
  func ask(_ question: String, for answer: String) -> OSCMessage? {
    // UDP may lose either, and does where a flood has filled the service's queue.
    for _ in 0..<60 {
      send(OSCMessage(question))
      if let found = all(nil, until: answer, milliseconds: 500).last(where: { $0.address == answer }) {
        return found
      }
    }
    return nil
  }

  /// The messages of an address that come before one of another address.
  func all(_ address: String?, until last: String, milliseconds: Int32 = 20_000) -> [OSCMessage] {
    var found: [OSCMessage] = []
    var buffer = [UInt8](repeating: 0, count: OSCPacket.largestSize)
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, milliseconds) > 0 {
      let size = recv(socket, &buffer, buffer.count, 0)
      guard size > 0, let packet = try? OSCPacket(reading: Array(buffer[..<size])) else { continue }
      for message in packet.messages.map(\.message) {
        if message.address == last { return address == nil ? found + [message] : found }
        if address == nil || message.address == address { found.append(message) }
      }
    }
    return []
  }

  /// Whether the service says that nothing plays.
  var isSilent: Bool {
    ask("/thrum/status", for: "/thrum/status")?.arguments[2...4].elementsEqual([.int(0), .int(0), .int(0)])
      == true
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
