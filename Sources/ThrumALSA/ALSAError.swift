import CALSA
import Glibc
import ThrumEngine

/// What was being done to a device when it failed.
enum OutputAct: Sendable, Equatable {
  case open
  case configure
  case start
  case play

  /// How a message begins.
  var words: String {
    switch self {
    case .open: "cannot open sound device"
    case .configure: "cannot set up sound device"
    case .start: "cannot start sound device"
    case .play: "lost sound device"
    }
  }
}

/// An error number of libasound and what it met.
struct OutputFault: Error, Equatable {
  /// Negative, as libasound returns it.
  var code: Int32
  /// What was being done.
  var act: OutputAct

  init(_ code: Int32, _ act: OutputAct) {
    self.code = code
    self.act = act
  }
}

/// Turns libasound's error numbers into messages for people.
enum ALSAError {
  /// Names the device, ALSA's own error text and the next step, in at most three lines.
  /// - Parameters:
  ///   - fault: The error number and what met it.
  ///   - device: The PCM's name as it was given.
  ///   - holders: Who holds a card, for a device that is busy.
  static func message(_ fault: OutputFault, device: String, holders: [String] = []) -> OutputError {
    OutputError(
      "\(fault.act.words) \"\(shortened(device))\": \(text(of: fault.code))\n"
        + nextStep(for: fault, device: device, holders: holders))
  }

  /// Whether an error at opening may pass by itself: another program lets go, a cable is plugged in, a server starts.
  static func isPassing(_ code: Int32) -> Bool {
    [EBUSY, ENODEV, ENXIO, ENOENT, EAGAIN, ECONNREFUSED, EHOSTDOWN, EACCES].contains(-code)
  }

  /// Says why a device does not sound at the moment.
  static func outage(_ cause: OutageCause, code: Int32, device: String) -> OutputError {
    let name = shortened(device)
    return switch cause {
    case .unplugged:
      OutputError("sound device \"\(name)\" was unplugged or switched off; it plays on when it is back")
    case .suspended:
      OutputError("sound device \"\(name)\" was suspended with the system; it plays on now")
    case .error:
      OutputError(
        "sound device \"\(name)\" does not answer: \(text(of: code))\n"
          + "It plays on when the sound server or driver behind it does.")
    }
  }

  /// Reads who holds a busy card, where that matters, and makes the message.
  static func message(reading fault: OutputFault, device: String) -> OutputError {
    if fault.act == .play, fault.code == -EOVERFLOW { return tooDeep(device) }
    return known(fault, device: device)
  }

  private static func tooDeep(_ device: String) -> OutputError {
    OutputError(
      "sound device \"\(shortened(device))\" holds seconds of sound back before it is heard\n"
        + "Name the card itself (\"thrum devices\" lists what there is), or allow more (--max-delay).")
  }

  private static func known(_ fault: OutputFault, device: String) -> OutputError {
    message(fault, device: device, holders: fault.code == -EBUSY ? CardHolders.read(device: device) : [])
  }

  /// Says what a device refused, or how setting it up failed.
  static func message(_ failure: NegotiationFailure, device: String) -> OutputError {
    switch failure {
    case .fault(let fault): message(reading: fault, device: device)
    case .refused(let words):
      OutputError("\(OutputAct.configure.words) \"\(shortened(device))\":\n\(words)")
    case .impossible(let sentence):
      OutputError("\(sentence) (sound device \"\(shortened(device))\")", cause: .request)
    }
  }

  /// ALSA's own text for an error number, on one line.
  static func text(of code: Int32) -> String {
    guard let text = snd_strerror(code) else { return "error \(-code)" }
    return String(cString: text)
  }

  private static func nextStep(for fault: OutputFault, device: String, holders: [String]) -> String {
    switch -fault.code {
    case EBUSY:
      let who =
        holders.isEmpty
        ? "Another program holds it, often a sound server."
        : "It is held by \(holders.prefix(3).joined(separator: ", "))."
      return who + " End that program, or play through a PCM that\n"
        + "shares the card, such as \"default\", \"pipewire\" or \"dmix\"."
    case EACCES, EPERM:
      return "You have no permission for the card. Join the audio group (sudo usermod -aG audio $USER),\n"
        + "then log in again."
    case ENOENT, ENXIO:
      return "There is no such PCM or card. \"thrum devices\" lists what there is."
    case ENODEV where fault.act == .play:
      return "It was unplugged or switched off. Connect it again and play again."
    case EINVAL where fault.act == .play:
      return "It came back with another rate, format, number of channels or period.\n"
        + "Play again to open it as it is now."
    case ENODEV:
      return "The card is not there. Connect it; \"thrum devices\" lists what there is."
    case EHOSTDOWN, ECONNREFUSED, EIO, EPIPE:
      return
        "The sound server or driver behind it does not answer. Start it again, or name a card directly:\n"
        + "\"thrum devices\" lists what there is."
    case ETIMEDOUT:
      return "It stopped taking frames. Connect it again, or restart the sound server behind it."
    case ENOSYS, EBADFD, EINVAL:
      return
        "Its ALSA configuration does not make a device that plays. \"thrum devices\" lists what there is."
    default:
      return "Try another device: \"thrum devices\" lists what there is."
    }
  }

  // A name can be a whole configuration in braces; the message keeps to its line.
  private static func shortened(_ name: String) -> String {
    let line = name.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count <= 60 ? line : line.prefix(57) + "..."
  }
}
