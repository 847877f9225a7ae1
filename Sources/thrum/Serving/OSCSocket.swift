import Glibc
import ThrumEngine
import ThrumOSC
import ThrumPattern
import ThrumSettings

/// Where a UDP socket listens.
struct OSCEndpoint: Equatable {
  /// A numeric address of IPv4 or IPv6; what the machine says to itself, unless told otherwise.
  var host = "127.0.0.1"
  /// 1 to 65,535; 0 for any that is free.
  var port: UInt16
}

extension ValueParser where Value == OSCEndpoint {
  /// A port, alone or behind an address.
  static var oscEndpoint: ValueParser {
    ValueParser("a port from 1 to 65535, or an address and a port such as 0.0.0.0:9000 or [::1]:9000") {
      word in
      guard let colon = word.lastIndex(of: ":") else { return port(word[...]).map { OSCEndpoint(port: $0) } }
      guard let port = port(word[word.index(after: colon)...]) else { return nil }
      var host = String(word[..<colon])
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
      } else if host.contains(":") {
        // Without brackets nobody can tell where an address of IPv6 ends.
        return nil
      }
      return host.isEmpty ? nil : OSCEndpoint(host: host, port: port)
    }
  }

  private static func port(_ word: Substring) -> UInt16? {
    guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(word)
  }
}

/// Who sent a packet, to answer to.
struct OSCSender: Equatable {
  fileprivate var storage = sockaddr_storage()
  fileprivate var size = socklen_t(MemoryLayout<sockaddr_storage>.size)

  static func == (left: OSCSender, right: OSCSender) -> Bool {
    guard left.size == right.size else { return false }
    return withUnsafeBytes(of: left.storage) { left in
      withUnsafeBytes(of: right.storage) { right in
        left.prefix(Int(right.count)).elementsEqual(right)
      }
    }
  }
}

/// A UDP socket that never waits.
final class OSCSocket {
  /// Readable while packets have come.
  let descriptor: Int32
  /// Where it listens, as a person writes it.
  let name: String
  /// Room for packets that have come and have not been read, bytes.
  private static let receiveBytes: Int32 = 4 << 20
  private var buffer = [UInt8](repeating: 0, count: OSCPacket.largestSize + 1)

  /// - Throws: `CommandError.failed`, when it cannot listen there.
  init(_ endpoint: OSCEndpoint) throws(CommandError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(endpoint.host, String(endpoint.port), &hints, &found) == 0, let found else {
      throw .failed(
        "\(printable(endpoint.host)) is no address of IPv4 or IPv6\nwrite it in numbers, such as 127.0.0.1 or [::1]"
      )
    }
    defer { freeaddrinfo(found) }
    let shown = found.pointee.ai_family == AF_INET6 ? "[\(endpoint.host)]" : endpoint.host
    let socket = Glibc.socket(
      found.pointee.ai_family, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, Int32(IPPROTO_UDP))
    guard socket >= 0 else { throw .failed("no UDP socket: \(errorText(errno))") }
    // The kernel gives what it allows; without more, a burst of some hundred packets is the most that waits.
    var size = Self.receiveBytes
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    guard bind(socket, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
      let reason = errno
      close(socket)
      let hint =
        switch reason {
        case EADDRINUSE: "\nanother program listens there; end it, or choose another port"
        case EACCES: "\nports below 1024 are for root; choose a higher one"
        case EADDRNOTAVAIL: "\nthis machine does not have that address"
        default: ""
        }
      throw .failed("cannot listen on \(shown):\(endpoint.port): \(errorText(reason))\(hint)")
    }
    descriptor = socket
    name = "\(shown):\(Self.port(of: socket) ?? endpoint.port)"
  }

  deinit { close(descriptor) }

  /// Takes the next packet.
  /// - Parameter body: Gets its bytes and its sender.
  /// - Returns: Whether there was one.
  func receive(_ body: (UnsafeRawBufferPointer, OSCSender) -> Void) -> Bool {
    var sender = OSCSender()
    let size = buffer.withUnsafeMutableBytes { buffer in
      withUnsafeMutablePointer(to: &sender.storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &sender.size)
        }
      }
    }
    // An error that an earlier answer met (nobody listens there) is taken off the socket and is not a packet.
    guard size >= 0 else { return errno == ECONNREFUSED || errno == EINTR }
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<size]), sender) }
    return true
  }

  /// Sends an answer; one that cannot be sent at once is dropped, as UDP may.
  /// - Returns: Whether it went.
  @discardableResult
  func send(_ message: OSCMessage, to sender: OSCSender) -> Bool {
    let bytes = message.bytes
    return withUnsafePointer(to: sender.storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0, sender.size) == bytes.count
      }
    }
  }

  private static func port(of socket: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &address) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    guard code == 0 else { return nil }
    // The port is at the same place in addresses of IPv4 and IPv6.
    return withUnsafeBytes(of: address) {
      UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }
}
