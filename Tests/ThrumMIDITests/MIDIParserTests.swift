import CALSA
import Testing
import ThrumMIDI

/// A cable's bytes become messages by libasound's grammar.
@Suite("MIDI bytes")
struct MIDIParserTests {
  /// What bytes say, cut as they are.
  private func messages(_ pieces: [[UInt8]]) throws -> [MIDIMessage] {
    let parser = try #require(MIDIParser())
    var messages: [MIDIMessage] = []
    for piece in pieces { piece.withUnsafeBytes { parser.read($0) { messages.append($0) } } }
    return messages
  }

  @Test("Notes, controllers and modes of channels")
  func messages() throws {
    let bytes: [UInt8] = [
      0x90, 60, 100, 0x80, 60, 64, 0x9F, 127, 1, 0x9F, 127, 0, 0xB3, 1, 127, 0xB0, 74, 0, 0xB0, 123, 0,
      0xB1, 120, 0, 0xB0, 121, 0, 0xE0, 0, 64, 0xC0, 5, 0xD0, 90, 0xFF,
    ]
    #expect(
      try messages([bytes]) == [
        .noteOn(channel: 0, note: 60, velocity: 100), .noteOff(channel: 0, note: 60),
        .noteOn(channel: 15, note: 127, velocity: 1), .noteOff(channel: 15, note: 127),
        .control(channel: 3, number: 1, value: 127), .control(channel: 0, number: 74, value: 0),
        .allNotesOff(channel: 0), .allNotesOff(channel: 1), .reset,
      ])
  }

  @Test("Running status goes on through real-time bytes, however the bytes are cut")
  func runningStatus() throws {
    let bytes: [UInt8] = [0x90, 60, 0xF8, 100, 61, 0xFE, 101, 0xF8, 62, 0]
    let expected: [MIDIMessage] = [
      .noteOn(channel: 0, note: 60, velocity: 100), .noteOn(channel: 0, note: 61, velocity: 101),
      .noteOff(channel: 0, note: 62),
    ]
    #expect(try messages([bytes]) == expected)
    #expect(try messages(bytes.map { [$0] }) == expected)
  }

  @Test("An exclusive message of 10,000 bytes, and bytes without a status, are passed over")
  func exclusive() throws {
    let bytes = [60, 100, 0xF0] + [UInt8](repeating: 0x55, count: 10_000) + [0xF7, 0x90, 60, 100]
    #expect(try messages([bytes]) == [.noteOn(channel: 0, note: 60, velocity: 100)])
  }

  @Test("After a reset the running status is forgotten")
  func reset() throws {
    let parser = try #require(MIDIParser())
    var count = 0
    let begun: [UInt8] = [0x90, 60]
    begun.withUnsafeBytes { parser.read($0) { _ in count += 1 } }
    parser.reset()
    let rest: [UInt8] = [100, 61, 100]
    rest.withUnsafeBytes { parser.read($0) { _ in count += 1 } }
    #expect(count == 0)
  }

  @Test("A million bytes of any kind give values of MIDI's ranges only")
  func anyBytes() throws {
    let parser = try #require(MIDIParser())
    let seed: UInt64 = 0x6D69_6469
    var state = seed
    var count = 0
    for _ in 0..<1000 {
      let bytes: [UInt8] = (0..<1000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      bytes.withUnsafeBytes { bytes in
        parser.read(bytes) { message in
          count += 1
          switch message {
          case .noteOn(let channel, let note, let velocity):
            #expect((0...15).contains(channel) && (0...127).contains(note) && (1...127).contains(velocity))
          case .noteOff(let channel, let note):
            #expect((0...15).contains(channel) && (0...127).contains(note))
          case .control(let channel, let number, let value):
            #expect((0...15).contains(channel) && (0...119).contains(number) && (0...127).contains(value))
          case .allNotesOff(let channel): #expect((0...15).contains(channel))
          case .reset: break
          }
        }
      }
    }
    #expect(count > 10_000, "seed \(seed)")
  }

  @Test("Events of other clients are held within MIDI's ranges")
  func foreignEvents() {
    var event = snd_seq_event_t()
    event.type = UInt8(SND_SEQ_EVENT_NOTE.rawValue)
    event.data.note.note = 200
    event.data.note.velocity = 255
    event.data.note.channel = 0xFF
    #expect(MIDIMessage(event) == .noteOn(channel: 15, note: 127, velocity: 127))
    event = snd_seq_event_t()
    event.type = UInt8(SND_SEQ_EVENT_CONTROLLER.rawValue)
    event.data.control.param = 1
    event.data.control.value = -5
    #expect(MIDIMessage(event) == .control(channel: 0, number: 1, value: 0))
    event.data.control.value = Int32.max
    #expect(MIDIMessage(event) == .control(channel: 0, number: 1, value: 127))
    event.data.control.param = .max
    #expect(MIDIMessage(event) == nil)
  }
}
