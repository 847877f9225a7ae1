/// Reads the parts of a packet in order, never beyond its end.
struct OSCReader {
  private let bytes: UnsafeRawBufferPointer
  /// The next byte of the whole packet.
  private(set) var offset: Int
  private var end: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    offset = 0
    end = bytes.count
  }

  /// How many bytes have not been read.
  var left: Int { end - offset }

  /// Takes the next bytes out as a reader of their own; there are as many.
  mutating func part(_ size: Int) -> OSCReader {
    var part = self
    part.end = offset + size
    offset = part.end
    return part
  }

  /// Reads a number, its highest byte first.
  mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type, _ name: String
  ) throws(OSCProblem) -> Value {
    let size = Value.bitWidth / 8
    guard left >= size else {
      throw OSCProblem(offset, "\(name) takes \(size) bytes, of which \(left) are there")
    }
    defer { offset += size }
    return Value(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  /// Reads text that a zero byte ends, with the bytes that fill up to a multiple of four.
  mutating func text(_ name: String) throws(OSCProblem) -> String {
    let rest = bytes[offset..<end]
    guard let zero = rest.firstIndex(of: 0) else {
      throw OSCProblem(offset, "\(name) is not ended by a zero byte")
    }
    guard let text = String(validating: bytes[offset..<zero], as: UTF8.self) else {
      throw OSCProblem(offset, "\(name) is not UTF-8")
    }
    try skip(to: offset + (zero - offset) / 4 * 4 + 4, name)
    return text
  }

  /// Reads a size and so many bytes, with those that fill up to a multiple of four.
  mutating func blob() throws(OSCProblem) -> [UInt8] {
    let size = Int(try integer(UInt32.self, "the size of a blob"))
    guard size <= left else {
      throw OSCProblem(offset, "a blob of \(size) bytes is not within the \(left) that follow")
    }
    let blob = [UInt8](bytes[offset..<offset + size])
    try skip(to: offset + (size + 3) / 4 * 4, "a blob")
    return blob
  }

  private mutating func skip(to next: Int, _ name: String) throws(OSCProblem) {
    guard next <= end else { throw OSCProblem(end, "\(name) is not filled up to a multiple of 4 bytes") }
    offset = next
  }
}
