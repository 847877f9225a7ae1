import Testing

@testable import ThrumRings

@Suite("A ring in one thread")
struct SPSCRingTests {
  @Test("Its capacity is the power of two at or above what was asked for")
  func capacity() {
    for (asked, expected) in [(1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (1000, 1024), (1024, 1024)] {
      let ring = SPSCRing<Int>(minimumCapacity: asked)
      defer { ring.deallocate() }
      #expect(ring.capacity == expected, "asked for \(asked)")
    }
  }

  @Test("Empty it gives nil, and again after what was in it has come out")
  func empty() {
    let ring = SPSCRing<Int>(minimumCapacity: 4)
    defer { ring.deallocate() }
    #expect(ring.pop() == nil)
    #expect(ring.push(7))
    #expect(ring.pop() == 7)
    #expect(ring.pop() == nil)
  }

  @Test("Full it refuses, keeps what it has, and takes one more for each that came out")
  func full() {
    let ring = SPSCRing<Int>(minimumCapacity: 4)
    defer { ring.deallocate() }
    for value in 0..<4 { #expect(ring.push(value)) }
    #expect(!ring.push(4))
    #expect(ring.freeCapacity == 0)
    #expect(ring.pop() == 0)
    #expect(ring.freeCapacity == 1)
    #expect(ring.push(5))
    #expect(!ring.push(6))
    #expect([ring.pop(), ring.pop(), ring.pop(), ring.pop(), ring.pop()] == [1, 2, 3, 5, nil])
  }

  @Test("Every fill and every turn of a small ring keeps order", arguments: 1...9)
  func turns(capacity: Int) {
    let ring = SPSCRing<Int>(minimumCapacity: capacity)
    defer { ring.deallocate() }
    var pushed = 0
    var popped = 0
    for count in 0...ring.capacity {
      for _ in 0..<2 * ring.capacity + 1 {
        for _ in 0..<count {
          #expect(ring.push(pushed))
          pushed += 1
        }
        #expect(ring.freeCapacity == ring.capacity - count)
        for _ in 0..<count {
          #expect(ring.pop() == popped)
          popped += 1
        }
      }
    }
    #expect(ring.pop() == nil)
  }

  @Test("Positions that pass the largest integer go on")
  func wrappedPositions() {
    let ring = SPSCRing<Int>(minimumCapacity: 4)
    defer { ring.deallocate() }
    // Ordering: none needed, there is one thread.
    ring.positions.pointee.head.store(.max - 1, ordering: .relaxed)
    ring.positions.pointee.tail.store(.max - 1, ordering: .relaxed)
    for value in 0..<4 { #expect(ring.push(value)) }
    #expect(!ring.push(4))
    for value in 0..<4 { #expect(ring.pop() == value) }
    #expect(ring.pop() == nil)
  }
}
