import ThrumRealtime

/// Which of a device's channels carry what, counted from 1 as people count them.
struct ChannelChoice: Equatable {
  /// The channels with an actuator, 1…64.
  var haptic: [Int] = []
  /// The channels with a loudspeaker: one for both sides, or left and right by turns.
  var audio: [Int] = []

  /// Channels that a device must have.
  var count: Int { (haptic + audio).max() ?? 0 }

  /// The map of a device with so many channels: what is not named is silent.
  func map(channels: Int) -> ChannelMap {
    var sources = [ChannelSource](repeating: .silent, count: max(1, channels))
    for channel in haptic where channel <= sources.count { sources[channel - 1] = .haptic(0) }
    for (place, channel) in audio.enumerated() where channel <= sources.count {
      sources[channel - 1] =
        audio.count == 1 ? .soundBoth : place.isMultiple(of: 2) ? .soundLeft : .soundRight
    }
    return ChannelMap(sources)
  }

  /// As `--channels` takes it.
  var words: String {
    let parts = [("haptic", haptic), ("audio", audio)].filter { !$0.1.isEmpty }
    return parts.map { "\($0.0)=\($0.1.map(String.init).joined(separator: ","))" }.joined(separator: ":")
  }
}

extension ValueParser where Value == ChannelChoice {
  /// `haptic=3,4`, or `haptic=3,4:audio=1,2`; no channel twice.
  static var channels: ValueParser {
    ValueParser("channels from 1 to 64 by what they carry, such as haptic=3,4 or haptic=3,4:audio=1,2") {
      word in
      var choice = ChannelChoice()
      for part in word.split(separator: ":", omittingEmptySubsequences: false) {
        let words = part.split(separator: "=", omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        let numbers = words[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.allSatisfy((1...64).contains) else { return nil }
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
