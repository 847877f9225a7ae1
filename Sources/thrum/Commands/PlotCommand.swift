import ThrumEngine
import ThrumJSON
import ThrumPattern
import ThrumPlot
import ThrumRealtime
import ThrumSettings

/// `thrum plot`: a picture of a pattern, for a review or a page.
struct PlotCommand: Command, HeardSettings {
  var operands: [FileName] = []
  var output: FileName?
  var type: PictureFormat?
  var scale = 2.0
  var actuator = ActuatorName.none
  var gain = 0.0
  var allowedPaths: [String]?
  var soundOffset: Double?
  var isHapticsOnly = false

  /// What is drawn of a longer pattern, seconds.
  private static let longestSeconds = 600

  static var form: CommandForm<PlotCommand> {
    CommandForm(
      name: "plot", summary: "Draw a pattern as a PNG or SVG picture.",
      operandUsage: "-o OUT.png|OUT.svg FILE", operandHelp: "FILE is an AHAP file; - is standard input.",
      operandCount: 1...1, operandNoun: "a FILE",
      discussion: [
        "The picture has the waveform and its envelope, that of the sound where there is any, intensity and sharpness over time, the events, and the spectrum. "
          + "Of a pattern longer than ten minutes the first ten are drawn."
      ],
      options: [
        .file(
          "output", short: "o", \.output,
          "Where to write the picture; the name ends in .png or .svg. - is standard output. Required."),
        .value(
          "type", short: "t", "TYPE", \.type, .pictureFormat,
          "png or svg, whatever the name; needed for -o -."),
        .value(
          "scale", short: "s", "N", \.scale,
          .number(0.5...8, "a number from 0.5 to 8"),
          "Size of a PNG, 1 being 1200 pixels wide; default 2."),
        .value(
          "actuator", short: "a", "NAME", \.actuator, .actuator,
          "The actuator's profile, by its name or its file, as for play; default none: no filter, no limiter."
        ),
        .value("gain", short: "g", "DB", \.gain, .gain, "Level, before any limiter; default 0 dB."),
      ] + CommandOption.soundOptions,
      examples: [
        .init(line: "thrum plot swell.ahap -o swell.png", effect: "Writes a picture of 2400 pixels' width."),
        .init(line: "thrum plot swell.ahap -t svg -o - > swell.svg", effect: "Sends a drawing into a pipe."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    guard let output else { throw .usage("where to write is missing; give -o OUT.png or -o OUT.svg") }
    let format = try PictureFormat.chosen(type, for: output, of: operands)
    let file = try NamedPattern.readOrReport(operands[0])
    let picture = try picture(of: file)
    try PictureFormat.write(to: output) { () throws(PlotError) in
      try picture.bytes(as: format, scale: scale)
    }
    return .success
  }

  private func picture(of file: NamedPattern) throws(CommandError) -> PatternPicture {
    var profile = try actuator.profile().busProfile
    profile.gain *= Float(linearGain(decibels: gain))
    let rate = RenderRate.framesPerSecond
    let memory = isHapticsOnly ? nil : try Configuration.load().soundMemory
    let sounds = SoundSettings(isWanted: !isHapticsOnly, allowed: allowedPaths, memory: memory)
    let schedule = try sounds.schedule(of: file, rate: rate, command: "plot")
    let isHeard = sounds.isWanted && schedule.hasSounds
    var samples: [Float] = []
    var sound: [Float] = []
    let result = OfflineRender.render(
      schedule, profile: profile, rate: rate, format: .float,
      map: ChannelMap(isHeard ? [.haptic(0), .soundBoth] : [.haptic(0)]),
      soundOffsetSeconds: (soundOffset ?? 0) / 1000, longestFrames: Int64(Self.longestSeconds * rate)
    ) { bytes in
      let values = bytes.bindMemory(to: Float.self)
      for (index, value) in values.enumerated() {
        if isHeard, index % 2 == 1 { sound.append(value) } else { samples.append(value) }
      }
    }
    let end = Double(schedule.durationFrames) / Double(rate)
    var subtitle = [
      "\(NumberText.fixed(end, 3)) s, rendered at \(rate) Hz for the actuator \(profile.name)"
        + (gain == 0 ? "" : " at \(NumberText.short(gain)) dB"),
      "peak \(NumberText.level(Double(result.peak))), RMS \(NumberText.level(result.levels.rms))",
    ]
    if result.isCut { subtitle.append("the first \(Self.longestSeconds) s of it") }
    return PatternPicture(
      title: file.name, subtitle: subtitle, samples: samples, sound: sound, rate: Double(rate),
      patternEnd: result.isCut ? nil : end, events: marks(in: file.pattern, isCut: result.isCut),
      intensityControl: ControlTrack.track(of: .hapticIntensityControl, in: file.pattern),
      sharpnessControl: ControlTrack.track(of: .hapticSharpnessControl, in: file.pattern))
  }
}

extension PlotCommand {
  /// The marks of the events that are in the picture.
  fileprivate func marks(in pattern: Pattern, isCut: Bool) -> [EventMark] {
    let end = isCut ? Double(Self.longestSeconds) : .infinity
    return pattern.entries.compactMap { entry in
      guard case .event(let event) = entry, event.time <= end else { return nil }
      return EventMark(event)
    }
  }
}

extension EventMark {
  /// The mark of an event; an event without a duration lasts to the picture's end.
  fileprivate init(_ event: Event) {
    let kind: Kind =
      switch event.type {
      case .hapticTransient: .transient
      case .hapticContinuous: .continuous
      case .audioContinuous, .audioCustom: .sound
      }
    self.init(
      kind: kind, time: event.time, duration: event.duration.flatMap { $0 > 0 ? $0 : nil },
      intensity: Double(event.value(of: event.type.isHaptic ? .hapticIntensity : .audioVolume)),
      sharpness: Double(event.value(of: .hapticSharpness)))
  }
}
