/// The time that means as soon as possible: 0.
public var CHHapticTimeImmediate: TimeInterval { 0 }

/// The number of a registered sound; never 0.
public typealias CHHapticAudioResourceID = Int

/// The type of the keys of the options of a registered sound.
public typealias CHHapticAudioResourceKey = NSString

/// Whether a registered sound is ramped in and out: a `Bool`, true where it is left out.
public let CHHapticAudioResourceKeyUseVolumeEnvelope: String = "CHHapticAudioResourceKeyUseVolumeEnvelope"

/// Whether a registered sound repeats for its event's duration: a `Bool`, false where it is left out.
public let CHHapticAudioResourceKeyLoopEnabled: String = "CHHapticAudioResourceKeyLoopEnabled"
