import Glibc
import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

extension ActuatorName {
  /// What the environment variable `THRUM_ACTUATOR` says; nil where it is not set.
  static var environment: ActuatorName? {
    fileName(inEnvironment: "THRUM_ACTUATOR").flatMap { $0.bytes.isEmpty ? nil : ActuatorName($0.text) }
  }

  /// Reads its profile.
  /// - Throws: `CommandError`, its message whole.
  func profile() throws(CommandError) -> ActuatorProfile {
    do throws(ActuatorLibrary.Problem) {
      return try ActuatorLibrary().profile(word, relativeTo: folder)
    } catch {
      switch error {
      case .unknown(let sentence):
        if let place { throw .configuration("\(place): error: \(printable(sentence))") }
        throw .usage(printable(sentence))
      case .unreadable, .refused:
        // Each line names the profile's own file and place.
        let lines = error.description.split(separator: "\n").map { printable(String($0)) }
        StandardError.write(lines.joined(separator: "\n") + "\n")
        throw .reported
      }
    }
  }
}

extension ValueParser where Value == ActuatorName {
  /// A profile by its name, or a file of one.
  static var actuator: ValueParser {
    ValueParser("the name of an actuator or a profile's file", choices: ActuatorLibrary.builtInNames) {
      word in
      word.isEmpty ? nil : ActuatorName(word)
    }
  }
}

extension ActuatorProfile {
  /// Of a profile of one's own without volts, that its limits are a guess; the built-in ones say so in their description.
  var voltsNotice: String? {
    if volts != nil || protection == nil || ActuatorProfile.builtIn.contains(self) { return nil }
    return
      "the profile \(name) gives no volts, so its limits are a guess: they take half of full scale for what the "
      + "actuator bears for ever"
  }
}

/// The actuators that a command drives, as profiles, and which channel has which.
struct ActuatorSetup {
  /// The one that is meant where a channel names none.
  let profile: ActuatorProfile
  /// Which channels carry what: as asked for, else as the profile has it; nil where neither says.
  let channels: ChannelChoice?
  /// Of each profile that promises less than it seems to, a sentence.
  let notices: [String]
  /// What is done to each haptic bus, the level that was asked for included.
  let buses: [BusProfile]
  /// The bus of a channel that is not on the first one.
  private let busOfChannel: [Int: Int]

  /// Looks everything up.
  /// - Parameters:
  ///   - option: The command line's actuator, which counts for every channel that the configuration file names.
  ///   - channels: The command line's channels.
  ///   - usual: The actuator where neither these nor `THRUM_ACTUATOR` say one.
  ///   - gain: Level in dB.
  /// - Throws: `CommandError`, where a profile is not there or is refused.
  init(
    _ option: ActuatorName?, channels: ChannelChoice?, configuration: Configuration,
    usual: ActuatorName = .safe, gain: Double = 0
  ) throws(CommandError) {
    let profile = try (option ?? .environment ?? configuration.actuator ?? usual).profile()
    var choice = channels ?? configuration.channels
    if channels == nil, option != nil { choice?.actuators = [:] }
    if choice == nil, !profile.channels.isEmpty { choice = ChannelChoice(haptic: profile.channels) }
    var profiles: [ActuatorProfile] = []
    var buses: [Int: Int] = [:]
    for channel in choice?.haptic ?? [] {
      let own = try choice?.actuators[channel]?.profile() ?? profile
      if let bus = profiles.firstIndex(of: own) {
        buses[channel] = bus
      } else {
        buses[channel] = profiles.count
        profiles.append(own)
      }
    }
    if profiles.isEmpty { profiles = [profile] }
    let most = OutputConfiguration.mostBuses
    if profiles.count > most {
      throw .usage("--channels names \(profiles.count) kinds of actuators; \(most) are the most")
    }
    self.profile = profile
    self.channels = choice
    notices = profiles.compactMap(\.voltsNotice)
    busOfChannel = buses
    let level = Float(linearGain(decibels: gain))
    self.buses = profiles.map { profile in
      var bus = profile.busProfile
      bus.gain *= level
      return bus
    }
  }

  /// The names of the actuators, for a person or a script.
  var names: String { buses.map(\.name).joined(separator: ", ") }

  /// The one bus, for what can drive no more.
  /// - Throws: `CommandError.usage`.
  func only(_ command: String) throws(CommandError) -> BusProfile {
    if buses.count > 1 {
      throw .usage(
        "\(command) drives one kind of actuator at a time, and --channels names \(names); give --actuator")
    }
    return buses[0]
  }

  /// What each channel of a device carries; nil where that is all the same.
  func map(channels count: Int) -> ChannelMap? { channels?.map(channels: count, buses: busOfChannel) }
}
