import ThrumRealtime

/// Which of a device's channels carry what, counted from 1 as people count them.
package struct ChannelChoice: Equatable, Sendable {
  /// The channels with an actuator, 1…64.
  package var haptic: [Int]
  /// The channels with a loudspeaker: one for both sides, or left and right by turns.
  package var audio: [Int]
  /// The actuators of channels that have one of their own.
  package var actuators: [Int: ActuatorName] = [:]

  package init(haptic: [Int] = [], audio: [Int] = []) {
    self.haptic = haptic
    self.audio = audio
  }

  /// Channels that a device must have.
  package var count: Int { (haptic + audio).max() ?? 0 }

  /// The map of a device with so many channels: what is not named is silent.
  /// - Parameter buses: The haptic buses of channels that are not on the first.
  package func map(channels: Int, buses: [Int: Int] = [:]) -> ChannelMap {
    var sources = [ChannelSource](repeating: .silent, count: max(1, channels))
    for channel in haptic where channel <= sources.count {
      sources[channel - 1] = .haptic(Int32(buses[channel] ?? 0))
    }
    for (place, channel) in audio.enumerated() where channel <= sources.count {
      sources[channel - 1] =
        audio.count == 1 ? .soundBoth : place.isMultiple(of: 2) ? .soundLeft : .soundRight
    }
    return ChannelMap(sources)
  }

  /// Notes of the actuators that a configuration file names them.
  package mutating func areNamed(at place: String, folder: String?) {
    for channel in haptic { actuators[channel]?.isNamed(at: place, folder: folder) }
  }

  /// As `--channels` takes it.
  package var words: String {
    let parts = [("haptic", haptic), ("audio", audio)].filter { !$0.1.isEmpty }
    return parts.map { part in
      let words = part.1.map { channel in actuators[channel].map { "\(channel)@\($0.word)" } ?? "\(channel)" }
      return "\(part.0)=\(words.joined(separator: ","))"
    }.joined(separator: ":")
  }
}

extension ValueParser where Value == ChannelChoice {
  /// `haptic=3,4`, or `haptic=3,4:audio=1,2`; no channel twice. `haptic=1@lra-175,2@wideband` gives each its actuator.
  package static var channels: ValueParser {
    ValueParser("channels from 1 to 64 by what they carry, such as haptic=3,4 or haptic=3,4:audio=1,2") {
      word in
      var choice = ChannelChoice()
      for part in word.split(separator: ":", omittingEmptySubsequences: false) {
        let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        var numbers: [Int] = []
        for entry in words[1].split(separator: ",", omittingEmptySubsequences: false) {
          let halves = entry.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
          guard let number = halves.first.flatMap({ Int($0) }), (1...64).contains(number) else { return nil }
          numbers.append(number)
          guard halves.count == 2 else { continue }
          if halves[1].isEmpty || words[0] != "haptic" { return nil }
          choice.actuators[number] = ActuatorName(String(halves[1]))
        }
        switch words[0] {
        case "haptic" where choice.haptic.isEmpty: choice.haptic = numbers
        case "audio" where choice.audio.isEmpty: choice.audio = numbers
        default: return nil
        }
      }
      let all = choice.haptic + choice.audio
      return all.isEmpty || Set(all).count != all.count ? nil : choice
    }
  }
}
