import Glibc
import Synchronization
import Testing
import ThrumRings

/// An element of several words, so that one that is read while it is written shows.
private struct Parcel: BitwiseCopyable, Equatable {
  var number: UInt64
  var words: (UInt64, UInt64, UInt64, UInt64, UInt64)

  init(_ number: UInt64) {
    self.number = number
    words = (number &* 3, number &* 5, number &* 7, number &* 11, ~number)
  }

  static func == (a: Parcel, b: Parcel) -> Bool { a.number == b.number && a.words == b.words }
}

/// What the two threads of a run counted.
private struct Tally: Equatable {
  var accepted: UInt64 = 0
  var refused: UInt64 = 0
  var received: UInt64 = 0
  var emptyLooks: UInt64 = 0
  var firstWrong: UInt64?
}

/// Which of the two threads gives way now and then, so that the ring runs dry or full.
enum RingPace: Sendable {
  case even, slowProducer, slowConsumer
}

/// Two threads at the two ends of a ring; every element is numbered, so that one lost, doubled, torn or out of order
/// shows. Run under `--sanitize=thread` as well.
@Suite("A ring between two threads", .serialized)
struct SPSCRingStressTests {
  /// Pushes so many elements, again and again where the ring is full, and pops them on another thread.
  private func run(capacity: Int, count: UInt64, pace: RingPace) throws -> Tally {
    let ring = SPSCRing<Parcel>(minimumCapacity: capacity)
    defer { ring.deallocate() }
    let consumed = Mutex(Tally())
    let thread = try TestThread {
      var tally = Tally()
      while tally.received < count {
        guard let parcel = ring.pop() else {
          tally.emptyLooks += 1
          sched_yield()
          continue
        }
        if parcel != Parcel(tally.received), tally.firstWrong == nil { tally.firstWrong = tally.received }
        tally.received += 1
        if pace == .slowConsumer, tally.received % 16 == 0 { sched_yield() }
      }
      consumed.withLock { $0 = tally }
    }
    var accepted: UInt64 = 0
    var refused: UInt64 = 0
    while accepted < count {
      if ring.push(Parcel(accepted)) {
        accepted += 1
        if pace == .slowProducer, accepted % 16 == 0 { sched_yield() }
      } else {
        refused += 1
        sched_yield()
      }
    }
    thread.join()
    var tally = consumed.withLock { $0 }
    if ring.pop() != nil { tally.firstWrong = tally.firstWrong ?? count }
    tally.accepted = accepted
    tally.refused = refused
    return tally
  }

  @Test(
    "Nothing is lost, doubled, torn or out of order", .timeLimit(.minutes(15)),
    arguments: [1, 2, 8, 1024], [RingPace.even, .slowProducer, .slowConsumer])
  func allArrive(capacity: Int, pace: RingPace) throws {
    // In a ring of one or two nearly every element costs a switch of threads.
    let count: UInt64 = capacity <= 2 ? 3_000 : 100_000
    let tally = try run(capacity: capacity, count: count, pace: pace)
    #expect(tally.firstWrong == nil)
    #expect(tally.accepted == count)
    #expect(tally.received == count)
  }

  @Test("A ring of one meets both edges, and counts them", .timeLimit(.minutes(15)))
  func bothEdges() throws {
    let tally = try run(capacity: 1, count: 3_000, pace: .even)
    #expect(tally.refused > 0, "the producer never found the ring full")
    #expect(tally.emptyLooks > 0, "the consumer never found the ring empty")
    #expect(tally.firstWrong == nil)
  }

  @Test("What a full ring refuses never arrives, and all that it accepts does", .timeLimit(.minutes(15)))
  func countedDrops() throws {
    let ring = SPSCRing<Parcel>(minimumCapacity: 4)
    defer { ring.deallocate() }
    let isDone = Atomic<Bool>(false)
    let received = Mutex([UInt64]())
    let thread = try TestThread {
      var numbers = [UInt64]()
      while true {
        // Ordering: pairs with the store below, so that the last look sees the last push.
        let wasDone = isDone.load(ordering: .acquiring)
        while let parcel = ring.pop() {
          numbers.append(parcel == Parcel(parcel.number) ? parcel.number : .max)
        }
        if wasDone { break }
        sched_yield()
      }
      received.withLock { $0 = numbers }
    }
    var accepted = [UInt64]()
    for number in UInt64(0)..<50_000 where ring.push(Parcel(number)) { accepted.append(number) }
    // Ordering: pairs with the load above.
    isDone.store(true, ordering: .releasing)
    thread.join()
    #expect(received.withLock { $0 } == accepted)
    #expect(accepted.count >= 4)
  }

  @Test("The room that the producer sees is there", .timeLimit(.minutes(15)))
  func freeCapacityHolds() throws {
    let ring = SPSCRing<UInt64>(minimumCapacity: 16)
    defer { ring.deallocate() }
    let count: UInt64 = 50_000
    let thread = try TestThread {
      var left = count
      while left > 0 { if ring.pop() != nil { left -= 1 } else { sched_yield() } }
    }
    var pushed: UInt64 = 0
    var broken = 0
    while pushed < count {
      for _ in 0..<min(UInt64(ring.freeCapacity), count - pushed) {
        if ring.push(pushed) { pushed += 1 } else { broken += 1 }
      }
      sched_yield()
    }
    thread.join()
    #expect(broken == 0)
  }
}

/// A thread that runs a closure; the tests of the lowest layer have no engine to borrow one from.
private final class TestThread {
  struct Failure: Error { var code: Int32 }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var handle = pthread_t()

  init(_ run: @escaping @Sendable () -> Void) throws {
    let body = Unmanaged.passRetained(Body(run))
    let code = pthread_create(
      &handle, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      throw Failure(code: code)
    }
  }

  func join() { pthread_join(handle, nil) }
}
