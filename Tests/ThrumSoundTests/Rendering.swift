import TestSupport
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@testable import ThrumSound

/// What came out of a render, channel by channel.
struct Channels {
  var signals: [[Double]]
  var rate: Int

  var haptic: [Double] { signals[0] }
  var left: [Double] { signals[1] }
  var right: [Double] { signals[2] }
}

/// Renders a pattern in Float32: haptics, left and right, or what the map says.
func render(
  _ pattern: Pattern, sounds: ScheduleSounds = .none, rate: Int = 48_000, profile: BusProfile = .none,
  map: ChannelMap = ChannelMap([.haptic(0), .soundLeft, .soundRight]), soundOffset: Double = 0,
  blockFrames: Int = 1024, settings: RendererSettings = RendererSettings()
) throws -> Channels {
  let schedule = ScheduleCompiler.compile(pattern, sounds: sounds)
  try schedule.prepareSounds(atRate: rate)
  let count = map.sources.count
  var signals = [[Double]](repeating: [], count: count)
  OfflineRender.render(
    schedule, profile: profile, rate: rate, format: .float, map: map, soundOffsetSeconds: soundOffset,
    blockFrames: blockFrames, settings: settings
  ) { bytes in
    let values = bytes.bindMemory(to: Float.self)
    for frame in 0..<values.count / count {
      for channel in 0..<count { signals[channel].append(Double(values[frame * count + channel])) }
    }
  }
  return Channels(signals: signals, rate: rate)
}

/// The sounds of a pattern in a folder.
func find(_ pattern: Pattern, in folder: String, library: SoundLibrary = SoundLibrary()) throws
  -> ScheduleSounds
{
  try PatternSounds.find(in: pattern, library: library, rules: SoundPaths(baseFolder: folder)).sounds
}

extension Event {
  /// A built-in sound.
  static func tone(
    at time: Double = 0, for duration: Double? = 0.5, volume: Float = 1, pitch: Float = 0, pan: Float = 0,
    brightness: Float = 1
  ) -> Event {
    var event = Event(type: .audioContinuous, time: time, duration: duration)
    event.parameters[.audioVolume] = volume
    event.parameters[.audioPitch] = pitch
    event.parameters[.audioPan] = pan
    event.parameters[.audioBrightness] = brightness
    return event
  }

  /// A sound from a file.
  static func sound(
    _ path: String, at time: Double = 0, for duration: Double? = nil, envelope: Bool? = nil,
    loop: Bool? = nil,
    volume: Float = 1, pitch: Float = 0, pan: Float = 0, brightness: Float = 1
  ) -> Event {
    var event = Event.tone(
      at: time, for: duration, volume: volume, pitch: pitch, pan: pan, brightness: brightness)
    event.type = .audioCustom
    event.waveformPath = path
    event.usesVolumeEnvelope = envelope
    event.isLooped = loop
    return event
  }
}
