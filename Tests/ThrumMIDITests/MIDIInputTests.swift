import CALSA
import Glibc
import Testing
import ThrumMIDI

/// A sequencer of the test's own, in the kernel's place.
private final class HandSequencer: SequencerCalls {
  var existing: [MIDIPort] = []
  var steps: [SequencerStep] = []
  var connected: [MIDIAddress] = []
  var code: Int32 = 0
  let descriptors = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0)]

  func next() -> SequencerStep { steps.isEmpty ? .none : steps.removeFirst() }
  func ports() -> [MIDIPort] { existing }
  func connect(_ address: MIDIAddress) -> Int32 {
    if code == 0 { connected.append(address) }
    return code
  }

  func plug(_ port: MIDIPort) {
    existing.append(port)
    announce(SND_SEQ_EVENT_PORT_START, port.address)
  }

  func unplug(_ address: MIDIAddress) {
    existing.removeAll { $0.address == address }
    announce(SND_SEQ_EVENT_PORT_EXIT, address)
  }

  func play(_ note: UInt8, from address: MIDIAddress) {
    var event = snd_seq_event_t()
    event.type = UInt8(SND_SEQ_EVENT_NOTEON.rawValue)
    event.source = snd_seq_addr_t(client: UInt8(address.client), port: UInt8(address.port))
    event.data.note.note = note
    event.data.note.velocity = 100
    steps.append(.event(event))
  }

  func announce(_ type: snd_seq_event_type, _ address: MIDIAddress) {
    var event = snd_seq_event_t()
    event.type = UInt8(type.rawValue)
    event.source = snd_seq_addr_t(client: 0, port: 1)
    event.data.addr = snd_seq_addr_t(client: UInt8(address.client), port: UInt8(address.port))
    steps.append(.event(event))
  }
}

/// Which ports are listened to, and what becomes of those that go and come.
@Suite("MIDI ports")
struct MIDIInputTests {
  private let calls = HandSequencer()
  private let keys = MIDIPort(
    address: MIDIAddress(client: 20, port: 0), clientName: "LPK25", name: "LPK25 MIDI 1")
  private let pads = MIDIPort(
    address: MIDIAddress(client: 24, port: 0), clientName: "Pads", name: "Pads MIDI 1")
  private let sink = MIDIPort(
    address: MIDIAddress(client: 28, port: 0), clientName: "Synth", name: "in", isSource: false)
  private let through = MIDIPort(
    address: MIDIAddress(client: 14, port: 0), clientName: "Midi Through", name: "port", isThrough: true)

  private func read(_ input: MIDIInput) -> [MIDIArrival] {
    var arrivals: [MIDIArrival] = []
    input.read { arrivals.append($0) }
    return arrivals
  }

