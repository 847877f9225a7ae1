import CALSA

/// Something that a ``MIDIInput`` tells.
public enum MIDIArrival: Equatable, Sendable {
  /// A message, and the name of the device that sent it.
  case message(MIDIMessage, from: String)
  /// A device is listened to from now on.
  case connected(String)
  /// A device has gone; what it held down is up.
  case gone(String)
  /// Messages were lost, since they came faster than they were taken; what was held down may be up.
  case lost
  /// A device cannot be listened to, with the error number.
  case refused(String, Int32)
  /// The sequencer has gone, with the error number; nothing comes any more.
  case failed(Int32)
}

/// Listens to chosen ports of the sequencer, also to those that come later or again.
///
/// Lives on one thread.
public final class MIDIInput {
  /// The most events of a call of ``read(_:)``, so that no flood keeps its caller from the rest.
  public static let mostEvents = 1024

  private let calls: any SequencerCalls
  private let choice: MIDIChoice
  /// What is listened to, and everything else that has sent something.
  private var known: [MIDIAddress: (name: String, isConnected: Bool)] = [:]
  /// The name of the device that an address was chosen by: plugged again, it may get another.
  private var chosen: (client: String, port: String)?
  private var isStarted = false
  private var hasFailed = false
  /// Whether the last call of ``read(_:)`` left events behind that nothing may tell of any more.
  public private(set) var hasMore = true

  /// Listens by the sequencer's calls.
  public init(_ calls: any SequencerCalls, choice: MIDIChoice) {
    self.calls = calls
    self.choice = choice
  }

  /// What to poll for; none once the sequencer has gone.
  public var descriptors: [pollfd] { hasFailed ? [] : calls.descriptors }

  /// Takes what has come; never waits. The first call connects.
  public func read(_ body: (MIDIArrival) -> Void) {
    guard !hasFailed else { return }
    if !isStarted {
      isStarted = true
      look(body)
    }
    for _ in 0..<Self.mostEvents {
      switch calls.next() {
      case .event(let event): take(event, body)
      case .lost:
        body(.lost)
        // What came or went may be among what was lost.
        look(body)
      case .none:
        hasMore = false
        return
      case .failed(let code):
        (hasFailed, hasMore) = (true, false)
        return body(.failed(code))
      }
    }
    hasMore = true
  }

  private func take(_ event: snd_seq_event_t, _ body: (MIDIArrival) -> Void) {
    let subject = MIDIAddress(client: Int(event.data.addr.client), port: Int(event.data.addr.port))
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_CHANGE: look(body)
    case SND_SEQ_EVENT_PORT_EXIT: leave(body) { $0 == subject }
    case SND_SEQ_EVENT_CLIENT_EXIT: leave(body) { $0.client == subject.client }
    default:
      guard let message = MIDIMessage(event) else { return }
      let source = MIDIAddress(client: Int(event.source.client), port: Int(event.source.port))
      body(.message(message, from: name(of: source)))
    }
  }

  /// Connects to what is there, is wanted and is not connected yet; lets go of what is there no more.
  private func look(_ body: (MIDIArrival) -> Void) {
    let ports = calls.ports()
    leave(body) { address in !ports.contains { $0.address == address } }
    for port in ports where isWanted(port) && known[port.address]?.isConnected != true {
      let code = calls.connect(port.address)
      if code < 0 {
        // One that has gone meanwhile is told of by its end.
        if -code != ENODEV && -code != ENOENT { body(.refused(port.clientName, -code)) }
        continue
      }
      known[port.address] = (port.clientName, true)
      if case .address = choice { chosen = (port.clientName, port.name) }
      body(.connected(port.clientName))
    }
  }

  private func isWanted(_ port: MIDIPort) -> Bool {
    guard case .address = choice, let chosen else { return choice.includes(port) }
    // Once it has been there its name is what it is known by; its number may be another device's by now. Of several of a
    // name one is enough.
    return port.isSource && port.clientName == chosen.client && port.name == chosen.port
      && !known.values.contains { $0.isConnected }
  }

  private func leave(_ body: (MIDIArrival) -> Void, where isGone: (MIDIAddress) -> Bool) {
    for (address, port) in known.sorted(by: { ($0.key.client, $0.key.port) < ($1.key.client, $1.key.port) })
    where isGone(address) {
      known[address] = nil
      body(.gone(port.name))
    }
  }

  /// The name of whoever sent something; others may have connected it to our port.
  private func name(of address: MIDIAddress) -> String {
    if let known = known[address] { return known.name }
    let name = calls.ports().first { $0.address == address }?.clientName ?? "\(address)"
    known[address] = (name, false)
    return name
  }
}
