/// The longest a continuous event is held; whatever is longer is released then.
let longestHeldSeconds = 30.0

extension AHAPReader {
  /// Warns of everything an event carries that nobody will feel: what has been read must have an effect, or
  /// its author must hear that it has none.
  mutating func remarkOnEffect(of event: Event, _ draft: EventDraft) {
    switch event.type {
    case .hapticTransient: remarkOnTransient(event, draft)
    case .hapticContinuous: remarkOnContinuous(event, draft)
    case .audioContinuous, .audioCustom: remarkOnSound(event, draft)
    }
    if event.type != .audioCustom { remarkOnWaveformKeys(event, draft) }
    place.item = nil
    place.key = nil
  }

  private mutating func remarkOnTransient(_ event: Event, _ draft: EventDraft) {
    if event.duration != nil {
      place.key = .eventDuration
      remark(.warning, .noEffect, at: draft.durationOffset) { _ in
        "a HapticTransient has a length of its own; this can only move the pattern's end"
      }
    }
    guard !event.parameters.isEmpty else { return }
    for id in [EventParameterID.releaseTime, .sustained] where event.parameters[id] != nil {
      remarkIdle(id, draft, "\(id.rawValue) has no effect on a HapticTransient, which ends by itself")
    }
    remarkOnSoundParameters(event, draft)
  }

  private mutating func remarkOnContinuous(_ event: Event, _ draft: EventDraft) {
    if let duration = event.duration {
      place.key = .eventDuration
      if duration == 0 {
        remarkEndless(event, at: draft.durationOffset, "0 s means no end")
      } else if duration > longestHeldSeconds {
        let limit = "\(plain(longestHeldSeconds)) s"
        remark(.warning, .duration, at: draft.durationOffset) { _ in
          "longer than \(limit); the event fades out \(limit) after it begins"
        }
      } else if duration * timelineFramesPerSecond < 0.5 {
        remark(.warning, .duration, at: draft.durationOffset) { _ in
          "shorter than half a frame, which is 0.0000625 s; nothing is played"
        }
      }
      place.key = nil
    } else {
      remarkEndless(event, at: draft.start, "no `EventDuration`")
    }
    guard !event.parameters.isEmpty else { return }
    remarkOnEnvelope(event, draft)
    remarkOnSoundParameters(event, draft)
  }

  private mutating func remarkOnEnvelope(_ event: Event, _ draft: EventDraft) {
    let isSustained = event.value(of: .sustained) >= 0.5
    if isSustained, event.parameters[.decayTime] != nil {
      remarkIdle(.decayTime, draft, "DecayTime has no effect here; it acts where Sustained is 0")
    }
    if !isSustained, event.type != .audioCustom, event.parameters[.releaseTime] != nil {
      remarkIdle(
        .releaseTime, draft,
        "ReleaseTime acts on an event with Sustained 0 only where it ends before its decay")
    }
  }

  private mutating func remarkEndless(_ event: Event, at offset: Int, _ found: String) {
    remark(.warning, .duration, at: offset) { _ in
      "\(found); \(event.type == .hapticContinuous ? "a" : "an") \(event.type.rawValue) event needs a duration, without one it fades out after "
        + "\(plain(longestHeldSeconds)) s"
    }
  }

  private mutating func remarkOnSound(_ event: Event, _ draft: EventDraft) {
    for id in [EventParameterID.hapticIntensity, .hapticSharpness] where event.parameters[id] != nil {
      remarkIdle(id, draft, "\(id.rawValue) has no effect on a sound")
    }
    remarkOnSoundLength(event, draft)
    let isRamped = event.type == .audioContinuous || event.usesVolumeEnvelope != false
    if isRamped {
      remarkOnEnvelope(event, draft)
    } else {
      for id in [EventParameterID.attackTime, .decayTime, .releaseTime, .sustained]
      where event.parameters[id] != nil {
        remarkIdle(id, draft, "\(id.rawValue) has no effect; EventWaveformUseVolumeEnvelope is off")
      }
    }
    guard event.type == .audioCustom else { return }
    guard let path = event.waveformPath else {
      remark(.warning, .sound, at: draft.start) { _ in
        "no `EventWaveformPath`; an AudioCustom event needs the path of a sound file"
      }
      return
    }
    guard let problem = sounds.problem(with: path) else { return }
    place.key = .eventWaveformPath
    remark(.warning, .sound, at: draft.waveformOffset) { _ in problem }
  }

  private mutating func remarkOnSoundLength(_ event: Event, _ draft: EventDraft) {
    let playsOn = event.type == .audioContinuous || event.isLooped == true
    if let duration = event.duration, duration > 0, duration * timelineFramesPerSecond < 0.5 {
      place.key = .eventDuration
      remark(.warning, .duration, at: draft.durationOffset) { _ in
        "shorter than half a frame, which is 0.0000625 s; nothing is played"
      }
      place.key = nil
    } else if playsOn, (event.duration ?? 0) == 0 {
      let found = event.duration == nil ? "no `EventDuration`" : "0 s means no end"
      place.key = event.duration == nil ? nil : .eventDuration
      remarkEndless(event, at: event.duration == nil ? draft.start : draft.durationOffset, found)
      place.key = nil
    }
  }

  private mutating func remarkOnSoundParameters(_ event: Event, _ draft: EventDraft) {
    let ids: [EventParameterID] = [.audioVolume, .audioPitch, .audioPan, .audioBrightness]
    for id in ids where event.parameters[id] != nil {
      remarkIdle(id, draft, "\(id.rawValue) has no effect on a \(event.type.rawValue) event, only on sounds")
    }
  }

  private mutating func remarkOnWaveformKeys(_ event: Event, _ draft: EventDraft) {
    let keys: [(AHAPKey, isGiven: Bool, offset: Int)] = [
      (.eventWaveformPath, event.waveformPath != nil, draft.waveformOffset),
      (.eventWaveformUseVolumeEnvelope, event.usesVolumeEnvelope != nil, draft.volumeEnvelopeOffset),
      (.eventWaveformLoopEnabled, event.isLooped != nil, draft.loopOffset),
    ]
    for (key, isGiven, offset) in keys where isGiven {
      place.item = nil
      place.key = key
      remark(.warning, .noEffect, at: offset) { _ in
        "\(key.name) has no effect on a \(event.type.rawValue) event, only on AudioCustom"
      }
    }
  }

  /// Warns of a parameter without an effect.
  private mutating func remarkIdle(_ id: EventParameterID, _ draft: EventDraft, _ message: String) {
    place.key = .eventParameters
    remark(.warning, .noEffect, at: Int(draft.parameterOffsets[id.index])) { _ in message }
    place.key = nil
  }
}
