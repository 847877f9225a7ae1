import Glibc

/// A vibration actuator as a mass on a spring with friction: what it does when a drive is played into it.
///
/// The equation is that of a linear resonant actuator or a voice coil near its first resonance:
///
///     D(s) = s² + s·ω0/Q + ω0²,  ω0 = 2π·f0
///     displacement = gain·(ω0²/Q)/D(s)   velocity = gain·(s·ω0/Q)/D(s)   acceleration = gain·(s²/Q)/D(s)
///
/// Each is in units of its own *rated steady value*: a sine of amplitude 1 at f0 that has gone on for long gives
/// amplitude 1 of all three (where ``gain`` is 1). So no mass, force or voltage is needed, and levels of the three
/// compare with the drive's. Signs are those of the moving mass for a positive drive; at f0 the velocity is in phase
/// with the drive, the displacement a quarter period late, the acceleration a quarter early.
///
/// **Error.** Between two samples the drive is taken to be a straight line, and for that the solution is exact: no error
/// grows with time, and f0 and Q are those given at every rate. Where the samples stand for a band-limited signal, the
/// straight lines make the motion by a tone of f hertz smaller by (πf/rate)²/3, and its acceleration by at most
/// (π·max(f, f0)/rate)²/3: 0.002 dB at 400 Hz and 48 kHz, 0.07 dB at 8 kHz. So simulate at the device's rate, 32 kHz or
/// more, rather than at the 8 kHz of the core.
///
/// What it leaves out: stiffness that changes with excursion, friction that changes with velocity, end stops, warming.
///
/// Threads: a value; each thread has its own. Not for the render thread, which has its own estimate.
public struct ActuatorModel: Sendable, Equatable {
  /// The resonance f0 in Hz.
  public let resonanceHz: Double
  /// The quality factor Q at f0, without unit. The amplitude rings down by e in Q / (π f0) seconds.
  public let q: Double
  /// What the drive is multiplied by: 1 for a drive in units of the rated amplitude.
  public let gain: Double
  /// Samples a second.
  public let rate: Double
  /// Where it is now.
  public private(set) var motion = ActuatorMotion()

  private let transition: Transition
  private var lastDrive = 0.0

  /// An actuator at rest.
  /// - Parameters:
  ///   - resonanceHz: f0 in Hz, above 0. May be above half the rate.
  ///   - q: Q, above 0; ½ is critical damping.
  ///   - gain: A factor on the drive.
  ///   - rate: Samples of drive a second, above 0.
  public init(resonanceHz: Double, q: Double, gain: Double = 1, rate: Double) {
    precondition(resonanceHz > 0 && q > 0 && rate > 0, "f0, Q and the rate of an actuator are above 0")
    self.resonanceHz = resonanceHz
    self.q = q
    self.gain = gain
    self.rate = rate
    transition = Transition(angularStep: 2 * .pi * resonanceHz / rate, q: q)
  }

  /// The time in seconds in which a free vibration falls to 1/e: Q / (π f0).
  public var timeConstant: Double { q / (.pi * resonanceHz) }

  /// Goes on by one sample.
  /// - Parameter drive: The drive now, 1 being the rated amplitude. From the last one to this it went in a straight line.
  /// - Returns: The motion at this sample's moment.
  @discardableResult
  public mutating func step(_ drive: Double) -> ActuatorMotion {
    let new = drive * gain
    let x = motion.displacement
    let v = motion.velocity
    let t = transition
    motion.displacement = t.xx * x + t.xv * v + t.xOld * lastDrive + t.xNew * new
    motion.velocity = t.vx * x + t.vv * v + t.vOld * lastDrive + t.vNew * new
    motion.acceleration = (new - motion.velocity) / q - motion.displacement
    lastDrive = new
    return motion
  }

  /// Comes to rest at once.
  public mutating func reset() {
    motion = ActuatorMotion()
    lastDrive = 0
  }

