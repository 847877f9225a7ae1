import ThrumPattern
import ThrumRealtime

/// The events of a pattern in the order in which they sound, and the means to make a page of them.
///
/// The pattern's own entries are the only copy of the events; a page is compiled when it is wanted and can be thrown away
/// and compiled again. Where the file has events alone, in their order, there is nothing to remember beside them; else the
/// order takes four bytes an event.
struct EventIndex: Sendable {
  private let entries: PatternEntries
  /// Positions in `entries`, by start frame and then by place in the file; nil where they are the numbers from 0 up.
  private let order: [UInt32]?
  /// The number of events.
  let count: Int
  /// Whether any event is heard.
  let hasSounds: Bool
  /// The sounds of the entries that have one.
  let sounds: ScheduleSounds

  /// Sorts the events that can sound.
  init(entries: PatternEntries, sounds: ScheduleSounds = .none) {
    self.sounds = sounds
    self.entries = entries
    var count = 0
    var hasSounds = false
    var frames = (last: Int64.min, first: Int64.max, greatest: Int64.min)
    var isSorted = true
    Self.forEachEvent(of: entries, sounds) { _, frame, isHeard in
      if frame < frames.last { isSorted = false }
      frames = (frame, min(frames.first, frame), max(frames.greatest, frame))
      count += 1
      if isHeard { hasSounds = true }
    }
    self.count = count
    self.hasSounds = hasSounds
    if isSorted, count == entries.count {
      order = nil
    } else if isSorted {
      var order: [UInt32] = []
      order.reserveCapacity(count)
      Self.forEachEvent(of: entries, sounds) { position, _, _ in order.append(position) }
      self.order = order
    } else {
      order = Self.sorted(entries, sounds, count: count, first: frames.first, last: frames.greatest)
    }
  }

  private static func forEachEvent(
    of entries: PatternEntries, _ sounds: ScheduleSounds,
    _ body: (_ position: UInt32, _ frame: Int64, _ isHeard: Bool) -> Void
  ) {
    let hasFiles = !sounds.isEmpty
    entries.forEachOutline { position, entry in
      guard case .event(let type) = entry.kind else { return }
      let position = UInt32(truncatingIfNeeded: position)
      if type == .audioCustom, !hasFiles || sounds.use(ofEntry: position) == nil { return }
      // One whose duration is a part of a frame reaches no voice.
      if type != .hapticTransient, let duration = entry.duration, duration > 0,
        Timeline.frame(atSeconds: duration).value == 0
      {
        return
      }
      body(position, Timeline.frame(atSeconds: entry.time).value, !type.isHaptic)
    }
  }

  /// The positions of the events, sorted.
  private static func sorted(
    _ entries: PatternEntries, _ sounds: ScheduleSounds, count: Int, first: Int64, last: Int64
  ) -> [UInt32] {
    let positionBits = UInt64(64 - entries.count.leadingZeroBitCount)
    guard UInt64(last - first).leadingZeroBitCount >= positionBits else {
      var keys: [(frame: Int64, position: UInt32)] = []
      keys.reserveCapacity(count)
      forEachEvent(of: entries, sounds) { position, frame, _ in keys.append((frame, position)) }
      keys.sort { ($0.frame, $0.position) < ($1.frame, $1.position) }
      return keys.map(\.position)
    }
    // Frame and position in one number: half the memory, and quicker to compare.
    var keys: [UInt64] = []
    keys.reserveCapacity(count)
    forEachEvent(of: entries, sounds) { position, frame, _ in
      keys.append(UInt64(frame - first) << positionBits | UInt64(position))
    }
    keys.sort()
    return keys.map { UInt32(truncatingIfNeeded: $0 & (1 << positionBits - 1)) }
  }

  /// Bytes that the order takes.
  var orderBytes: Int { (order?.count ?? 0) * MemoryLayout<UInt32>.stride }

  /// The position among the entries of an event of the order.
  private func position(_ event: Int) -> Int { order.map { Int($0[event]) } ?? event }

  /// The number of pages, the last of which may not be full.
  var pageCount: Int { (count + ScheduleView.pageEvents - 1) / ScheduleView.pageEvents }

  /// The number of events on a page.
  func eventCount(onPage page: Int) -> Int {
    min(ScheduleView.pageEvents, count - page * ScheduleView.pageEvents)
  }

  /// The page of the first event that begins at a frame or later; the last page where there is none.
  func page(atFrame frame: Int64) -> Int {
    max(0, min(firstEvent(atFrame: frame) / ScheduleView.pageEvents, pageCount - 1))
  }

  /// The first event that begins at a frame or later.
  func firstEvent(atFrame frame: Int64) -> Int {
    firstIndex(below: count) { startFrame(of: $0) >= frame }
  }

