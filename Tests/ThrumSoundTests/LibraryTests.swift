import Foundation
import TestSupport
import Testing
import ThrumEngine

@testable import ThrumSound

@Suite("The library of sounds")
struct LibraryTests {
  @Test("Over the cap a sound is refused with the figures, and nothing else is disturbed")
  func cap() throws {
    let files = try SoundFiles()
    let small = try files.wav([Float](repeating: 0.1, count: 10_000), named: "small.wav")
    let large = try files.wav([Float](repeating: 0.1, count: 25_001), named: "large.wav")
    let library = SoundLibrary(capacity: 100_000)
    let number = try library.register(path: small)
    let refusal = try #require(refusal { _ = try library.register(path: large) })
    #expect(refusal.code == .resourceNotAvailable)
    #expect(refusal.message.contains("0.1 MB"))
    #expect(library.usedBytes == 40_000)
    #expect(try library.registered(number).sound.original.frames == 10_000)
    // A conversion counts too: 40,000 bytes at twice the rate are 80,000.
    let sound = try library.registered(number).sound
    #expect(throws: EngineError.self) { _ = try sound.samples(atRate: 96_000) }
    #expect(try sound.samples(atRate: 48_000) === sound.original)
    #expect(try sound.samples(atRate: 44_100).frames == 9188)
    #expect(library.usedBytes == 40_000 + 9188 * 4)
    // What can be made again makes room.
    let other = try files.wav([Float](repeating: 0.2, count: 14_000), named: "other.wav")
    _ = try library.register(path: other)
    #expect(library.usedBytes == 96_000)
  }

  @Test("One file is read once, and forgotten with its last user")
  func sharing() throws {
    let files = try SoundFiles()
    let path = try files.wav([0, 0.5, 0], named: "a.wav")
    let library = SoundLibrary()
    let first = try library.register(path: path)
    let second = try library.register(
      path: path, options: SoundOptions(usesVolumeEnvelope: false, isLooped: true))
    #expect(first > 0 && second > first)
    #expect(try library.registered(first).sound === library.registered(second).sound)
    #expect(try library.registered(first).options == SoundOptions())
    #expect(library.usedBytes == 12)
    try library.unregister(first)
    #expect(throws: SoundError.self) { try library.unregister(first) }
    var held: Sound? = try library.registered(second).sound
    try library.unregister(second)
    #expect(library.usedBytes == 12)
    #expect(held?.original.frames == 3)
    held = nil
    #expect(library.usedBytes == 0)
    // A file that was written anew is read anew.
    _ = try files.wav([0, 0.25, 0, 0], named: "a.wav")
    #expect(try library.sound(named: path, rules: SoundPaths(baseFolder: nil)).original.frames == 4)
  }

  @Test("Registering and dropping 10,000 sounds leaves no memory behind")
  func churn() throws {
    let files = try SoundFiles()
    let paths = try (0..<10).map {
      try files.wav([Float](repeating: 0.1, count: 500), named: "\($0).wav", rate: 44_100)
    }
    let library = SoundLibrary()
    func round(_ count: Int) throws {
      for index in 0..<count {
        let number = try library.register(path: paths[index % 10])
        _ = try library.registered(number).sound.samples(atRate: index % 100 == 0 ? 48_000 : 44_100)
        try library.unregister(number)
      }
    }
    try round(500)
    // Other tests take memory meanwhile, in some rounds: what sounds left behind would show in each.
    var growths: [Int] = []
    for _ in 0..<5 {
      let before = try residentBytes()
      try round(2000)
      growths.append(try residentBytes() - before)
    }
    #expect(library.usedBytes == 0)
    #expect(library.count == 0)
    // 2,000 sounds of 2 kB would be 4 MB.
    #expect(growths.min() ?? .max < 1_000_000, "\(growths) bytes")
  }

  @Test("A tone keeps its pitch, its level and its place through soxr")
  func conversion() throws {
    let files = try SoundFiles()
    for (from, to) in [(44_100, 48_000), (48_000, 44_100), (22_050, 48_000), (96_000, 8_000)] {
      let path = try files.wav(
        testSignal(rate: from, channels: 2), named: "\(from)-\(to).wav", rate: from, channels: 2)
      let library = SoundLibrary()
      let sound = try library.registered(library.register(path: path)).sound
      let converted = try sound.samples(atRate: to)
      #expect(converted.channels == 2 && converted.rate == to)
      let expected = testSignal(rate: to, channels: 2)
      #expect(abs(converted.frames * 2 - expected.count) <= 2)
      let level = difference(converted.samples, from: expected)
      print("\(from) to \(to): \(level) dB")
      #expect(level <= -100, "\(from) to \(to)")
    }
  }

  @Test("More than two channels become two")
  func mixing() throws {
    let files = try SoundFiles()
    let path = try files.wav([1, 0, 0.5, 0, 0.25, 0.5], named: "three.wav", channels: 3)
    let library = SoundLibrary()
    let mixed = try library.registered(library.register(path: path)).sound.samples(atRate: 48_000)
    #expect(mixed.channels == 2)
    let half = Float(0.70710678)
    #expect(mixed.samples == [1 + 0.5 * half, 0.5 * half, 0.5 * half, 0.25 + 0.5 * half])
  }

  private func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return pages * 4096
  }
}
