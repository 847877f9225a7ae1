import Glibc
import ThrumEngine

/// Which device to play on, and why that one.
public struct DeviceChoice: Sendable, Equatable {
  /// Where the choice came from, the strongest first.
  public enum Reason: Sendable, Equatable {
    /// Named on the command line.
    case option
    /// Named by the environment variable `THRUM_DEVICE`.
    case environment
    /// Named in the configuration file.
    case configuration
    /// Nothing was named, and ALSA has a `default` that opens.
    case systemDefault
    /// Nothing was named, and ALSA's `default` does not open for the reason given.
    case noDevice(String)
  }

  /// What to play on.
  public enum Target: Sendable, Equatable {
    /// An ALSA PCM of this name.
    case alsa(String)
    /// The built-in virtual actuator.
    case virtual
  }

  /// What to play on.
  public var target: Target
  /// Why.
  public var reason: Reason

  /// The name by which a person asks for the virtual actuator.
  public static let virtualName = "virtual"

  /// Chooses: what was named, in order of nearness, else ALSA's `default` where it opens, else the virtual
  /// actuator. A device that was named is not tried here: opening it tells what is wrong with it.
  /// - Parameters:
  ///   - option: The value of `--device`; nil or empty where it was not given.
  ///   - environment: The value of `THRUM_DEVICE`; see ``environmentValue``.
  ///   - configuration: The device named in the configuration file.
  ///
  /// Threads: control. Real-time: no, opens `default` for a moment.
  public static func choose(
    option: String?, environment: String? = environmentValue, configuration: String? = nil
  ) -> DeviceChoice {
    choose(option: option, environment: environment, configuration: configuration, problemOf: problem)
  }

  static func choose(
    option: String?, environment: String?, configuration: String?, problemOf: (String) -> String?
  ) -> DeviceChoice {
    let named: [(String?, Reason)] = [
      (option, .option), (environment, .environment), (configuration, .configuration),
    ]
    for case (let name?, let reason) in named where !name.isEmpty {
      return DeviceChoice(target: name == virtualName ? .virtual : .alsa(name), reason: reason)
    }
    if let problem = problemOf("default") {
      return DeviceChoice(target: .virtual, reason: .noDevice(problem))
    }
    return DeviceChoice(target: .alsa("default"), reason: .systemDefault)
  }

  /// The value of `THRUM_DEVICE`; nil where it is not set.
  public static var environmentValue: String? { getenv("THRUM_DEVICE").map { String(cString: $0) } }

  /// The choice on one line, for `thrum devices` and for the notice of `thrum play`.
  public var words: String {
    let name =
      switch target {
      case .alsa(let name): name
      case .virtual: "the virtual actuator"
      }
    return switch reason {
    case .option: "\(name), named by --device"
    case .environment: "\(name), named by THRUM_DEVICE"
    case .configuration: "\(name), named in the configuration file"
    case .systemDefault: "\(name), since no device was named"
    case .noDevice(let problem):
      "\(name), since no device was named and ALSA's default does not open (\(problem))"
    }
  }

  private static func problem(of name: String) -> String? {
    do throws(OutputFault) {
      try PCM(name: name).close()
      return nil
    } catch {
      return ALSAError.text(of: error.code)
    }
  }
}
