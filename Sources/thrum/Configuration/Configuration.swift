import Glibc
import ThrumALSA
import ThrumEngine
import ThrumFeedback
import ThrumJSON
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// What the configuration file says, `key = value` a line.
struct Configuration {
  /// The device to play on.
  var device: String?
  /// The device to play on where that one cannot be opened.
  var fallback: String?
  /// The actuator to play for.
  var actuator: ActuatorName?
  /// Frames a second of the device.
  var rate: Int?
  /// The layout of a sample.
  var format: SampleFormat?
  /// Which channels of the device carry what.
  var channels: ChannelChoice?
  /// The time between two wake-ups of the device.
  var period: ALSARequest.Period?
  /// Milliseconds that a plug-in or server may hold beyond the buffer.
  var delayLimit: Double?
  /// Level in dB.
  var gain: Double?
  /// The device that plays the sound.
  var soundDevice: String?
  /// Milliseconds by which sound comes later than the haptics of its time.
  var soundOffset: Double?
  /// Millions of bytes that all sounds take at most.
  var soundMemory: Int?

  /// One key of the file, and where its value goes.
  private struct Key {
    var name: String
    /// Stores a word, or gives back what would be right.
    var store: (String, inout Configuration) -> String?

    init<Value>(_ name: String, _ path: WritableKeyPath<Configuration, Value?>, _ parser: ValueParser<Value>)
    {
      self.name = name
      store = { word, configuration in
        guard let value = parser.parse(word) else { return parser.expectation }
        configuration[keyPath: path] = value
        return nil
      }
    }
  }

  private static var keys: [Key] {
    [
      Key("device", \.device, .text("the name of a device")),
      Key("fallback", \.fallback, .text("the name of a device")),
      Key("actuator", \.actuator, .actuator),
      Key("rate", \.rate, .rate),
      Key("format", \.format, .deviceFormat),
      Key("period", \.period, .period),
      Key("channels", \.channels, .channels),
      Key("gain", \.gain, .gain),
      Key("max-delay", \.delayLimit, .delayLimit),
      Key("audio-device", \.soundDevice, .text("the name of a device")),
      Key("audio-offset", \.soundOffset, .soundOffset),
      Key("sound-memory", \.soundMemory, .soundMemory),
    ]
  }

  /// Where the file is looked for: `$XDG_CONFIG_HOME/thrum/config`, else `~/.config/thrum/config`.
  static var standardPath: FileName? {
    if let folder = fileName(inEnvironment: "XDG_CONFIG_HOME"), folder.bytes.first == UInt8(ascii: "/") {
      return folder.appending("thrum/config")
    }
    return fileName(inEnvironment: "HOME")?.appending(".config/thrum/config")
  }

  /// Reads the file where it exists.
  /// - Throws: `CommandError.configuration`, the file and line named.
  static func load() throws(CommandError) -> Configuration {
    guard let path = standardPath else { return Configuration() }
    guard let text = try contents(of: path) else { return Configuration() }
    return try parse(text, path: path)
  }

  /// The text of a file, nil where there is none.
  /// - Parameter noun: What the file is, for the messages.
  static func contents(of path: FileName, noun: String = "configuration") throws(CommandError) -> String? {
    do throws(ConfigurationFile.Problem) {
      return try ConfigurationFile.text(of: path, noun: noun)
    } catch {
      throw .configuration("\(path): error: \(error.text)")
    }
  }

  /// Reads the text of a file: `#` begins a comment line, blank lines are free, later lines win.
  /// - Throws: `CommandError.configuration`, the file and line named.
  static func parse(_ text: String, path: FileName) throws(CommandError) -> Configuration {
    var configuration = Configuration()
    for line in ConfigurationFile.lines(of: text) {
      let place = "\(path):\(line.number)"
      guard let (name, word) = line.setting else {
        throw .configuration(
          "\(place): error: \"\(printable(line.content))\" is not a setting; write key = value")
      }
      // Those are for who gives feedback.
      if FeedbackSettings.keys.contains(name) { continue }
      guard let key = keys.first(where: { $0.name == name }) else {
        let names = keys.map(\.name)
        let advice =
          NearestName.find(name, in: names).map { "did you mean \($0)?" }
          ?? "the keys are \(names.joined(separator: ", "))"
        throw .configuration("\(place): error: unknown key \"\(printable(name))\"; \(advice)")
      }
      if let expectation = key.store(word, &configuration) {
        throw .configuration("\(place): error: \(name) takes \(expectation), not \"\(printable(word))\"")
      }
      let folder = path.folder.text
      if name == "actuator" { configuration.actuator?.isNamed(at: place, folder: folder) }
      if name == "channels" { configuration.channels?.areNamed(at: place, folder: folder) }
    }
    return configuration
  }
}