  /// The motion for a whole drive from rest, one of it per sample.
  /// - Parameters:
  ///   - drive: The drive at ``rate``, 1 being the rated amplitude.
  ///   - quantity: Which of the three to give.
  public func response(
    to drive: [Float], of quantity: ActuatorQuantity = .acceleration
  ) -> [Float] {
    var model = self
    model.reset()
    return drive.map { Float(model.step(Double($0))[quantity]) }
  }

  /// The steady amplitude for a sine of amplitude 1, relative to the rated steady value.
  /// - Parameters:
  ///   - hertz: The sine's frequency, above 0.
  ///   - quantity: Which of the three to give.
  public func magnitude(at hertz: Double, of quantity: ActuatorQuantity = .acceleration) -> Double {
    let ratio = hertz / resonanceHz
    let real = 1 - ratio * ratio
    let imaginary = ratio / q
    let displacement = gain / q / (real * real + imaginary * imaginary).squareRoot()
    switch quantity {
    case .displacement: return displacement
    case .velocity: return displacement * ratio
    case .acceleration: return displacement * ratio * ratio
    }
  }
}

/// What of an actuator's motion is looked at.
public enum ActuatorQuantity: String, Sendable, CaseIterable {
  /// How far the mass is from its rest.
  case displacement
  /// How fast it moves, which is what its back-EMF tells.
  case velocity
  /// What is felt, and what an accelerometer tells.
  case acceleration
}

/// The motion of an actuator at one moment, each part in units of its rated steady amplitude at f0.
public struct ActuatorMotion: Sendable, Equatable {
  /// How far the mass is from its rest.
  public var displacement = 0.0
  /// How fast it moves.
  public var velocity = 0.0
  /// How fast that changes, as an accelerometer tells.
  public var acceleration = 0.0

  /// At rest.
  public init() {}

  /// One part of it.
  public subscript(quantity: ActuatorQuantity) -> Double {
    switch quantity {
    case .displacement: displacement
    case .velocity: velocity
    case .acceleration: acceleration
    }
  }
}

/// The exact step of x' = ω0·v, v' = ω0·((u − v)/Q − x) for a drive that goes in a straight line over the step.
private struct Transition: Sendable, Equatable {
  var xx, xv, vx, vv: Double
  var xOld, xNew, vOld, vNew: Double

  /// - Parameters:
  ///   - angularStep: ω0 times the length of a step.
  init(angularStep h: Double, q: Double) {
    // The matrix exponential of h·[[0, 1], [−1, −2ζ]]: with S and C the decaying sine and cosine of the damped
    // frequency, e^(hF) = C·1 + S·(F + ζ·1).
    let zeta = 1 / (2 * q)
    let decay = exp(-zeta * h)
    let c: Double
    let s: Double
    let square = 1 - zeta * zeta
    if square > 1e-12 {
      let w = square.squareRoot()
      c = decay * cos(w * h)
      s = decay * sin(w * h) / w
    } else if square < -1e-12 {
      let w = (-square).squareRoot()
      c = decay * cosh(w * h)
      s = decay * sinh(w * h) / w
    } else {
      c = decay
      s = decay * h
    }
    let (xx, xv, vx, vv) = (c + zeta * s, s, -s, c - zeta * s)
    // A drive u0 + (u1 − u0)·t/h has the particular solution x = a + b·t, v = b with b = (u1 − u0)/(Q·h) and
    // a = (u0 − b)/Q with the slope's own share of friction in it; what is left of the start decays freely.
    func end(u0: Double, u1: Double) -> (x: Double, v: Double) {
      let b = (u1 - u0) / (q * h)
      let a = (u0 - b) / q
      return (a + b * h - xx * a - xv * b, b - vx * a - vv * b)
    }
    (self.xx, self.xv, self.vx, self.vv) = (xx, xv, vx, vv)
    (xOld, vOld) = end(u0: 1, u1: 0)
    (xNew, vNew) = end(u0: 0, u1: 1)
  }
}
