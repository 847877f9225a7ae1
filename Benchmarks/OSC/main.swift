// A flood of OSC: so many messages a second for so long, then three commands and a question.
//
//   bench-osc PORT [SECONDS [MESSAGES-A-SECOND]]     to a `thrum serve --osc PORT`; Benchmarks/osc.sh starts one
//
// It ends with 1 where the last commands were lost.
import BenchmarkSupport
import Glibc
import ThrumOSC

guard CommandLine.arguments.count > 1, let port = UInt16(CommandLine.arguments[1]) else {
  print("usage: bench-osc PORT [SECONDS [MESSAGES-A-SECOND]]")
  exit(2)
}
let seconds = CommandLine.arguments.count > 2 ? Double(CommandLine.arguments[2]) ?? 30 : 30
let rate = CommandLine.arguments.count > 3 ? Double(CommandLine.arguments[3]) ?? 10_000 : 10_000

let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_port = port.bigEndian
address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
let connected = withUnsafePointer(to: &address) { address in
  address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
  }
}
guard connected == 0 else {
  print("bench-osc: no socket: \(String(cString: strerror(errno)))")
  exit(1)
}

/// Sends, and counts what the socket did not take.
var unsent = 0
@MainActor func send(_ path: String, _ arguments: OSCArgument...) {
  let bytes = OSCMessage(path, arguments).bytes
  if Glibc.send(socket, bytes, bytes.count, 0) != bytes.count { unsent += 1 }
}

/// Waits two seconds for an answer to a question, passing over others.
@MainActor func answer(to question: String) -> [OSCArgument]? {
  send(question)
  var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
  var buffer = [UInt8](repeating: 0, count: OSCPacket.largestSize)
  while poll(&entry, 1, 2000) > 0 {
    let size = recv(socket, &buffer, buffer.count, 0)
    guard size > 0 else { return nil }
    do throws(OSCProblem) {
      let message = try OSCPacket(reading: Array(buffer[..<size])).messages.first?.message
      if message?.address == question { return message?.arguments }
    } catch {
      print("bench-osc: \(error)")
    }
  }
  return nil
}

send("/thrum/continuous/start", .int(1), .float(0.5), .float(0.5))
var count = 0
let start = Clock.wall
while Clock.wall - start < seconds * 1e9 {
  while Double(count) < (Clock.wall - start) / 1e9 * rate {
    let value = Float(count % 100) / 100
    switch count % 4 {
    case 0: send("/thrum/param/intensity", .float(value))
    case 1: send("/thrum/continuous/set", .int(1), .float(value), .float(1 - value))
    case 2: send("/thrum/continuous/sharpness", .int(1), .float(value))
    default: send("/thrum/transient", .float(0.3), .float(0.5))
    }
    count += 1
  }
  usleep(500)
}
send("/thrum/param/intensity", .float(0.25))
send("/thrum/param/sharpness", .float(-0.5))
send("/thrum/continuous/stop", .int(1))
// The fade of what was stopped, and the last taps.
usleep(500_000)
guard let status = answer(to: "/thrum/status") else {
  print("bench-osc: no answer")
  exit(1)
}
let isHeld = status[6] == .float(0.25) && status[7] == .float(-0.5) && status[3] == .int(0)
print(
  "\(count) messages in \(Int(seconds)) s, \(unsent) not sent; xruns \(status[1].number.map { Int($0) } ?? -1); the last commands "
    + (isHeld ? "hold" : "are lost"))
exit(isHeld ? 0 : 1)
