import Glibc
import ThrumActuator
import ThrumIdentification
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// Plays pairs of tones and asks a person which of the two is stronger.
final class EarMeasurement {
  private let output: Output
  private let engine: Engine
  private let bell = Bell()
  private let range: ClosedRange<Double>

  /// How long each tone is, and the pause between the two, seconds.
  private static let toneSeconds = 0.7
  private static let pauseSeconds = 0.35
  /// Of full intensity, which is the rated amplitude before the profile's own half.
  private static let intensity: Float = 0.6

  /// Makes an output on a device; it runs with the protection of an unknown actuator.
  init(device: any OutputDevice, map: ChannelMap?, range: ClosedRange<Double>) throws(CommandError) {
    var profile = BusProfile.safe
    profile.minimumHz = range.lowerBound
    profile.maximumHz = range.upperBound
    self.range = range
    output = Output(device: device, configuration: OutputConfiguration(profiles: [profile], map: map))
    engine = try output.started()
  }

  /// Asks until nothing more is to be learned.
  /// - Throws: `CommandError.interrupted`; the output is silent.
  func run(near: Double?, seed: Int) throws(CommandError) -> StrengthStaircase {
    var staircase = StrengthStaircase(range: range, near: near, seed: UInt64(seed))
    defer { output.close() }
    StandardError.write(
      "Two tones each time. Which is stronger? 1: the first, 2: the second, =: neither, r: again, q: end\n")
    while !staircase.isDone {
      try play(staircase.pair)
      StandardError.write(
        "pair \(staircase.answered + 1) of at most \(StrengthStaircase.mostPairs): 1, 2, =, r or q? ")
      switch try answer() {
      case .again: StandardError.write("again\n")
      case .stop: throw .failed("ended before the answers told anything")
      case .answer(let answer, let word):
        StandardError.write("\(word)\n")
        staircase.take(answer)
      }
    }
    return staircase
  }

  private func play(_ pair: StrengthStaircase.Pair) throws(CommandError) {
    var pattern = Pattern()
    var time = 0.0
    for hertz in [pair.first, pair.second] {
      var parameters = EventParameters()
      parameters[.hapticIntensity] = Self.intensity
      parameters[.hapticSharpness] = Float(
        log(hertz / range.lowerBound) / log(range.upperBound / range.lowerBound))
      parameters[.attackTime] = 0.5
      parameters[.releaseTime] = 0.5
      pattern.entries.append(
        .event(
          Event(type: .hapticContinuous, time: time, duration: Self.toneSeconds, parameters: parameters)))
      time += Self.toneSeconds + Self.pauseSeconds
    }
    let player: Player
    do throws(EngineError) {
      player = try engine.makePlayer(for: ScheduleCompiler.compile(pattern))
      bell.take()
      player.onFinish = { [bell] _ in bell.ring() }
      try player.start()
    } catch {
      throw .failed(error.message)
    }
    defer { player.onFinish = nil }
    // Twice as long as it takes: a device that has stopped does not come to an end.
    let heard = waitForReading(
      [bell.descriptor, Interruption.descriptor], milliseconds: Int32(2000 * (time + 1)))
    if let signal = Interruption.caught {
      do throws(EngineError) { try player.stop() } catch { throw .failed(error.message) }
      // Through the ramp of a stop, and until that has been heard.
      guard output.drain(timeoutSeconds: 1) == .drained else {
        throw .failed("the device did not play what it holds in time")
      }
      throw .interrupted(signal: signal)
    }
    if !heard[0] { throw .failed("the tones were not played; the device may have stopped") }
  }

  private enum Key {
    case answer(StrengthStaircase.Answer, String)
    case again
    case stop
  }

  private func answer() throws(CommandError) -> Key {
    while true {
      let ready = waitForReading([STDIN_FILENO, Interruption.descriptor], milliseconds: -1)
      if let signal = Interruption.caught { throw .interrupted(signal: signal) }
      guard ready[0] else { continue }
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return .stop }
      switch byte {
      case UInt8(ascii: "1"): return .answer(.first, "the first")
      case UInt8(ascii: "2"): return .answer(.second, "the second")
      case UInt8(ascii: "="), UInt8(ascii: "0"): return .answer(.neither, "neither")
      case UInt8(ascii: "r"), UInt8(ascii: "R"): return .again
      case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: return .stop
      default: continue
      }
    }
  }
}
