import ThrumActuator
import ThrumIdentification

extension IdentificationFault {
  /// Whether more sweeps would meet it too: something is wired or set wrongly.
  var isHopeless: Bool {
    switch self {
    case .silent, .unheard, .clipped, .noPeak: true
    default: false
    }
  }

  /// Why a measurement is not good enough, and what to try; two lines at most.
  /// - Parameters:
  ///   - source: What was listened to, such as `hw:1, channel 1`.
  ///   - sensor: With what.
  func words(on source: String, _ sensor: MotionSensor) -> String {
    func percent(_ share: Double) -> String {
      share.isFinite ? "\(NumberText.short(share * 100)) %" : "any amount"
    }
    func hertz(_ value: Double) -> String { "\(NumberText.fixed(value, 1)) Hz" }
    switch self {
    case .nothingRecorded: return "nothing was recorded"
    case .tooShort:
      return "the recording on \(source) is shorter than the sweep and what rings after it\n"
        + "Record from half a second before it to a second after it."
    case .silent(let level):
      let heard =
        level > -199 ? "nothing louder than \(NumberText.fixed(level, 0)) dB of full scale" : "only zeros"
      return "\(source) is silent: \(heard) came in\n"
        + "Look at the sensor, its wire, the input's switch and volume (alsamixer, F4), and --input-channel."
    case .unheard:
      return "the sweep is not heard on \(source): all there is is noise\n"
        + "Look whether the actuator moves, whether the sensor is fixed to it, and --input-channel; or raise the input."
    case .clipped:
      return "\(source) clipped, which makes every resonance blunt\nTurn the input's volume down, or --level."
    case .noPeak:
      return sensor == .resistor
        ? "the current on \(source) shows no motion: is it the resistor's voltage, and can the actuator move?\n"
          + "A resistor of a twentieth of the coil's resistance, in series, is enough."
        : "what \(source) hears has no resonance: the output itself, or an actuator without one\n"
          + "Switch off monitoring in the mixer, and look whether the sensor is on the actuator."
    case .peakAtEdge(let place):
      return "the resonance is not within the sweep: the curve rises to its end at \(hertz(place))\n"
        + "Give another --range."
    case .twoPeaks(let first, let second):
      return
        "there are two resonances, at \(hertz(first)) and at \(hertz(second)); which is the actuator's is not to be told\n"
        + "Fix it to something that does not ring, or give a --range with one of them."
    case .noFit(let place):
      return
        "no resonance can be laid through the peak near \(hertz(place))\nFix actuator and sensor more firmly."
    case .notOneResonance(let deviation):
      return "the peak is not that of one resonance: it differs from it by \(percent(deviation))\n"
        + "Fix both more firmly: a loose one rattles, and a soft base rings too. Or it is another kind of --sensor."
    case .sweepsDiffer(let low, let high):
      return "the sweeps differ: f0 was \(hertz(low)) in one and \(hertz(high)) in another\n"
        + "Something is mounted loosely, or warms up: fix it, wait, and measure again."
    case .uncertainResonance(let share):
      return "f0 is only known within \(percent(share)), and a profile takes 3 %\n" + Self.louder
    case .uncertainQ(let share):
      return "Q is only known within \(percent(share)), and a profile takes 20 %\n" + Self.louder
    }
  }

  private static let louder =
    "More --sweeps, a louder input or a higher --level help; so does a sensor that is fixed more firmly."
}
