internal import ThrumALSA
internal import ThrumActuator
internal import ThrumEngine
internal import ThrumFeedback
internal import ThrumPattern
internal import ThrumRealtime
internal import ThrumSettings

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
  private var channelActuators: [Int: ActuatorProfile] = [:]
  /// A linear gain on top of the profile's.
  var gain: Float = 1
  /// Frames a second.
  var rate: Int?
  /// The layout of a sample.
  var format: SampleFormat?
  /// The time between two wake-ups.
  var period: ALSARequest.Period?
  /// What carries what, each actuator on a bus of its own; nil puts one bus on all channels, and where it names no actuator
  /// there is sound alone.
  private(set) var channels: ChannelChoice?
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
      if settings.hasSoundChannels { settings.soundDeviceName = nil }
    }
    if let actuator {
      try settings.set("actuator", to: actuator, place: "CHHapticEngine.actuator")
    }
    if settings.channels == nil, !settings.actuator.channels.isEmpty {
      settings.channels = try Self.held(ChannelChoice(haptic: settings.actuator.channels), place: "actuator")
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
    func value<Value>(_ parser: ValueParser<Value>) throws -> Value {
      if let value = parser.parse(word) { return value }
      throw Self.refused(place, "\(key) takes \(parser.expectation), not \"\(word)\"")
    }
    switch key {
    case "device": deviceName = word
    case "fallback": fallbackName = word
    case "audio-device": soundDeviceName = word
    case "audio-offset": soundOffset = try value(.soundOffset) / 1000
    case "sound-memory": soundCapacity = try value(.soundMemory) * 1_000_000
    case "actuator": actuator = try profile(word, folder, place)
    case "rate": rate = try value(.rate)
    case "format": format = try value(.deviceFormat)
    case "period": period = try value(.period)
    case "gain": gain = Float(pow(10, try value(.gain) / 20))
    case "channels":
      let choice = try Self.held(value(.channels), place: place)
      channels = choice
      channelActuators = try choice.actuators.mapValues { try profile($0.word, folder, place) }
    default: break
    }
  }

  /// The channels, if each that has an actuator can have a bus of its own.
  private static func held(_ choice: ChannelChoice, place: String) throws -> ChannelChoice {
    let most = OutputConfiguration.mostBuses
    guard choice.haptic.count <= most else {
      throw refused(place, "\(choice.haptic.count) channels with actuators; \(most) are the most")
    }
    return choice
  }

  /// The profile of a name or a file.
  private func profile(_ word: String, _ folder: String?, _ place: String) throws -> ActuatorProfile {
    do throws(ActuatorLibrary.Problem) {
      return try ActuatorLibrary(folder: profileFolder).profile(word, relativeTo: folder)
    } catch {
      throw Self.refused(place, error.description)
    }
  }
}

// What follows for an output.
extension OutputSettings {
  /// The channels of the haptic buses, one each, counted from 1; nil where one bus goes to all.
  var hapticChannels: [Int]? { channels?.haptic }
  /// Whether any channel has a loudspeaker.
  var hasSoundChannels: Bool { channels?.audio.isEmpty == false }
  /// Channels that the device must have; nil where any number will do.
  var channelCount: Int? { channels.map(\.count) }

  /// What an ALSA device is asked for.
  var request: ALSARequest {
    var request = ALSARequest(rate: rate, format: format, channels: channelCount)
    if let period { request.period = period }
    request.carriesSound = hasSoundChannels
    return request
  }

  /// The period of a virtual actuator in its frames.
  var virtualPeriodFrames: Int? { period?.frames(at: rate ?? RenderRate.framesPerSecond) }

  /// What goes into an output of so many channels.
  func configuration(channels: Int) -> OutputConfiguration {
    var profiles = (hapticChannels ?? []).map { (channelActuators[$0] ?? actuator).busProfile }
    // An output has a bus at least; with sound alone no channel carries it.
    if profiles.isEmpty { profiles = [actuator.busProfile] }
    for bus in profiles.indices { profiles[bus].gain *= gain }
    let buses = hapticChannels.map { Dictionary(uniqueKeysWithValues: zip($0, $0.indices)) } ?? [:]
    return OutputConfiguration(
      settings: OutputLimits.rendererSettings, profiles: profiles,
      map: self.channels?.map(channels: channels, buses: buses), soundOffsetSeconds: soundOffset)
  }
}
