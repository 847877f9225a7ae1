internal import ThrumRealtime

/// Frames in a second of every timeline, as a floating-point number.
var framesPerSecond: Double { Double(RenderRate.framesPerSecond) }
