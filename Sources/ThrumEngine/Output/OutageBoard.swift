import Synchronization
import ThrumRealtime

/// One change between sounding and not sounding.
public struct OutageChange: Sendable, Equatable {
  /// What changed.
  public enum Kind: UInt8, Sendable {
    /// The device stopped sounding.
    case began
    /// The device was given up.
    case givenUp
    /// It sounds again.
    case returned
  }

  /// What changed.
  public var kind: Kind
  /// Why the device is, or was, out.
  public var cause: OutageCause
  /// The error number behind it, negative; 0 where there is none.
  public var code: Int32
  /// The first frame that was not heard, or the first that is heard again.
  public var frame: DeviceFrame

  /// Describes a change.
  public init(kind: Kind, cause: OutageCause, code: Int32 = 0, frame: DeviceFrame) {
    self.kind = kind
    self.cause = cause
    self.code = code
    self.frame = frame
  }

  fileprivate init(bits: UInt64) {
    kind = Kind(rawValue: UInt8(bits & 3)) ?? .returned
    cause = OutageCause.allCases[min(Int(bits >> 2 & 3), OutageCause.allCases.count - 1)]
    code = -Int32(bits >> 4 & 0xFFF)
    frame = DeviceFrame(Int64(bits >> 16))
  }

  /// Two bits of kind, two of cause, twelve of the error number, 48 of the frame, which last for decades.
  fileprivate var bits: UInt64 {
    let place = UInt64(OutageCause.allCases.firstIndex(of: cause) ?? 0)
    return UInt64(kind.rawValue) | place << 2 | UInt64(min(4095, max(0, -code))) << 4
      | UInt64(max(0, frame.value)) << 16
  }
}

/// Where the render thread says that its device stopped sounding, and that it sounds again.
///
/// Lives on two threads: the render thread writes, the handler thread reads everything in order, others the latest.
/// A reader that is more than ``capacity`` changes behind loses the oldest pairs, never the present state.
final class OutageBoard: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: the slots are atomics, allocated by the maker and freed at the end.

  /// Changes that are kept; an even number, so that pairs stay pairs.
  static let capacity = 64

  private let slots: UnsafeMutablePointer<Atomic<UInt64>>
  private let written = Atomic<Int>(0)

  init() {
    slots = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (slots + index).initialize(to: Atomic(0)) }
  }

  deinit {
    slots.deinitialize(count: Self.capacity)
    slots.deallocate()
  }

  /// Changes so far.
  var count: Int {
    // Ordering: whoever sees the count sees the slots before it; pairs with the store in `write`.
    written.load(ordering: .acquiring)
  }

  /// Appends a change.
  ///
  /// Threads: render. Real-time: yes.
  func write(_ change: OutageChange) {
    // Ordering: one writer; the slot is published by the count.
    let index = written.load(ordering: .relaxed)
    slots[index % Self.capacity].store(change.bits, ordering: .relaxed)
    written.store(index + 1, ordering: .releasing)
  }

  /// A change by its place among all.
  func change(_ index: Int) -> OutageChange {
    // Ordering: none needed beyond that of `count`, which the caller has read.
    OutageChange(bits: slots[index % Self.capacity].load(ordering: .relaxed))
  }

  /// The last change; nil before the first.
  var latest: OutageChange? {
    let count = count
    return count == 0 ? nil : change(count - 1)
  }
}
