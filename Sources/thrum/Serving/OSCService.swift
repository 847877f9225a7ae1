import Glibc
import ThrumEngine
import ThrumOSC
import ThrumPattern
import ThrumRealtime

/// Answers Open Sound Control: reads packets, keeps what is meant for later, and does what is due.
///
/// Lives on the main thread. The table of addresses is in `docs/osc.md`.
final class OSCService {
  /// The most messages that wait for their time.
  static let mostWaiting = 4096
  /// The furthest time that a message may be meant for, nanoseconds.
  static let furthest: Int64 = 3_600_000_000_000
  /// How long before its time a message goes to the render thread, nanoseconds: beyond any buffer that is not refused.
  static let lead: Int64 = 1_000_000_000
  /// How long a message is put off while the device tells no time, nanoseconds.
  static let patience: Int64 = 5_000_000
  /// The most messages of a turn, but for those of its last packet, so that what is due is never kept from its time.
  static let mostMessages = 512
  /// Answers of a turn beyond which a long one is refused.
  static let mostAnswers = 1024
  /// Answers to mistakes, a second.
  static let mostMistakes = 20

  struct Waiting {
    var due: Int64
    /// When it is done: ahead of that by the lead, where the render thread keeps it for its frame.
    var done: Int64
    var call: OSCCall
  }

  let output: any LiveOutput
  let voices: OSCVoices
  var patterns: OSCPatterns
  private let socket: OSCSocket
  private let isVerbose: Bool
  /// In order of when they are done; of one time, in the order they came.
  private var waiting: [Waiting] = []
  /// A time and its frame, from which those of later messages are counted.
  private var anchor: (nanoseconds: Int64, frame: Int64)?
  private var answers = 0
  private var mistakes = (second: Int64.min, count: 0, dropped: 0)

  /// Listens.
  /// - Parameters:
  ///   - voices: What it plays by; others may play by them, too.
  ///   - patterns: Where `/thrum/play` finds what it plays.
  /// - Throws: `CommandError.failed`, when it cannot listen there.
  init(
    _ endpoint: OSCEndpoint, voices: OSCVoices, patterns: OSCPatterns, isVerbose: Bool
  ) throws(CommandError) {
    socket = try OSCSocket(endpoint)
    output = voices.output
    self.voices = voices
    self.patterns = patterns
    self.isVerbose = isVerbose
    voices.onEnd = { [weak self] name, sender in
      self?.reply(OSCMessage("/thrum/ended", [.text(name)]), to: sender)
    }
  }

  /// What to poll for.
  var descriptor: Int32 { socket.descriptor }
  /// Where it listens.
  var name: String { socket.name }
  /// Whether nothing plays and nothing waits.
  var isIdle: Bool { waiting.isEmpty && voices.isSilent }

  /// Takes what has come.
  func process() {
    var left = Self.mostMessages
    answers = 0
    while left > 0, socket.receive({ left -= max(1, take($0, from: $1)) }) {}
  }

  /// Does what is due.
  func advance() {
    let now = MonotonicClock.nanoseconds
    let due = waiting.prefix { $0.done <= now }
    waiting.removeFirst(due.count)
    for message in due {
      var call = message.call
      if message.due > now, Self.isAhead(call.address) {
        guard let frame = frame(atNanoseconds: message.due) else {
          // A device that was opened just now does not tell its time yet.
          insert(Waiting(due: message.due, done: min(message.due, now + Self.patience), call: call))
          continue
        }
        call.moment = OSCMoment(frame: frame, nanoseconds: message.due)
      } else {
        call.moment = OSCMoment(nanoseconds: now)
      }
      run(call)
    }
    do throws(OSCRefusal) { try voices.advance(now) } catch { tell(error.words) }
  }

  /// When ``advance()`` is due next; nil for never, unless the output's bell rings.
  var due: Int64? {
    [waiting.first?.done, voices.due].compactMap { $0 }.min()
  }

  /// Silences all and forgets what waits.
  func stop() {
    waiting = []
    voices.cancel()
  }

  /// Forgets what waits; of a stop of all.
  func forgetWaiting() { waiting = [] }

  /// How many messages wait for their time.
  var waitingCount: Int { waiting.count }

  /// Refuses a long answer where this turn has had enough of them.
  func expectRoomForAnswers() throws(OSCRefusal) {
    if answers > Self.mostAnswers {
      throw OSCRefusal("too much was asked for at once; ask again in a moment")
    }
  }

  func reply(_ message: OSCMessage, to sender: OSCSender) {
    answers += 1
    if !socket.send(message, to: sender) { tell("an answer could not be sent") }
  }
}

