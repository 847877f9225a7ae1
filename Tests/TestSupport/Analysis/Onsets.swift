/// The frame at which something begins, as the cases measure it: the first sample, from a frame on, whose
/// size reaches a tenth of the largest in the 30 ms from there; nil where all of it is within `floor`.
public func onset(
  in signal: [Double], from first: Int = 0, rate: Double = 8000, floor: Double = 0.0001
) -> Int? {
  let window = Int(0.03 * rate)
  return signal.indices.dropFirst(first).first { frame in
    let size = abs(signal[frame])
    return size > floor && size >= peak(signal.slice(frame, window)) / 10
  }
}

/// The changes of sign in a signal.
public func zeroCrossings(_ signal: some Sequence<Double>) -> Int {
  var last = 0.0
  var count = 0
  for sample in signal where sample != 0 {
    if sample * last < 0 { count += 1 }
    last = sample
  }
  return count
}

/// The shift (frames by which `signal` is late) at which two signals differ least in energy, and what is left
/// then.
public func bestAlignment(
  of signal: [Double], with expected: [Double], shifts: ClosedRange<Int>
) -> (shift: Int, deviation: Deviation) {
  func shifted(_ shift: Int) -> [Double] {
    shift >= 0
      ? Array(signal.dropFirst(shift)) : [Double](repeating: 0, count: -shift) + signal
  }
  func distance(_ candidate: [Double]) -> Double {
    (0..<max(candidate.count, expected.count)).reduce(0) { sum, frame in
      let a = frame < candidate.count ? candidate[frame] : 0
      let b = frame < expected.count ? expected[frame] : 0
      return sum + (a - b) * (a - b)
    }
  }
  let best = shifts.min { distance(shifted($0)) < distance(shifted($1)) } ?? shifts.lowerBound
  return (best, Deviation(of: shifted(best), from: expected))
}