  @Test(
    "What a person writes for a port",
    arguments: [
      ("all", MIDIChoice.all), ("none", .none), ("20:1", .address(MIDIAddress(client: 20, port: 1))),
      ("20", .address(MIDIAddress(client: 20, port: 0))), ("LPK25", .name("LPK25")),
      ("/dev/snd/midiC1D0", .path("/dev/snd/midiC1D0")), ("./pipe", .path("./pipe")),
    ])
  func choices(word: String, choice: MIDIChoice) { #expect(MIDIChoice(word) == choice) }

  @Test("What is no port is refused", arguments: ["", "300:0", "20:0:1", ":", "20:", ":0"])
  func noChoices(word: String) { #expect(MIDIChoice(word) == nil) }

  @Test("All are the ports that send, but for the kernel's own loop; none connects to nobody")
  func all() {
    calls.existing = [through, keys, pads, sink]
    #expect(read(MIDIInput(calls, choice: .all)) == [.connected("LPK25"), .connected("Pads")])
    #expect(calls.connected == [keys.address, pads.address])
    #expect(read(MIDIInput(calls, choice: .none)).isEmpty)
  }

  @Test("A name is a part of the client's or the port's, whatever the case; also of a loop that is named")
  func names() {
    calls.existing = [through, keys, pads]
    #expect(read(MIDIInput(calls, choice: .name("lpk"))) == [.connected("LPK25")])
    #expect(read(MIDIInput(calls, choice: .name("pads midi"))) == [.connected("Pads")])
    #expect(read(MIDIInput(calls, choice: .name("through"))) == [.connected("Midi Through")])
    #expect(read(MIDIInput(calls, choice: .name("drums"))).isEmpty)
  }

  @Test(
    "A device that is plugged again under another number is listened to, and one that took its number is not")
  func replugged() {
    calls.existing = [keys, pads]
    let input = MIDIInput(calls, choice: .address(keys.address))
    #expect(read(input) == [.connected("LPK25")])
    calls.play(60, from: keys.address)
    calls.unplug(keys.address)
    #expect(
      read(input) == [.message(.noteOn(channel: 0, note: 60, velocity: 100), from: "LPK25"), .gone("LPK25")])
    var other = pads
    other.address = keys.address
    calls.plug(other)
    #expect(read(input).isEmpty)
    var again = keys
    again.address = MIDIAddress(client: 32, port: 0)
    calls.plug(again)
    #expect(read(input) == [.connected("LPK25")])
    #expect(calls.connected == [keys.address, again.address])
  }

  @Test("One that comes later is connected then; a client that ends takes all its ports along")
  func later() {
    let input = MIDIInput(calls, choice: .all)
    #expect(read(input).isEmpty)
    var second = keys
    second.address.port = 1
    calls.plug(keys)
    calls.plug(second)
    #expect(read(input) == [.connected("LPK25"), .connected("LPK25")])
    calls.announce(SND_SEQ_EVENT_PORT_CHANGE, keys.address)
    #expect(read(input).isEmpty, "it is connected already")
    calls.existing = []
    calls.announce(SND_SEQ_EVENT_CLIENT_EXIT, keys.address)
    #expect(read(input) == [.gone("LPK25"), .gone("LPK25")])
  }

  @Test("What others connected to our port is called by its name")
  func foreign() {
    calls.existing = [pads]
    let input = MIDIInput(calls, choice: .none)
    calls.play(36, from: pads.address)
    #expect(read(input) == [.message(.noteOn(channel: 0, note: 36, velocity: 100), from: "Pads")])
  }

  @Test("Where events were lost the ports are looked at anew")
  func lost() {
    calls.existing = [keys]
    let input = MIDIInput(calls, choice: .all)
    #expect(read(input) == [.connected("LPK25")])
    calls.existing = [pads]
    calls.steps = [.lost]
    #expect(read(input) == [.lost, .gone("LPK25"), .connected("Pads")])
  }

  @Test("A port that refuses is told of, and one that has gone meanwhile is not")
  func refusals() {
    calls.existing = [keys]
    calls.code = -EPERM
    let input = MIDIInput(calls, choice: .all)
    #expect(read(input) == [.refused("LPK25", EPERM)])
    calls.code = -ENODEV
    calls.announce(SND_SEQ_EVENT_PORT_START, keys.address)
    #expect(read(input).isEmpty)
  }

  @Test("A flood is taken a bounded number at a time, and a sequencer that has gone is asked no more")
  func bounds() {
    let input = MIDIInput(calls, choice: .none)
    for _ in 0..<MIDIInput.mostEvents + 10 { calls.play(60, from: keys.address) }
    #expect(read(input).count == MIDIInput.mostEvents)
    #expect(input.hasMore)
    #expect(read(input).count == 10)
    #expect(!input.hasMore)
    calls.steps = [.failed(ENODEV), .lost]
    #expect(read(input) == [.failed(ENODEV)])
    #expect(read(input).isEmpty)
    #expect(input.descriptors.isEmpty && !input.hasMore)
  }

  @Test(
    "Without a sequencer in the kernel there is a reason",
    .enabled(if: access("/dev/snd/seq", F_OK) != 0, "this kernel has a sequencer"))
  func absent() {
    let absence = #expect(throws: Sequencer.Absence.self) { try Sequencer(name: "thrum-test") }
    #expect(absence?.code == ENOENT)
    #expect(absence?.words == "no MIDI sequencer")
  }
}
