import CALSA

/// What a ``MIDIInput`` asks of the sequencer, so that a test can stand in for the kernel.
public protocol SequencerCalls: AnyObject {
  /// What to poll for.
  var descriptors: [pollfd] { get }
  /// Takes the next event.
  func next() -> SequencerStep
  /// The ports of other clients that exist now.
  func ports() -> [MIDIPort]
  /// Has what a port sends come to ours.
  /// - Returns: 0, or a negative error number.
  func connect(_ address: MIDIAddress) -> Int32
}

/// What came of asking for an event.
public enum SequencerStep {
  /// It is there.
  case event(snd_seq_event_t)
  /// None has come.
  case none
  /// Some were lost before it, since nobody took them; more may have come.
  case lost
  /// The sequencer has gone, with this error number.
  case failed(Int32)
}
