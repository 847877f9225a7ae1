/// The controls of a voice over the frames of a span, as its player evaluated them.
struct SpanControls {
  var intensity: SpanSignal
  var sharpness: SpanSignal
  /// The frequency ratio of `sharpness` on the player's bus.
  var ratio: SpanSignal
  var rawIntensity: SpanSignal
  var rawSharpness: SpanSignal
  /// The release control, not smoothed.
  var release: SpanSignal
  /// The player's and its engine's mute.
  var gain: SpanSignal
}
