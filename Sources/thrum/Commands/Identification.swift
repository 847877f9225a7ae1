import Glibc
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// `thrum devices --identify`: ticks each channel of a device in turn and asks what was felt.
struct Identification {
  /// The most channels that are tried, as many as there are haptic buses.
  private static let mostChannels = 16

  let name: String
  private let output: Output
  private let engine: Engine
  private let channels: Int

  /// Opens a device with as many channels as it has.
  init(_ choice: DeviceChoice, _ configuration: Configuration) throws(CommandError) {
    guard case .alsa(let name) = choice.target else {
      throw .failed("the virtual actuator has one channel, which nobody feels; name a card with --device")
    }
    self.name = name
    let device = try Self.open(name, DeviceRequest(configuration: configuration))
    channels = min(device.output.channels, Self.mostChannels)
    var buses = OutputConfiguration()
    buses.profiles = Array(repeating: .safe, count: channels)
    buses.map = ChannelMap(
      (0..<device.output.channels).map { $0 < Self.mostChannels ? .haptic(Int32($0)) : .silent })
    output = Output(device: device, configuration: buses)
    do throws(EngineError) {
      engine = try output.makeEngine()
    } catch {
      throw .failed(error.message)
    }
  }

  private static func open(_ name: String, _ request: DeviceRequest) throws(CommandError) -> ALSAOutput {
    var failure = OutputError("\(name) has no channels")
    for channels in stride(from: mostChannels, through: 1, by: -1) {
      var alsa = request.alsa
      alsa.channels = channels
      do throws(OutputError) {
        return try ALSAOutput.open(name: name, request: alsa)
      } catch {
        failure = error
        // What is wrong with opening is wrong with any number of channels.
        if error.cause == .device && !error.message.contains("channel") { break }
      }
    }
    throw .failed(failure.message)
  }

  /// Ticks and asks, and tells at the end what to give to `--channels`.
  func run() throws(CommandError) -> ExitCode {
    defer { output.close() }
    do throws(OutputError) {
      try output.start()
    } catch {
      throw .failed(error.message)
    }
    var choice = ChannelChoice()
    StandardOutput.write(
      "\(name) has \(NumberText.count(channels, "channel")). After the ticks of each: h for an actuator, a for a "
        + "loudspeaker,\nr to repeat, Enter for nothing.\n")
    var channel = 1
    while channel <= channels {
      StandardOutput.write("channel \(channel): ")
      try tick(channel)
      guard let answer = readLine() else { break }
      switch answer.first {
      case "r": continue
      case "h": choice.haptic.append(channel)
      case "a": choice.audio.append(channel)
      default: break
      }
      channel += 1
    }
    StandardOutput.write(
      choice.haptic.isEmpty ? "\nNo channel has an actuator.\n" : "\nplay with --channels \(choice.words)\n")
    return choice.haptic.isEmpty ? .failure : .success
  }

  /// Three taps on one channel, to their end.
  private func tick(_ channel: Int) throws(CommandError) {
    let taps = (0..<3).map { count in
      var tap = Event(type: .hapticTransient, time: Double(count) * 0.15)
      tap.parameters[.hapticIntensity] = 1
      return Pattern.Entry.event(tap)
    }
    let bell = Bell()
    do throws(EngineError) {
      let player = try engine.makePlayer(
        for: ScheduleCompiler.compile(Pattern(entries: taps)), bus: channel - 1)
      player.onFinish = { _ in bell.ring() }
      try player.start(at: RenderFrame(output.status.playhead.value + 400))
      // A device that stops, stops asking: ten seconds are enough for three taps.
      let hasEnded = waitForReading([bell.descriptor], milliseconds: 10_000)
      if hasEnded[0] { return }
    } catch {
      throw .failed("\(name) does not play: \(error.message)")
    }
    throw .failed("\(name) does not play; three taps have not ended within 10 s")
  }
}
