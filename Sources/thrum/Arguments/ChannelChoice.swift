import ThrumRealtime

/// Which of a device's channels carry what, counted from 1 as people count them.
struct ChannelChoice: Equatable {
  /// The channels with an actuator, 1…64.
  var haptic: [Int] = []
  /// The channels with a loudspeaker, silent as long as sounds are not played.
  var audio: [Int] = []

  /// Channels that a device must have.
  var count: Int { (haptic + audio).max() ?? 0 }

  /// The map of a device with so many channels: what is not named is silent.
  func map(channels: Int) -> ChannelMap {
    ChannelMap((1...max(1, channels)).map { haptic.contains($0) ? .haptic(0) : .silent })
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
      return choice.haptic.isEmpty || Set(all).count != all.count ? nil : choice
    }
  }
}
