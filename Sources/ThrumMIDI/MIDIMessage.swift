import CALSA

/// What a keyboard, a pad or a knob says.
public enum MIDIMessage: Equatable, Sendable {
  /// A key goes down; its velocity is 1…127. Channels are 0…15, notes 0…127.
  case noteOn(channel: Int, note: Int, velocity: Int)
  /// A key comes up, also by a note-on without velocity.
  case noteOff(channel: Int, note: Int)
  /// A control is at a value, both 0…127.
  case control(channel: Int, number: Int, value: Int)
  /// All keys of a channel are up: the channel modes of 120 and from 123 on.
  case allNotesOff(channel: Int)
  /// The device was reset: all keys are up, on all channels.
  case reset

  /// Reads an event of libasound.
  ///
  /// A note with a duration counts as its beginning. Values beyond what MIDI has, which other clients of the sequencer can send,
  /// are held within it.
  /// - Returns: nil for what is none of these.
  public init?(_ event: snd_seq_event_t) {
    func held(_ value: UInt8) -> Int { min(Int(value), 127) }
    let note = event.data.note
    // Channels of a port beyond the sixteenth have nowhere to be told apart.
    let channel = Int(note.channel & 0x0F)
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_NOTEON where note.velocity == 0, SND_SEQ_EVENT_NOTEOFF:
      self = .noteOff(channel: channel, note: held(note.note))
    case SND_SEQ_EVENT_NOTEON, SND_SEQ_EVENT_NOTE:
      self = .noteOn(channel: channel, note: held(note.note), velocity: max(1, held(note.velocity)))
    case SND_SEQ_EVENT_CONTROLLER:
      let control = event.data.control
      guard control.param <= 127 else { return nil }
      let number = Int(control.param)
      // 121 sets controls back and 122 is of the keyboard's own sound; neither lifts a key.
      switch number {
      case 120, 123...127: self = .allNotesOff(channel: Int(control.channel & 0x0F))
      case 121, 122: return nil
      default:
        self = .control(
          channel: Int(control.channel & 0x0F), number: number, value: Int(min(max(control.value, 0), 127)))
      }
    case SND_SEQ_EVENT_RESET: self = .reset
    default: return nil
    }
  }
}
