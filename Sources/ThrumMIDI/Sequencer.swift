import CALSA

/// A client of the kernel's sequencer with one port that takes what others send, named as the client.
///
/// Lives on one thread.
public final class Sequencer: SequencerCalls {
  // Safety: opened in `init`, closed in `deinit`, and nobody else's.
  private let handle: OpaquePointer
  private let client: Int
  private let port: Int
  /// What is told of clients and ports that come and go.
  private static let announce = MIDIAddress(client: Int(SND_SEQ_CLIENT_SYSTEM), port: 1)
  /// Bytes for events that were read and not yet taken: some thousand of them.
  private static let inputBytes = 65_536

  /// Why there is none.
  public struct Absence: Error, Equatable {
    /// The error number.
    public var code: Int32
    /// What failed, in a few words.
    public var words: String
  }

  /// Opens the sequencer, makes the client and the port, and listens to what comes and goes.
  /// - Parameters:
  ///   - name: What the client is called, as in `aconnect -l`.
  ///   - showsDiagnostics: Whether libasound's own lines about what fails are shown, for the whole process.
  /// - Throws: ``Absence``, as where `/dev/snd/seq` is not there; nothing is left open.
  ///
  /// Threads: any. Real-time: no.
  public init(name: String, showsDiagnostics: Bool = false) throws(Absence) {
    let silenced = thrum_alsa_show_diagnostics(showsDiagnostics ? 1 : 0)
    guard silenced >= 0 else { throw Absence(code: -silenced, words: "no MIDI sequencer") }
    var opened: OpaquePointer?
    // Sending, too: a connection is asked for by what may write.
    let code = snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
    guard code >= 0, let opened else { throw Absence(code: -code, words: "no MIDI sequencer") }
    handle = opened
    client = Int(snd_seq_client_id(opened))
    var step = snd_seq_set_client_name(opened, name)
    if step >= 0 { step = snd_seq_set_input_buffer_size(opened, Self.inputBytes) }
    if step >= 0 {
      step = snd_seq_create_simple_port(
        opened, name, UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
        UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    }
    port = Int(step)
    if step >= 0 {
      step = snd_seq_connect_from(opened, step, Int32(Self.announce.client), Int32(Self.announce.port))
    }
    // The deinitialiser closes it.
    guard step >= 0 else { throw Absence(code: -step, words: "the MIDI sequencer refuses a client") }
  }

  deinit { snd_seq_close(handle) }

  /// What to poll for.
  public var descriptors: [pollfd] {
    let count = snd_seq_poll_descriptors_count(handle, Int16(POLLIN))
    var entries = [pollfd](repeating: pollfd(), count: max(0, Int(count)))
    let filled = snd_seq_poll_descriptors(handle, &entries, UInt32(entries.count), Int16(POLLIN))
    return Array(entries.prefix(max(0, Int(filled))))
  }

  /// Takes the next event.
  public func next() -> SequencerStep {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    let code = snd_seq_event_input(handle, &event)
    switch -code {
    case EAGAIN, EINTR: return .none
    case ENOSPC: return .lost
    case let error where error > 0: return .failed(error)
    default: return event.map { .event($0.pointee) } ?? .none
    }
  }

  /// The ports of other clients that exist now.
  public func ports() -> [MIDIPort] {
    var ports: [MIDIPort] = []
    var (clientInfo, portInfo): (OpaquePointer?, OpaquePointer?)
    guard snd_seq_client_info_malloc(&clientInfo) == 0 else { return [] }
    defer { snd_seq_client_info_free(clientInfo) }
    guard snd_seq_port_info_malloc(&portInfo) == 0 else { return [] }
    defer { snd_seq_port_info_free(portInfo) }
    snd_seq_client_info_set_client(clientInfo, -1)
    while snd_seq_query_next_client(handle, clientInfo) >= 0 {
      let number = snd_seq_client_info_get_client(clientInfo)
      guard Int(number) != client, Int(number) != Self.announce.client else { continue }
      let clientName = snd_seq_client_info_get_name(clientInfo).map { String(cString: $0) } ?? ""
      snd_seq_port_info_set_client(portInfo, number)
      snd_seq_port_info_set_port(portInfo, -1)
      while snd_seq_query_next_port(handle, portInfo) >= 0 {
        let wanted = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
        let isSource = snd_seq_port_info_get_capability(portInfo) & wanted == wanted
        ports.append(
          MIDIPort(
            address: MIDIAddress(
              client: Int(number), port: Int(snd_seq_port_info_get_port(portInfo))),
            clientName: clientName,
            name: snd_seq_port_info_get_name(portInfo).map { String(cString: $0) } ?? "",
            isSource: isSource, isThrough: clientName == Self.throughName))
      }
    }
    return ports
  }

  /// What the kernel's module calls its own loop.
  private static let throughName = "Midi Through"

  /// Has what a port sends come to ours; one that is connected already stays so.
  public func connect(_ address: MIDIAddress) -> Int32 {
    let code = snd_seq_connect_from(handle, Int32(port), Int32(address.client), Int32(address.port))
    return code == -EBUSY ? 0 : code
  }
}
