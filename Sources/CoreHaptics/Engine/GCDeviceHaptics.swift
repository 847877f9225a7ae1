/// The duration of a continuous event that goes on until it is stopped.
public let GCHapticDurationInfinite: Float = .infinity

/// A place on a game controller where there is an actuator, or several.
public struct GCHapticsLocality: Hashable, RawRepresentable, Sendable {
  /// The name.
  public let rawValue: String

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Where games are felt as a rule: all actuators.
  public static let `default` = GCHapticsLocality(rawValue: "Default")
  /// All actuators.
  public static let all = GCHapticsLocality(rawValue: "All")
  /// Both handles.
  public static let handles = GCHapticsLocality(rawValue: "Handles")
  /// The left handle.
  public static let leftHandle = GCHapticsLocality(rawValue: "(Left) Handle")
  /// The right handle.
  public static let rightHandle = GCHapticsLocality(rawValue: "(Right) Handle")
  /// Both triggers.
  public static let triggers = GCHapticsLocality(rawValue: "Triggers")
  /// The left trigger.
  public static let leftTrigger = GCHapticsLocality(rawValue: "(Left) Trigger")
  /// The right trigger.
  public static let rightTrigger = GCHapticsLocality(rawValue: "(Right) Trigger")
}

/// The actuators of a game controller that is a sound device: its haptic channels in the order of the channel
/// map are the left handle, the right handle, the left trigger and the right trigger.
open class GCDeviceHaptics: NSObject, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: it never changes.

  /// The device; nil means the one that the settings choose.
  let deviceName: String?
  /// Where there are actuators.
  public let supportedLocalities: Set<GCHapticsLocality>

  /// The actuators of a device, nil where there is no such device or it drives fewer than two apart.
  /// - Parameter deviceName: The device; nil means the one that the settings choose.
  public init?(deviceName: String?) {
    let support = HapticSystem.current.output(named: deviceName).support
    guard support.problem == nil, support.actuators >= 2 else { return nil }
    self.deviceName = deviceName
    var localities: Set<GCHapticsLocality> = [.default, .all, .handles, .leftHandle, .rightHandle]
    if support.actuators >= 3 { localities.formUnion([.leftTrigger, .triggers]) }
    if support.actuators >= 4 { localities.insert(.rightTrigger) }
    supportedLocalities = localities
    super.init()
  }

  /// Makes an engine for a place; nil where there is no actuator.
  open func createEngine(withLocality locality: GCHapticsLocality) -> CHHapticEngine? {
    guard supportedLocalities.contains(locality), let place = HapticLocality(locality) else { return nil }
    do {
      return try CHHapticEngine(output: deviceName, locality: place)
    } catch {
      // The device has gone since; there is no engine to be had, which is what nil says.
      return nil
    }
  }
}

/// A game controller, as far as haptics want one.
open class GCController: NSObject, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: it never changes.

  /// Its actuators.
  public let haptics: GCDeviceHaptics?

  init(haptics: GCDeviceHaptics) {
    self.haptics = haptics
    super.init()
  }

  /// The controllers there are: the output that the settings choose, where it drives two actuators or more.
  open class func controllers() -> [GCController] {
    guard let haptics = GCDeviceHaptics(deviceName: nil) else { return [] }
    return [GCController(haptics: haptics)]
  }

  /// The first controller there is.
  open class var current: GCController? { controllers().first }
}

extension HapticLocality {
  /// The actuators of a place; nil for one that is not known.
  init?(_ locality: GCHapticsLocality) {
    isOfController = true
    switch locality {
    case .default, .all: numbers = nil
    case .handles: numbers = [0, 1]
    case .leftHandle: numbers = [0]
    case .rightHandle: numbers = [1]
    case .triggers: numbers = [2, 3]
    case .leftTrigger: numbers = [2]
    case .rightTrigger: numbers = [3]
    default: return nil
    }
  }
}
