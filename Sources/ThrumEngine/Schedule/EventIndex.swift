import ThrumPattern
import ThrumRealtime

/// The events of a pattern in the order in which they sound, four bytes each, and the means to make a page of
/// them.
///
/// Sorting a long pattern's index instead of its compiled events leaves the pattern's own memory as the only
/// other copy; a page is compiled when it is wanted and can be thrown away and compiled again.
struct EventIndex: Sendable {
  private let entries: [Pattern.Entry]
  /// Positions in `entries`, by start frame and then by place in the file.
  private let order: [UInt32]
  /// The sounds of the entries that have one.
  let sounds: ScheduleSounds

  /// Sorts the events that can sound.
  init(entries: [Pattern.Entry], sounds: ScheduleSounds = .none) {
    self.sounds = sounds
    let hasSound = { (position: Int) in sounds.use(ofEntry: UInt32(truncatingIfNeeded: position)) != nil }
    var keys: [(frame: Int64, entry: UInt32)] = []
    keys.reserveCapacity(entries.count)
    var isSorted = true
    for (position, entry) in entries.enumerated() {
      guard case .event(let event) = entry, Self.canSound(event, hasSound: hasSound(position)) else {
        continue
      }
      let frame = Timeline.frame(atSeconds: event.time).value
      if let last = keys.last, last.frame > frame { isSorted = false }
      keys.append((frame, UInt32(truncatingIfNeeded: position)))
    }
    if !isSorted { keys.sort { ($0.frame, $0.entry) < ($1.frame, $1.entry) } }
    order = keys.map(\.entry)
    self.entries = entries
  }

  /// The number of events.
  var count: Int { order.count }

  /// Whether any event is heard.
  var hasSounds: Bool {
    order.contains { position in
      if case .event(let event) = entries[Int(position)] { return !event.type.isHaptic }
      return false
    }
  }

  /// The number of pages, the last of which may not be full.
  var pageCount: Int { (order.count + ScheduleView.pageEvents - 1) / ScheduleView.pageEvents }

  /// The number of events on a page.
  func eventCount(onPage page: Int) -> Int {
    min(ScheduleView.pageEvents, order.count - page * ScheduleView.pageEvents)
  }

  /// The page of the first event that begins at a frame or later; the last page where there is none.
  func page(atFrame frame: Int64) -> Int {
    max(0, min(firstEvent(atFrame: frame) / ScheduleView.pageEvents, pageCount - 1))
  }

  /// The first event that begins at a frame or later.
  func firstEvent(atFrame frame: Int64) -> Int {
    firstIndex(below: order.count) { startFrame(of: $0) >= frame }
  }

  /// The end of the last tap's tail at the parameters of the pattern's events, if any tap can sound past a
  /// frame.
  func lastTapEnd(notBefore frame: Int64) -> Int64 {
    var last = lastSoundEnd(notBefore: frame)
    for position in order.indices.reversed() {
      if startFrame(of: position) + TapLength.longest < frame { break }
      guard case .event(let event) = entries[Int(order[position])], event.type == .hapticTransient else {
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
    for position in order {
      guard let use = sounds.use(ofEntry: position),
        case .event(let event) = entries[Int(position)], (event.duration ?? 0) <= 0
      else { continue }
      let start = Timeline.frame(atSeconds: event.time).value
      if use.isLooped {
        last = max(last, start + ScheduledEvent.longestEndless)
      } else {
        let seconds = sounds.sources[Int(use.source)].seconds
        last = max(last, Timeline.frame(atSeconds: event.time + seconds).value + 1)
      }
    }
    return last
  }

  private func startFrame(of position: Int) -> Int64 {
    guard case .event(let event) = entries[Int(order[position])] else { return 0 }
    return Timeline.frame(atSeconds: event.time).value
  }

  /// Compiles a page into memory for ``ScheduleView/pageEvents`` events.
  func compile(page: Int, into destination: UnsafeMutablePointer<ScheduledEvent>) {
    let first = page * ScheduleView.pageEvents
    for offset in 0..<eventCount(onPage: page) {
      let position = order[first + offset]
      guard case .event(let event) = entries[Int(position)] else { continue }
      var compiled = ScheduledEvent(event, entryIndex: position)
      if let use = sounds.use(ofEntry: position) { compiled.play(use) }
      (destination + offset).initialize(to: compiled)
    }
  }

  /// Whether an event reaches a voice: it does not lack its sound, and is not one whose duration is a part of a frame.
  private static func canSound(_ event: Event, hasSound: @autoclosure () -> Bool) -> Bool {
    if event.type == .audioCustom, !hasSound() { return false }
    guard event.type != .hapticTransient, let duration = event.duration, duration > 0 else { return true }
    return Timeline.frame(atSeconds: duration).value > 0
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
