import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// One of the two versions of a pattern that a bench compares.
enum BenchSlot: Int, Sendable, CaseIterable {
  case a, b

  /// The other one.
  var other: BenchSlot { self == .a ? .b : .a }
}

/// When a version that was loaded while another one is heard takes its place.
enum BenchEntry: Sendable {
  /// At once, at the same place.
  case atOnce
  /// Where the loop begins again; at once where nothing loops.
  case atLoopPoint
}

/// What a bench does.
enum BenchTransport: Sendable, Equatable {
  /// At the beginning, or at the beginning of the loop.
  case stopped
  /// Silent, at a place from which it goes on.
  case paused
  case playing
}

/// What a bench has to tell; everything is meant for a person's eyes.
enum BenchNews: Sendable, Equatable {
  /// A line worth a moment, such as why it plays on the virtual actuator, or what a sound lacks.
  case notice(String)
  /// Something that was asked for cannot be had; what played before plays on.
  case problem(String)
  /// The device stopped sounding; it is waited for, and time goes on.
  case outage(String)
  /// The device sounds again.
  case returned(String)
  /// A version that was loaded is ready, and from now on is the one in its slot.
  case loaded(BenchSlot)
  /// A pattern without a loop came to its end.
  case finished
}

/// What goes into the making of a bench.
struct BenchSettings: Sendable {
  /// Opens the device, whenever one is needed: at first, after it was given back, after it was lost.
  var opening: @Sendable () throws(CommandError) -> OpenedDevice
  /// The device of the sound's own; nil where the haptic one plays it, or nobody.
  var soundDevice: String?
  /// Which channels carry what; nil is the device's own choice.
  var channels: ChannelChoice?
  /// The actuator's.
  var profile = BusProfile.safe
  /// How sounds are dealt with.
  var sounds = SoundSettings(isWanted: false)
  /// Seconds by which sound comes later than the haptics of its time.
  var soundOffsetSeconds = 0.0
  /// Seconds without anything to play after which the device is given back.
  var idleSeconds = 20.0

  /// Plays on what `opening` gives.
  init(opening: @escaping @Sendable () throws(CommandError) -> OpenedDevice) { self.opening = opening }

  /// Plays on the device of a choice; on the virtual actuator, with a notice, where that cannot be opened.
  /// - Parameter fallback: The device to try before that.
  init(choice: DeviceChoice, request: DeviceRequest, fallback: String? = nil) {
    self.init { () throws(CommandError) in
      do throws(CommandError) {
        return try OpenedDevice.open(choice, request, act: "playing", fallback: fallback)
      } catch {
        guard case .failed(let message) = error else { throw error }
        let first = message.split(separator: "\n").first.map(String.init) ?? message
        return OpenedDevice(
          device: try request.makeVirtual(), notice: "\(first); playing on the virtual actuator")
      }
    }
    channels = request.channels
  }
}

/// The figures of a bench at one moment.
struct BenchMeters: Sendable, Equatable {
  var transport = BenchTransport.stopped
  /// The version that is heard, or would be.
  var slot = BenchSlot.a
  /// The place in the pattern that is heard at this moment, seconds at rate 1.
  var seconds = 0.0
  /// The length of that version, its last tap's tail included; 0 where the slot is empty.
  var durationSeconds = 0.0
  /// How fast time goes.
  var rate = 1.0
  var isLooping = false
  /// The part that is looped, seconds; nil is the whole pattern.
  var region: ClosedRange<Double>?
  /// The largest magnitude on any channel since the last reading, full scale being 1.
  var peak = 0.0
  /// The root of the mean square on the loudest channel since the last reading.
  var rms = 0.0
  /// The peaks of each channel since the last reading.
  var channelPeaks: [Double] = []
  /// Device frames on which a limiter turned the level down, since the device was opened and since the last reading.
  var limitedFrames = 0
  var newLimitedFrames = 0
  /// Samples that were clipped since the device was opened.
  var clippedSamples = 0
  /// Times the device ran dry since it was opened.
  var xruns = 0
  /// Voices that sound.
  var voices = 0
  /// From a frame's being made to its being heard: what the device told, and the chain's own delay; nil before it told.
  var latencySeconds: Double?
  /// The device as a person reads it; nil while none is open.
  var device: String?
  /// Whether that is the virtual actuator.
  var isVirtual = false
  /// The scheduling of the render thread.
  var scheduling: String?
  /// What the outage is that goes on; nil while the device sounds.
  var outage: String?
}