extension OSCService {
  /// - Returns: The number of messages.
  private func take(_ bytes: UnsafeRawBufferPointer, from sender: OSCSender) -> Int {
    let packet: OSCPacket
    do throws(OSCProblem) {
      packet = try OSCPacket(reading: bytes)
    } catch {
      refuse("", error.description, sender)
      return 1
    }
    let (now, wall) = (MonotonicClock.nanoseconds, wallNanoseconds())
    for timed in packet.messages { take(timed, from: sender, now, wall) }
    return packet.messages.count
  }

  private func take(_ timed: OSCPacket.Timed, from sender: OSCSender, _ now: Int64, _ wall: Int64) {
    let message = timed.message
    let addresses = Self.addresses(of: message.address)
    guard !addresses.isEmpty else {
      return refuse(message.address, "there is no such address; /thrum/help lists them", sender)
    }
    for address in addresses {
      let call = OSCCall(
        address: address, arguments: message.arguments, sender: sender, moment: OSCMoment(nanoseconds: now))
      if timed.time.rawValue == 0 {
        // Some senders mean by it what 1 means; read as a time it is one of 1900 or 2036.
        refuse(address, "its time is 0, which is none; done at once, as with 1", sender)
        run(call)
      } else if let time = timed.time.unixNanoseconds(near: wall) {
        // The clock's time is taken once, here: what waits is not moved by who sets the clock.
        keep(call, until: now + (time - wall), now)
      } else {
        run(call)
      }
    }
  }

  /// Keeps a message for its time.
  private func keep(_ call: OSCCall, until due: Int64, _ now: Int64) {
    guard due - now <= Self.furthest else {
      return refuse(call.address, "its time is more than an hour ahead", call.sender)
    }
    if due <= now {
      let late = (now - due) / 1_000_000
      refuse(call.address, "its time has passed by \(late) ms; done at once", call.sender)
      return run(call)
    }
    guard waiting.count < Self.mostWaiting else {
      return refuse(
        call.address, "\(Self.mostWaiting) messages wait already, which is all that fit", call.sender)
    }
    // Most come in order: it is looked for from the end.
    var index = waiting.count
    let done = Self.isAhead(call.address) ? due - Self.lead : due
    while index > 0, waiting[index - 1].done > done { index -= 1 }
    waiting.insert(Waiting(due: due, done: done, call: call), at: index)
    // So that the device tells its time before the message needs it.
    guard Self.isPlaying(call.address), output.recentRefusal == nil else { return }
    do throws(CommandError) { try output.prepare() } catch { refuse(call.address, error.words, call.sender) }
  }

  private func insert(_ message: Waiting) {
    // Most come in order: it is looked for from the end.
    var index = waiting.count
    while index > 0, waiting[index - 1].done > message.done { index -= 1 }
    waiting.insert(message, at: index)
  }

  /// The frame of a time: as far from that of an earlier one as the times are apart, as long as that is a frame beside what
  /// the device's clock says at most. So the rhythm of messages does not shake with the estimate of the clock.
  private func frame(atNanoseconds due: Int64) -> RenderFrame? {
    guard let told = output.frame(atNanoseconds: due)?.value else { return nil }
    if let anchor {
      let distance = Double(due - anchor.nanoseconds) * Double(RenderRate.framesPerSecond) / 1e9
      let expected = anchor.frame + Int64(distance.rounded(.toNearestOrAwayFromZero))
      // The anchor stays, so that roundings do not add up.
      if abs(expected - told) <= 1 { return RenderFrame(expected) }
    }
    anchor = (due, told)
    return RenderFrame(told)
  }

  private func run(_ call: OSCCall) {
    // What only asks needs no device, and keeps none from being given back.
    if Self.isPlaying(call.address) {
      output.use()
      if let refusal = output.recentRefusal { return refuse(call.address, refusal, call.sender) }
    }
    do throws(OSCRefusal) { try perform(call) } catch { refuse(call.address, error.words, call.sender) }
  }

  /// Tells a mistake to whoever made it, a bounded number a second.
  private func refuse(_ address: String, _ words: String, _ sender: OSCSender) {
    let second = MonotonicClock.nanoseconds / 1_000_000_000
    if second != mistakes.second {
      if mistakes.dropped > 0 { tell("\(mistakes.dropped) more mistakes were not answered") }
      mistakes = (second, 0, 0)
    }
    guard mistakes.count < Self.mostMistakes else {
      mistakes.dropped += 1
      return
    }
    mistakes.count += 1
    tell(address.isEmpty ? words : "\(address): \(words)")
    reply(OSCMessage("/thrum/error", [.text(address), .text(words)]), to: sender)
  }

  private func tell(_ words: String) { if isVerbose { StandardError.note("osc", printable(words)) } }

  /// Nanoseconds since 1970.
  private func wallNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
