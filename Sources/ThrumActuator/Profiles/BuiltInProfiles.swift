extension ActuatorProfile {
  /// The patterns' own signal: no filter, no limiter, no drive. For measurements and files, not for an actuator.
  public static let none = ActuatorProfile(
    name: "none", kind: .wideband, protection: nil,
    notes: "The signal as the pattern says it: no filter, no limiter. Not for an actuator.")

  /// For an actuator of which nothing is known: half level, 40 Hz high-pass, limiters.
  public static let safe = ActuatorProfile(
    name: "safe", kind: .wideband, gain: 0.5, protection: Protection(highPassHz: 40),
    notes: "For an actuator of which nothing is known: half level, no overdrive, no braking.")

  /// A voice coil or exciter whose data sheet allows half of full scale for ever.
  public static let wideband = ActuatorProfile(
    name: "wideband", kind: .wideband,
    notes: "A voice coil or exciter that takes half of full scale for ever. Copy it and give its volts.")

  /// A linear resonant actuator of 175 Hz, as phones have them; f0 from the data sheet, so that nothing brakes.
  public static let lra175 = ActuatorProfile(
    name: "lra-175", kind: .lra, resonance: Resonance(hz: 175, q: 15),
    drive: .halfCycle(overdrives: true, brakes: false), protection: Protection(excursionRatio: 1.3),
    notes:
      "A resonant actuator of nominally 175 Hz. Its f0 is not measured, so nothing brakes: see thrum calibrate."
  )

  /// A linear resonant actuator of 235 Hz, as flat phones and watches have them.
  public static let lra235 = ActuatorProfile(
    name: "lra-235", kind: .lra, resonance: Resonance(hz: 235, q: 20),
    drive: .halfCycle(overdrives: true, brakes: false), protection: Protection(excursionRatio: 1.3),
    notes:
      "A resonant actuator of nominally 235 Hz. Its f0 is not measured, so nothing brakes: see thrum calibrate."
  )

  /// A laptop's loudspeaker, on which patterns are heard rather than felt.
  public static let speaker = ActuatorProfile(
    name: "speaker", kind: .speaker, gain: 0.5, speakerCornerHz: 200, protection: Protection(highPassHz: 100),
    notes: "A laptop's loudspeaker: patterns are heard, two octaves up, at half level.")

  /// The voice coils in a game pad that is a sound card of four channels, the last two of them coils.
  public static let dualSense = ActuatorProfile(
    name: "dualsense", kind: .wideband, protection: Protection(highPassHz: 40), channels: [3, 4],
    notes:
      "The game pad's two voice coils, channels 3 and 4 of its sound card. Resonance not measured, so no equalizer."
  )

  /// Every built-in profile, in the order of the help.
  public static let builtIn: [ActuatorProfile] = [
    none, safe, wideband, lra175, lra235, speaker, dualSense,
  ]
}
