internal import ThrumALSA
internal import ThrumActuator
internal import ThrumEngine
internal import ThrumFeedback
internal import ThrumPattern
internal import ThrumRealtime

/// What the user of the machine has settled about outputs: the environment, then the configuration file that
/// `thrum` reads too.
struct OutputSettings: Sendable {
  /// The device by its name; nil means ALSA's default.
  var deviceName: String?
  /// The device that takes its place where it is not there or cannot be opened.
  var fallbackName: String?
  /// The actuator of each haptic bus whose channel has none of its own.
  var actuator = ActuatorProfile.safe
  /// The folder with the user's profiles of actuators.
  private var profileFolder = ActuatorLibrary.standardFolder
  /// The actuators of channels that have one of their own.
  var channelActuators: [Int: ActuatorProfile] = [:]
  /// A linear gain on top of the profile's.
  var gain: Float = 1
  /// Frames a second.
  var rate: Int?
  /// The layout of a sample.
  var format: SampleFormat?
  /// The time between two wake-ups.
  var period: ALSARequest.Period?
  /// The channels of the haptic buses, one each, counted from 1; nil puts one bus on all channels, and without any
  /// there is sound alone.
  var hapticChannels: [Int]?
  /// The channels of loudspeakers, counted from 1: one for both sides, or left and right by turns.
  var audioChannels: [Int] = []
  /// The device that plays the sound in place of channels; nil where it has none of its own.
  var soundDeviceName: String?
  /// How much later sound comes than the haptics of its time, in seconds; below 0 earlier.
  var soundOffset = 0.0
  /// Bytes that sounds take at most, decoded and converted; nil means 64 MB.
  var soundCapacity: Int?

  /// Reads the environment and the configuration file.
  /// - Parameter actuator: What the program says of its actuator.
  /// - Throws: ``CHHapticError`` `invalidEngineParameter`, with the place in the file.
  static func read(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    actuator: String? = chosenActuator.withLock { $0 }
  ) throws -> OutputSettings {
    var settings = OutputSettings()
    settings.profileFolder = path(environment).map { FileName($0).folder.text + "/actuators" }
    if let path = path(environment), let text = try text(of: path) {
      try settings.apply(text, path: path)
    }
    if let name = environment["THRUM_DEVICE"], !name.isEmpty { settings.deviceName = name }
    if let word = environment["THRUM_ACTUATOR"], !word.isEmpty {
      try settings.set("actuator", to: word, place: "THRUM_ACTUATOR")
    }
    if let map = environment["THRUM_CHANNELS"], !map.isEmpty {
      try settings.set("channels", to: map, place: "THRUM_CHANNELS")
      // Loudspeakers that are named nearer are meant in place of the file's device.
      if !settings.audioChannels.isEmpty { settings.soundDeviceName = nil }
    }
    if let actuator {
      try settings.set("actuator", to: actuator, place: "CHHapticEngine.actuator")
    }
    if settings.hapticChannels == nil, !settings.actuator.channels.isEmpty {
      settings.hapticChannels = settings.actuator.channels
    }
    return settings
  }

  /// The actuator that the program says it drives; nil while it says nothing.
  static let chosenActuator = Locked<String?>(nil)

