import ThrumMIDI
import ThrumPattern
import ThrumSettings

/// The settings of a command that is played by controllers.
protocol ControllerSettings {
  var midi: MIDIChoice? { get set }
  var midiHolding: MIDIMapping.Holding { get set }
  var isMIDIFlat: Bool { get set }
  var gamePad: GamePadChoice? { get set }
}

extension CommandOption where Settings: ControllerSettings {
  /// The options that all such commands share, in the order of their help.
  static var controllerOptions: [CommandOption] {
    [
      .value(
        "midi", short: "m", "PORT", \.midi, .midiChoice,
        "Play by MIDI: all, CLIENT:PORT, a part of a name, none to be connected by others, or the path of a device or pipe."
      ),
      .value(
        "midi-hold", "CHANNEL", \.midiHolding, .midiHolding,
        "The channel, 1 to 16 or all, whose notes last as long as their key; the others tap."),
      .flag("midi-flat", \.isMIDIFlat, "Let notes say no sharpness, as those of channel 10 do."),
      .value(
        "gamepad", "PATH", \.gamePad, .gamePad,
        "Play by a game pad: /dev/input/js0 or another, or first for the first that is there."),
    ]
  }
}

extension ControllerSettings {
  /// The sources that were asked for; nil for none.
  /// - Parameter showsDiagnostics: Whether libasound may say itself what is wrong.
  func controllers(memory: ControlMemory = ControlMemory(), showsDiagnostics: Bool) -> ControlSet? {
    var sources: [any ControlSource] = []
    if let midi {
      let mapping = MIDIMapping(holding: midiHolding, isFlat: isMIDIFlat, memory: memory)
      if case .path(let path) = midi {
        sources.append(MIDICableSource(FileName(path), mapping: mapping))
      } else {
        sources.append(SequencerSource(midi, mapping: mapping, showsDiagnostics: showsDiagnostics))
      }
    }
    if let gamePad { sources.append(GamePadSource(gamePad, memory: memory)) }
    return sources.isEmpty ? nil : ControlSet(sources)
  }
}

extension ValueParser where Value == MIDIChoice {
  /// Which ports are listened to.
  static var midiChoice: ValueParser {
    ValueParser("all, none, a port such as 20:0, a part of a name, or a path with a /") { MIDIChoice($0) }
  }
}

extension ValueParser where Value == MIDIMapping.Holding {
  /// Which channels' notes are held.
  static var midiHolding: ValueParser {
    ValueParser("a channel from 1 to 16, or all") { word in
      if word == "all" { return .all }
      guard let channel = (1...16).first(where: { String($0) == word }) else { return nil }
      return .channel(channel - 1)
    }
  }
}

extension ValueParser where Value == GamePadChoice {
  /// Which game pad is taken.
  static var gamePad: ValueParser {
    ValueParser("first, or a path such as /dev/input/js0") { word in
      if word == "first" { return .first }
      return word.utf8.contains(UInt8(ascii: "/")) ? .path(FileName(word)) : nil
    }
  }
}

extension ValueParser where Value == ControlTarget {
  /// What a control is learned for.
  static var controlTarget: ValueParser {
    ValueParser(oneOf: ControlTarget.allCases.map(\.rawValue)) { ControlTarget(rawValue: $0) }
  }
}
