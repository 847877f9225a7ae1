import TestSupport
import Testing

@testable import ThrumPattern

/// Packed entries behave as an array of them would.
@Suite struct PatternEntriesTests {
  /// Entries of every kind with every member there and not.
  static func entry(_ random: inout SeededGenerator) -> Pattern.Entry {
    let value = { (random: inout SeededGenerator) in Float(random.number(in: -1..<1)) }
    let time = random.chance(0.1) ? -0.0 : random.number(in: 0..<1e6)
    switch random.whole(in: 0...5) {
    case 0:
      return .parameter(
        DynamicParameter(id: random.one(of: DynamicParameterID.allCases), value: value(&random), time: time))
    case 1:
      let points = (0..<random.whole(in: 0...5)).map { index in
        ParameterCurve.Point(time: Double(index) / 3, value: value(&random))
      }
      return .curve(
        ParameterCurve(id: random.one(of: DynamicParameterID.allCases), time: time, points: points))
    default:
      var event = Event(type: random.one(of: EventType.allCases), time: time)
      if random.chance(0.5) { event.duration = random.number(in: 0..<9) }
      for id in EventParameterID.allCases where random.chance(0.4) { event.parameters[id] = value(&random) }
      if random.chance(0.2) { event.waveformPath = random.one(of: ["", "a.wav", "b é.wav"]) }
      if random.chance(0.2) { event.soundNumber = random.one(of: [1, -1, Int(Int32.max), Int(Int32.min)]) }
      if random.chance(0.3) { event.isLooped = random.chance(0.5) }
      if random.chance(0.3) { event.usesVolumeEnvelope = random.chance(0.5) }
      return .event(event)
    }
  }

  @Test func changesLikeAnArray() {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var array: [Pattern.Entry] = []
      var entries = PatternEntries()
      for step in 0..<120 {
        let kept = entries
        let before = array
        switch random.whole(in: 0...6) {
        case 0 where !array.isEmpty:
          let position = random.whole(in: 0...array.count - 1)
          let entry = Self.entry(&random)
          array[position] = entry
          entries[position] = entry
        case 1 where !array.isEmpty:
          let position = random.whole(in: 0...array.count - 1)
          #expect(array.remove(at: position) == entries.remove(at: position))
        case 2:
          let lower = random.whole(in: 0...array.count)
          let range = lower..<random.whole(in: lower...array.count)
          let new = (0..<random.whole(in: 0...12)).map { _ in Self.entry(&random) }
          array.replaceSubrange(range, with: new)
          entries.replaceSubrange(range, with: new)
        case 3:
          let count = random.whole(in: 0...array.count)
          array.removeLast(array.count - count)
          entries.truncate(to: count)
        default:
          let entry = Self.entry(&random)
          array.append(entry)
          entries.append(entry)
        }
        #expect(Array(entries) == array, "seed \(seed), step \(step)")
        #expect(entries.indices.map { entries[$0] } == array, "seed \(seed), step \(step)")
        // A copy that was taken before does not change with it.
        #expect(Array(kept) == before, "seed \(seed), step \(step)")
      }
      #expect(entries == PatternEntries(array), "seed \(seed)")
      entries.trim()
      #expect(Array(entries) == array, "seed \(seed)")
    }
  }

  @Test func outlinesSayWhatEntriesSay() {
    var random = SeededGenerator(seed: 77)
    let entries = PatternEntries((0..<500).map { _ in Self.entry(&random) })
    var positions: [Int] = []
    entries.forEachOutline { position, outline in
      positions.append(position)
      switch (entries[position], outline.kind) {
      case (.event(let event), .event(let type)):
        #expect(event.type == type && event.time == outline.time && event.duration == outline.duration)
      case (.parameter(let parameter), .parameter(let id)):
        #expect(parameter.id == id && parameter.time == outline.time)
      case (.curve(let curve), .curve(let id)):
        #expect(curve.id == id && curve.time == outline.time && curve.points.count == outline.pointCount)
        for (index, point) in curve.points.enumerated() {
          #expect(entries.point(index, ofCurveAt: position) == point)
        }
      default: Issue.record("\(entries[position]) is outlined as \(outline)")
      }
    }
    #expect(positions == Array(0..<500))
    let pattern = Pattern(entries: entries)
    #expect(pattern.eventCount(where: \.isHaptic) == pattern.events.count { $0.type.isHaptic })
  }

  /// What an event takes: the bar is 64 bytes, order and all.
  @Test func anEventTakesFewBytes() {
    func bytes(of entry: Pattern.Entry) -> Double {
      let entries = PatternEntries(repeating: entry, count: 1000)
      return Double(entries.storage.byteCount) / 1000
    }
    var tap = Event(type: .hapticTransient, time: 1)
    tap.parameters[.hapticIntensity] = 0.5
    tap.parameters[.hapticSharpness] = 0.5
    #expect(bytes(of: .event(tap)) <= 21)
    var full = Event(type: .audioCustom, time: 1, duration: 2, waveformPath: "a.wav", soundNumber: 3)
    for id in EventParameterID.allCases { full.parameters[id] = 0.5 }
    // With the four bytes of its place in a pattern out of order.
    #expect(bytes(of: .event(full)) + 4 <= 73)
  }
}