  /// Bytes that the user lets sounds take; nil where nothing is said.
  static func soundCapacity(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int? {
    wishes(environment).soundCapacity
  }

  /// What the configuration file says, as far as it can be read.
  private static func wishes(_ environment: [String: String]) -> OutputSettings {
    var settings = OutputSettings()
    do {
      if let path = path(environment), let text = try text(of: path) { try settings.apply(text, path: path) }
    } catch {
      // Who opens an output is told what is wrong with the file; a wish that cannot be read is none.
      return settings
    }
    return settings
  }

  private static func path(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/thrum/config" }
    return environment["HOME"].map { $0 + "/.config/thrum/config" }
  }

  /// The text of a file; nil where there is none.
  private static func text(of path: String) throws -> String? {
    do throws(ConfigurationFile.Problem) {
      return try ConfigurationFile.text(of: FileName(path))
    } catch {
      throw refused(path, error.text)
    }
  }

  private static func refused(_ place: String, _ problem: String) -> CHHapticError {
    CHHapticError(.invalidEngineParameter, condition: "settings are valid", "\(place): \(problem)")
  }

  /// Takes the lines of a file; keys that are not known here are for `thrum`.
  mutating func apply(_ text: String, path: String) throws {
    for line in ConfigurationFile.lines(of: text) {
      let place = "\(path):\(line.number)"
      guard let (key, word) = line.setting, !key.isEmpty, !word.isEmpty else {
        throw Self.refused(place, "\"\(line.content)\" is not key = value")
      }
      try set(key, to: word, place: place, folder: FileName(path).folder.text)
    }
  }

  /// - Parameter folder: What the paths of profiles are relative to; nil means the working folder.
  private mutating func set(
    _ key: String, to word: String, place: String, folder: String? = nil
  ) throws {
    let expectation: String
    switch key {
    case "device":
      deviceName = word
      return
    case "fallback":
      fallbackName = word
      return
    case "audio-device":
      soundDeviceName = word
      return
    case "audio-offset":
      let number = word.hasSuffix("ms") ? String(word.dropLast(2)) : word
      if let milliseconds = Double(number), (-1000...1000).contains(milliseconds) {
        soundOffset = milliseconds / 1000
        return
      }
      expectation = "milliseconds from -1000 to 1000, such as -20"
    case "sound-memory":
      if let megabytes = Int(word), (1...65_536).contains(megabytes) {
        soundCapacity = megabytes * 1_000_000
        return
      }
      expectation = "millions of bytes from 1 to 65536, such as 64"
    case "actuator":
      actuator = try profile(word, folder, place)
      return
    case "rate":
      if let rate = Int(word), ALSARequest.rates.contains(rate) {
        self.rate = rate
        return
      }
      expectation = "one of \(ALSARequest.rates.sorted().map(String.init).joined(separator: ", "))"
    case "format":
      if let format = SampleFormat(word: word) {
        self.format = format
        return
      }
      expectation = "one of s16, s24, s24_3, s32, float"
    case "period":
      if let period = ALSARequest.Period(word: word) {
        self.period = period
        return
      }
      expectation = "milliseconds, such as 5, or frames, such as 48f"
    case "gain":
      if let level = Double(word.hasSuffix("dB") ? String(word.dropLast(2)) : word),
        (-120...40).contains(level)
      {
        gain = Float(pow(10, level / 20))
        return
      }
      expectation = "decibels from -120 to 40, such as -6"
    case "channels":
      if let (haptic, audio, actuators) = Self.channels(word) {
        hapticChannels = haptic
        audioChannels = audio
        channelActuators = try actuators.mapValues { try profile($0, folder, place) }
        return
      }
      expectation = "channels from 1 to 64, such as haptic=3,4 or haptic=3,4:audio=1,2"
    default: return
    }
    throw Self.refused(place, "\(key) takes \(expectation), not \"\(word)\"")
  }

  /// The profile of a name or a file.
  private func profile(_ word: String, _ folder: String?, _ place: String) throws -> ActuatorProfile {
    do throws(ActuatorLibrary.Problem) {
      return try ActuatorLibrary(folder: profileFolder).profile(word, relativeTo: folder)
    } catch {
      throw Self.refused(place, error.description)
    }
  }

  /// The channels of actuators, 16 at most, and of loudspeakers, no channel twice, and the actuators that channels name
  /// behind an `@`; nil for anything else.
  private static func channels(
    _ word: String
  ) -> (haptic: [Int], audio: [Int], actuators: [Int: String])? {
    var channels: [Substring: [Int]] = [:]
    var actuators: [Int: String] = [:]
    for part in word.split(separator: ":", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, words[0] == "haptic" || words[0] == "audio", channels[words[0]] == nil else {
        return nil
      }
      var numbers: [Int] = []
      for entry in words[1].split(separator: ",", omittingEmptySubsequences: false) {
        let halves = entry.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        numbers.append(halves.first.flatMap { Int($0) } ?? 0)
        guard halves.count == 2 else { continue }
        if halves[1].isEmpty || words[0] == "audio" { return nil }
        actuators[numbers[numbers.count - 1]] = String(halves[1])
      }
      channels[words[0]] = numbers
    }
    let (haptic, audio) = (channels["haptic"] ?? [], channels["audio"] ?? [])
    let all = haptic + audio
    guard all.allSatisfy((1...64).contains), Set(all).count == all.count, haptic.count <= 16 else {
      return nil
    }
    return (haptic, audio, actuators)
  }
}

// What follows for an output.
extension OutputSettings {
  /// Channels that the device must have; nil where any number will do.
  var channelCount: Int? { ((hapticChannels ?? []) + audioChannels).max() }

  /// What an ALSA device is asked for.
  var request: ALSARequest {
    var request = ALSARequest(rate: rate, format: format, channels: channelCount)
    if let period { request.period = period }
    request.carriesSound = !audioChannels.isEmpty
    return request
  }

  /// The period of a virtual actuator in its frames.
  var virtualPeriodFrames: Int? {
    let rate = rate ?? RenderRate.framesPerSecond
    switch period {
    case .frames(let count): return count
    case .seconds(let seconds): return max(1, Int((seconds * Double(rate)).rounded()))
    case nil: return nil
    }
  }

  /// What goes into an output of so many channels.
  func configuration(channels: Int) -> OutputConfiguration {
    var profiles = (hapticChannels ?? []).map { (channelActuators[$0] ?? actuator).busProfile }
    // An output has a bus at least; with sound alone no channel carries it.
    if profiles.isEmpty { profiles = [actuator.busProfile] }
    for bus in profiles.indices { profiles[bus].gain *= gain }
    return OutputConfiguration(
      settings: OutputLimits.rendererSettings, profiles: profiles,
      map: hapticChannels.map { map(of: $0, channels: channels) }, soundOffsetSeconds: soundOffset)
  }

  private func map(of haptics: [Int], channels: Int) -> ChannelMap {
    var sources = [ChannelSource](repeating: .silent, count: channels)
    for (bus, channel) in haptics.enumerated() where channel <= channels {
      sources[channel - 1] = .haptic(Int32(bus))
    }
    for (place, channel) in audioChannels.enumerated() where channel <= channels {
      sources[channel - 1] =
        audioChannels.count == 1 ? .soundBoth : place.isMultiple(of: 2) ? .soundLeft : .soundRight
    }
    return ChannelMap(sources)
  }
}

extension SampleFormat {
  fileprivate init?(word: String) {
    switch word {
    case "s16": self = .s16
    case "s24": self = .s24
    case "s24_3": self = .s24in3
    case "s32": self = .s32
    case "float": self = .float
    default: return nil
    }
  }
}

extension ALSARequest.Period {
  fileprivate init?(word: String) {
    if word.hasSuffix("f") {
      guard let count = Int(word.dropLast()), (1...192_000).contains(count) else { return nil }
      self = .frames(count)
    } else {
      // `Double` reads a point as the decimal mark whatever the locale.
      let number = word.hasSuffix("ms") ? String(word.dropLast(2)) : word
      guard let milliseconds = Double(number), (1...1000).contains(milliseconds) else { return nil }
      self = .seconds(milliseconds / 1000)
    }
  }
}
