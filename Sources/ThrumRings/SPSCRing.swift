import Synchronization

/// A bounded first-in first-out queue between exactly one producer thread and one consumer thread.
///
/// Neither side ever waits, locks or allocates: a push onto a full ring and a pop from an empty one return at
/// once and say so. The value is a handle; copies refer to the same ring. Call ``deallocate()`` once, when both
/// threads are done with it.
///
/// Elements are bitwise-copyable, so a slot that was read needs no clean-up. The methods carry no real-time attribute,
/// which generics cannot; being inlinable, they are checked where an annotated caller specialises them.
public struct SPSCRing<Element: BitwiseCopyable>: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `head` is written by the consumer alone and `tail` by the producer alone; a
  // slot is written before `tail` is published past it and read before `head` is published past it.

  /// The two positions, each on a cache line of its own so that the threads do not slow each other down.
  @usableFromInline
  struct Positions: ~Copyable {
    @usableFromInline let head = Atomic<Int>(0)
    @usableFromInline let padding: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let tail = Atomic<Int>(0)
    @usableFromInline init() {}
  }

  // Immutable to the compiler: what changes inside are atomics, which need no exclusive access.
  @usableFromInline let positions: UnsafePointer<Positions>
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let mask: Int

  /// The number of elements the ring holds when full; a power of two.
  @inlinable
  public var capacity: Int { mask &+ 1 }

  /// Creates a ring.
  /// - Parameter minimumCapacity: At least this many elements fit, 1 or more; rounded up to a power of two.
  ///
  /// Threads: any. Real-time: no, allocates.
  public init(minimumCapacity: Int) {
    precondition(minimumCapacity > 0, "a ring holds at least one element")
    var capacity = 1
    while capacity < minimumCapacity { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    let positions = UnsafeMutablePointer<Positions>.allocate(capacity: 1)
    positions.initialize(to: Positions())
    self.positions = UnsafePointer(positions)
  }

  /// Frees the ring. No copy of the handle may be used afterwards.
  ///
  /// Threads: any, after both sides have stopped. Real-time: no.
  public func deallocate() {
    UnsafeMutablePointer(mutating: positions).deinitialize(count: 1)
    positions.deallocate()
    slots.deallocate()
  }

  /// Appends an element, or returns false and changes nothing when the ring is full.
  ///
  /// Threads: the producer. Real-time: yes.
  @inlinable
  public func push(_ element: Element) -> Bool {
    // Ordering: none needed, the producer's own position.
    let tail = positions.pointee.tail.load(ordering: .relaxed)
    // Ordering: pairs with the release in `pop`, so that a slot is not overwritten while it is read.
    let head = positions.pointee.head.load(ordering: .acquiring)
    if tail &- head > mask { return false }
    slots[tail & mask] = element
    // Ordering: publishes the slot; pairs with the acquire in `pop`.
    positions.pointee.tail.store(tail &+ 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest element, or returns nil when the ring is empty.
  ///
  /// Threads: the consumer. Real-time: yes.
  @inlinable
  public func pop() -> Element? {
    // Ordering: none needed, the consumer's own position.
    let head = positions.pointee.head.load(ordering: .relaxed)
    // Ordering: pairs with the release in `push`, so that the slot's contents are visible.
    let tail = positions.pointee.tail.load(ordering: .acquiring)
    if head == tail { return nil }
    let element = slots[head & mask]
    // Ordering: gives the slot back; pairs with the acquire in `push`.
    positions.pointee.head.store(head &+ 1, ordering: .releasing)
    return element
  }

  /// The number of elements that can be pushed: for the producer at least so many, since the consumer may be taking more;
  /// for the consumer at most so many.
  ///
  /// Threads: any. Real-time: yes.
  @inlinable
  public var freeCapacity: Int {
    get {
      // Ordering: none needed, the producer's own position; for others a bound will do.
      let tail = positions.pointee.tail.load(ordering: .relaxed)
      // Ordering: pairs with the release in `pop`, as in `push`.
      let head = positions.pointee.head.load(ordering: .acquiring)
      return capacity &- (tail &- head)
    }
  }
}
