import BenchmarkSupport
import CBenchmark
import Glibc

/// What went wrong in a measurement.
struct Wrong: Error {
  var what: String
}

/// The text of a pattern of taps and short tones, with as many digits as tools write.
func ahap(events: Int, spacing: Double = 0.003, tapsOnly: Bool = false, unsorted: Bool = false) -> [UInt8] {
  var text = "{\n  \"Version\": 1.0,\n  \"Pattern\": [\n"
  text.reserveCapacity(events * 260)
  var state: UInt64 = 1
  func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
  for index in 0..<events {
    let isTap = tapsOnly || index % 3 != 0
    let time = unsorted ? unit() * Double(events) * spacing : (Double(index) + unit() * 0.3) * spacing
    text += "    { \"Event\": { \"Time\": \(time), \"EventType\": "
    text +=
      isTap ? "\"HapticTransient\"" : "\"HapticContinuous\", \"EventDuration\": \(unit() * 0.01 + 0.005)"
    text +=
      ", \"EventParameters\": [ { \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": \(unit()) }, "
    text += "{ \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": \(unit()) } ] } }"
    text += index + 1 < events ? ",\n" : "\n"
  }
  text += "  ]\n}\n"
  return Array(text.utf8)
}

/// A pattern in a file that goes with the measurement.
struct PatternOnDisk {
  let path: String
  let count: Int

  init(_ bytes: [UInt8]) throws {
    var name = Array("/tmp/bench-codec-XXXXXX".utf8) + [0]
    let descriptor = name.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { mkstemp($0.assumingMemoryBound(to: CChar.self)) } ?? -1
    }
    guard descriptor >= 0 else { throw Wrong(what: "no file in /tmp") }
    path = String(decoding: name.dropLast(), as: UTF8.self)
    count = bytes.count
    var rest = bytes[...]
    while !rest.isEmpty {
      let put = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard put > 0 else { throw Wrong(what: "no room in /tmp") }
      rest = rest.dropFirst(put)
    }
    close(descriptor)
  }

  func remove() {
    if unlink(path) != 0 { print("left over: \(path)") }
  }

  /// Reads the file and scans it in C, and does something with the events.
  /// - Returns: Milliseconds.
  func scanned(_ body: (UnsafePointer<thrum_scanned_event>, Int) -> Void) throws -> Double {
    let start = Clock.process
    guard let file = fopen(path, "r") else { throw Wrong(what: "no file") }
    defer { fclose(file) }
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
    defer { text.deallocate() }
    guard fread(text, 1, count, file) == count else { throw Wrong(what: "a short file") }
    text[count] = 0
    let capacity = count / 100
    let events = UnsafeMutablePointer<thrum_scanned_event>.allocate(capacity: capacity)
    defer { events.deallocate() }
    body(events, thrum_scan_events(text, events, capacity))
    return (Clock.process - start) / 1e6
  }
}
