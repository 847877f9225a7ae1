import CALSA

/// Reads the bytes of a MIDI cable: running status, real-time bytes in the midst of a message, and what is long.
///
/// The grammar is libasound's own, which works without a sequencer. Lives on one thread.
public final class MIDIParser {
  // Safety: made in `init`, freed in `deinit`, and nobody else's.
  private let encoder: OpaquePointer
  /// Bytes of an exclusive message that libasound keeps before it gives them out as a piece; none of them is of use here.
  private static let exclusiveBytes = 256

  /// Creates a parser that waits for a first byte.
  /// - Returns: nil where there is no memory.
  public init?() {
    var encoder: OpaquePointer?
    guard snd_midi_event_new(Self.exclusiveBytes, &encoder) == 0, let encoder else { return nil }
    self.encoder = encoder
  }

  deinit { snd_midi_event_free(encoder) }

  /// Takes bytes, however they were cut.
  /// - Parameter body: Is called with each message, in order.
  public func read(_ bytes: UnsafeRawBufferPointer, _ body: (MIDIMessage) -> Void) {
    var event = snd_seq_event_t()
    for byte in bytes where snd_midi_event_encode_byte(encoder, Int32(byte), &event) == 1 {
      if let message = MIDIMessage(event) { body(message) }
    }
  }

  /// Forgets the message that has begun, and the running status: for a cable that was plugged anew.
  public func reset() { snd_midi_event_reset_encode(encoder) }
}
