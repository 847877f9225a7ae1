/// Where the bytes of a text come from, if they are not all there.
protocol TextSource: AnyObject {
  /// Reads the next bytes.
  /// - Returns: How many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int

  /// Reads bytes that have been read before, without a change to what comes next.
  /// - Returns: How many; 0 where there are none any more.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int
}

/// The part of a text that its reader looks at: it moves along as the text is read, and grows where one entry needs more.
///
/// So a file of any size is read once, through memory that stays in the processor's cache, and nobody who changes the file
/// meanwhile can harm the process, as they could if it were mapped.
final class TextFeed {
  private let source: any TextSource
  // Safety: allocated and freed by this object; whoever looks at the bytes lives no longer and is told when they move.
  private var memory: UnsafeMutableRawBufferPointer
  /// The place in the text of the first byte held.
  private(set) var start = 0
  private var count = 0
  /// Whether the last byte held is the text's last.
  private(set) var isAtEnd = false
  /// Why the text could not be read further; what is held counts as all there is.
  private(set) var failure: Diagnostic?
  /// Bytes before the text: those of a byte order mark.
  private var origin = 0

  /// Holds the first bytes of a text.
  /// - Parameter capacity: How many, if there are so many.
  init(_ source: any TextSource, capacity: Int = 1 << 18) {
    self.source = source
    memory = .allocate(byteCount: max(capacity, 16), alignment: 16)
    fill()
  }

  deinit { memory.deallocate() }

  /// The bytes held.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Leaves out the first bytes, which are no part of the text.
  func drop(first number: Int) {
    origin = number
    move(by: number)
    start = 0
    fill()
  }

  /// Whether so few bytes are left behind a place that it is time to move on.
  @inline(__always)
  func isLow(at offset: Int) -> Bool { !isAtEnd && start + count - offset < memory.count / 8 }

  /// Holds more of the text, from a place on; more than it held before in any case.
  func move(to offset: Int) {
    move(by: offset - start)
    if count > memory.count / 2 { grow() }
    fill()
  }

  /// Holds all the rest of the text, from a place on.
  func holdRest(from offset: Int) {
    move(by: offset - start)
    while !isAtEnd {
      if count == memory.count { grow() }
      fill()
    }
  }

  private func move(by number: Int) {
    guard number > 0 else { return }
    let kept = memory[number..<count]
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: kept))
    start += number
    count = kept.count
  }

  private func grow() {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
    larger.copyMemory(from: bytes)
    memory.deallocate()
    memory = larger
  }

  private func fill() {
    while count < memory.count, !isAtEnd {
      do throws(Diagnostic) {
        let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
        count += got
        isAtEnd = got == 0
      } catch {
        failure = error
        isAtEnd = true
      }
    }
  }

  /// Lends the text from a place on once more, as far as it suits; nothing at its end. What was held before is dropped.
  func look(again offset: Int) -> UnsafeRawBufferPointer {
    let got = source.read(at: origin + offset, into: memory)
    return UnsafeRawBufferPointer(rebasing: memory[..<max(0, got)])
  }
}
