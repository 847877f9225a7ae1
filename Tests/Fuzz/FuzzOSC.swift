// One input of a libFuzzer run over OSC packets; Tests/Fuzz/run builds it together with the sources of ThrumOSC.

/// Reads any bytes: they are refused with a place within them, or give messages that survive being written and read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOSC(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  do throws(OSCProblem) {
    for timed in try OSCPacket(reading: bytes).messages {
      let message = timed.message
      expectTime(timed.time)
      expectMatching(message.address)
      // A number that is none is not equal to itself; its bytes are.
      let again = try OSCPacket(reading: message.bytes).messages
      precondition(again.map(\.message.bytes) == [message.bytes], "a message does not survive being written")
    }
  } catch {
    precondition((0...count).contains(error.offset), "the place of a problem lies outside the packet")
  }
  return 0
}

private func expectTime(_ time: OSCTimeTag) {
  let now = Int64(truncatingIfNeeded: time.rawValue)
  precondition((time.unixNanoseconds(near: now) == nil) == (time == .immediately), "a time is lost")
}

private func expectMatching(_ pattern: String) {
  let isPlain = !pattern.utf8.contains { "*?[{".utf8.contains($0) }
  let matches = OSCAddressPattern.matches(pattern, pattern)
  precondition(matches || !isPlain, "a plain address does not match itself")
  precondition(
    !isPlain || OSCAddressPattern.matches(pattern, "/thrum/stop") == (pattern == "/thrum/stop"),
    "a plain address matches another one")
}