  /// The end of the last tap's tail at the parameters of the pattern's events, if any tap can sound past a
  /// frame.
  func lastTapEnd(notBefore frame: Int64) -> Int64 {
    var last = lastSoundEnd(notBefore: frame)
    for event in (0..<count).reversed() {
      if startFrame(of: event) + TapLength.longest < frame { break }
      guard case .event(let event) = entries[position(event)], event.type == .hapticTransient else {
        continue
      }
      let tap = ScheduledEvent(event, entryIndex: 0)
      last = max(last, tap.startFrame + TapLength.frames(of: tap))
    }
    return last
  }

  /// The end of the last sound that plays to its own end, if any does past a frame.
  private func lastSoundEnd(notBefore frame: Int64) -> Int64 {
    guard !sounds.isEmpty else { return 0 }
    var last: Int64 = 0
    entries.forEachOutline { position, entry in
      guard let use = sounds.use(ofEntry: UInt32(truncatingIfNeeded: position)),
        case .event = entry.kind, (entry.duration ?? 0) <= 0
      else { return }
      let start = Timeline.frame(atSeconds: entry.time).value
      if use.isLooped {
        last = max(last, start + ScheduledEvent.longestEndless)
      } else {
        let seconds = sounds.sources[Int(use.source)].seconds
        last = max(last, Timeline.frame(atSeconds: entry.time + seconds).value + 1)
      }
    }
    return last
  }

  private func startFrame(of event: Int) -> Int64 {
    Timeline.frame(atSeconds: entries.outline(at: position(event)).time).value
  }

  /// Compiles a page into memory for ``ScheduleView/pageEvents`` events.
  func compile(page: Int, into destination: UnsafeMutablePointer<ScheduledEvent>) {
    let first = page * ScheduleView.pageEvents
    for offset in 0..<eventCount(onPage: page) {
      let position = position(first + offset)
      guard case .event(let event) = entries[position] else { continue }
      let entryIndex = UInt32(truncatingIfNeeded: position)
      var compiled = ScheduledEvent(event, entryIndex: entryIndex)
      if let use = sounds.use(ofEntry: entryIndex) { compiled.play(use) }
      (destination + offset).initialize(to: compiled)
    }
  }
}

extension ScheduledEvent {
  /// Converts an event that can sound.
  init(_ event: Event, entryIndex: UInt32) {
    var durationFrames = ScheduledEvent.endless
    if let duration = event.duration, duration > 0 {
      durationFrames = Timeline.frame(atSeconds: duration).value
    }
    self.init(
      startFrame: Timeline.frame(atSeconds: event.time).value,
      durationFrames: durationFrames,
      entryIndex: entryIndex,
      kind: ScheduledEventKind(event.type),
      isSustained: event.value(of: .sustained) >= 0.5,
      intensity: event.clampedValue(of: event.type.isHaptic ? .hapticIntensity : .audioVolume),
      sharpness: event.clampedValue(of: event.type.isHaptic ? .hapticSharpness : .audioBrightness),
      attack: event.clampedValue(of: .attackTime),
      decay: event.clampedValue(of: .decayTime),
      release: event.clampedValue(of: .releaseTime))
    if event.type.isHaptic { return }
    pitch = event.clampedValue(of: .audioPitch)
    pan = event.clampedValue(of: .audioPan)
    startRemainder = ScheduledEvent.remainder(ofSeconds: event.time, frames: startFrame)
    if durationFrames != ScheduledEvent.endless {
      durationRemainder = ScheduledEvent.remainder(ofSeconds: event.duration ?? 0, frames: durationFrames)
    } else if kind == .tone {
      self.durationFrames = ScheduledEvent.longestEndless
    }
  }

  /// Frames of what plays on by itself and has no end: 30 s, as for haptic events.
  fileprivate static let longestEndless = Int64(
    ScheduleCompiler.longestContinuousSeconds * Double(RenderRate.framesPerSecond))

  /// Says how the event plays its sound.
  fileprivate mutating func play(_ use: ScheduleSounds.Use) {
    soundIndex = use.source
    usesEnvelope = use.usesEnvelope
    isLooped = use.isLooped
    if isLooped, durationFrames == ScheduledEvent.endless { durationFrames = ScheduledEvent.longestEndless }
  }

  /// What whole frames are short of a time.
  private static func remainder(ofSeconds seconds: Double, frames: Int64) -> Float {
    Float(min(max(seconds * Double(RenderRate.framesPerSecond) - Double(frames), -0.5), 0.5))
  }
}

extension ScheduledEventKind {
  fileprivate init(_ type: EventType) {
    switch type {
    case .hapticTransient: self = .transient
    case .hapticContinuous: self = .continuous
    case .audioContinuous: self = .tone
    case .audioCustom: self = .sound
    }
  }
}

extension Event {
  /// The value of a parameter within its range; the default for what is no number. A pattern from a file is
  /// in range already, one made by a program need not be.
  fileprivate func clampedValue(of parameter: EventParameterID) -> Float {
    let value = value(of: parameter)
    if value.isNaN { return parameter.defaultValue(for: type) }
    return min(max(value, parameter.range.lowerBound), parameter.range.upperBound)
  }
}
