import CAllocationProbe
import Foundation
import Synchronization
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// What the render thread did between its brackets, written by it at its end.
private final class ProbeReading: Sendable {
  private let stored = Mutex<[String: UInt64]?>(nil)

  /// Begins and ends counting around each block.
  let bracket = Bracket(enter: { thrum_probe_begin() }, leave: { thrum_probe_end() })

  var calls: [String: UInt64]? { stored.withLock { $0 } }

  func take() {
    let counts = thrum_probe_read()
    stored.withLock {
      $0 = [
        "allocations": counts.allocations, "frees": counts.frees, "locks": counts.locks,
        "waits": counts.waits, "files": counts.files,
      ]
    }
  }

  static let none: [String: UInt64] = ["allocations": 0, "frees": 0, "locks": 0, "waits": 0, "files": 0]
}

/// Case render-thread-quiet. Its check 5, on time, is in `Benchmarks/Calls`.
@Suite("The render thread is quiet", .serialized)
struct RenderThreadTests {
  /// The case's own sizes and pattern where they are there; the same sizes and a pattern like it otherwise.
  private static func input() throws -> (pattern: Pattern, blocks: [Int]) {
    let usual = [64, 64, 1, 7, 1024, 4096, 64, 333, 8]
    let folder = "cases/render-thread-quiet"
    guard let sizes = SharedFiles.locate("\(folder)/blocks.txt", for: "render-thread-quiet"),
      let file = SharedFiles.locate("\(folder)/input.ahap", for: "render-thread-quiet")
    else { return (.busy, usual) }
    let blocks = try String(contentsOf: sizes, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
    return (try PatternFile.read(path: file.path).pattern, blocks)
  }

  @Test(
    "No allocation, lock, wait or file call after the first block, while requests come in (checks 1 to 3)",
    .enabled(if: thrum_probe_is_built()), .timeLimit(.minutes(15)),
    arguments: [
      (8000, SampleFormat.float, BusProfile.none, false), (8000, .float, .none, true),
      (48000, .s16, .safe, true),
      (48000, .float, .lra, false), (8000, .float, .coil, false), (44100, .s16, .speaker, true),
    ])
  func noCallAmidRequests(
    _ device: (rate: Int, format: SampleFormat, profile: BusProfile, hasSound: Bool)
  ) throws {
    let input = try Self.input()
    let reading = ProbeReading()
    let scene = try BusyScene(
      rate: device.rate, format: device.format, profile: device.profile, hasSound: device.hasSound,
      pattern: input.pattern, blocks: input.blocks, bracket: reading.bracket, finish: { reading.take() })
    let seed: UInt64 = 126
    try scene.playAmidRequests(seed: seed)
    #expect(reading.calls == ProbeReading.none, "seed \(seed)")
    #expect(scene.device.recorded.contains { $0 != 0 })
  }

  @Test(
    "The largest block after smaller ones allocates nothing (check 3)",
    .enabled(if: thrum_probe_is_built()), .timeLimit(.minutes(15)))
  func largestBlockLast() throws {
    let reading = ProbeReading()
    let scene = try BusyScene(
      rate: 8000, format: .float, profile: .safe, blocks: [1, 8, 64, 1024, 4096, 65536],
      bracket: reading.bracket, finish: { reading.take() })
    try scene.playAlone()
    #expect(reading.calls == ProbeReading.none)
  }

  @Test(
    "Blocks of any size make the bytes of blocks of 64 (check 4)", .timeLimit(.minutes(15)),
    arguments: [
      (8000, SampleFormat.float, BusProfile.none), (44100, .s16, .safe), (48000, .float, .lra),
      (44100, .s16, .coil), (8000, .float, .speaker),
    ])
  func sameBytes(rate: Int, format: SampleFormat, profile: BusProfile) throws {
    let input = try Self.input()
    let unwatched = Bracket(enter: {}, leave: {})
    let renders = try [input.blocks, [64]].map { blocks in
      let scene = try BusyScene(
        rate: rate, format: format, profile: profile, pattern: input.pattern, blocks: blocks,
        bracket: unwatched)
      try scene.playAlone()
      return scene.device.recorded
    }
    #expect(renders[0] == renders[1])
    #expect(renders[0].contains { $0 != 0 })
  }
}

/// The instrument itself: a probe that counts nothing would prove anything.
@Suite("The allocation probe counts", .enabled(if: thrum_probe_is_built()))
struct AllocationProbeTests {
  /// What a body does on a thread of its own.
  private func calls(_ body: @escaping @Sendable () -> Void) throws -> [String: UInt64] {
    let reading = ProbeReading()
    let thread = RenderThread(name: "thrum-probe")
    try thread.start {
      reading.bracket.enter()
      body()
      reading.bracket.leave()
      reading.take()
    }
    thread.join()
    return try #require(reading.calls)
  }

  @Test("nothing where nothing is done")
  func nothing() throws { #expect(try calls {} == ProbeReading.none) }

  @Test("an array's memory, and its end")
  func allocation() throws {
    let counts = try calls { withExtendedLifetime([UInt8](repeating: 1, count: 4096).map { $0 &+ 1 }) {} }
    #expect(counts["allocations", default: 0] >= 2)
    #expect(counts["frees", default: 0] >= 2)
  }

  @Test("memory of a wide alignment")
  func alignedAllocation() throws {
    let counts = try calls { UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 256).deallocate() }
    #expect(counts["allocations"] == 1)
    #expect(counts["frees"] == 1)
  }

  @Test("a lock")
  func lock() throws {
    let lock = NSLock()
    let counts = try calls {
      lock.lock()
      lock.unlock()
    }
    #expect(counts["locks", default: 0] >= 1)
  }

  @Test("a sleep, and a write to a file")
  func waitAndWrite() throws {
    let counts = try calls {
      usleep(1)
      var time = timespec(tv_sec: 0, tv_nsec: 1)
      nanosleep(&time, nil)
      let file = open("/dev/null", O_WRONLY)
      var byte: UInt8 = 0
      if write(file, &byte, 1) == 1 { close(file) }
    }
    #expect(counts["waits", default: 0] >= 1)
    #expect(counts["files"] == 2)
  }
}
