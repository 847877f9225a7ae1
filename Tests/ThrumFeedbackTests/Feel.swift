import Foundation
import TestSupport
import ThrumEngine
import ThrumPattern

/// What a rendered feedback feels like: its pulses, as a finger would count them.
struct Feel {
  /// One pulse.
  struct Pulse: CustomStringConvertible {
    /// Seconds from the first pulse.
    var time: Double
    /// The largest magnitude, full scale being 1.
    var peak: Double
    /// The mean frequency, weighted by power.
    var hertz: Double
    /// Seconds for which it holds half of its peak.
    var length: Double

    var description: String {
      "\(fixed(time * 1000, 0)) ms: peak \(fixed(peak, 2)), \(fixed(hertz, 0)) Hz, "
        + "\(fixed(length * 1000, 0)) ms long"
    }
  }

  let pulses: [Pulse]

  private static let rate = 8000.0
  /// Half the longest period, so that a tone of 80 Hz has no gaps.
  private static let hold = 52

  init(_ pattern: Pattern) {
    var samples: [Double] = []
    OfflineRender.render(
      ScheduleCompiler.compile(pattern), profile: .none, rate: 8000, format: .float
    ) { bytes in
      samples += bytes.bindMemory(to: Float.self).map(Double.init)
    }
    pulses = Self.pulses(in: samples)
  }

  /// A pulse begins where the envelope rises above what it had fallen to by more than a half.
  private static func pulses(in samples: [Double]) -> [Pulse] {
    let envelope = samples.indices.map { peak(samples.slice($0, hold)) }
    var starts: [Int] = []
    var valley = 0.0
    var top = 0.0
    var isFalling = true
    for (frame, value) in envelope.enumerated() {
      if isFalling {
        valley = min(valley, value)
        if value > 1.5 * valley + 0.04 {
          starts.append(frame)
          isFalling = false
          top = value
        }
      } else {
        top = max(top, value)
        if value < 0.75 * top {
          isFalling = true
          valley = value
        }
      }
    }
    // The envelope looks ahead, so it rises before what it rises for.
    let onsets = starts.map { $0 == 0 ? 0 : $0 + hold - 1 }
    return onsets.enumerated().map { index, start in
      let end = index + 1 < onsets.count ? onsets[index + 1] : samples.count
      let part = Array(samples[start..<end])
      let height = peak(part)
      let long = envelope[start..<end].count { $0 >= height / 2 }
      return Pulse(
        time: Double(start - onsets[0]) / rate, peak: height, hertz: centroid(part),
        length: Double(long) / rate)
    }
  }

  /// How far apart two feedbacks are, in just noticeable differences (docs/feedback.md): the pulses are
  /// paired in order so that the sum is least.
  func distance(to other: Feel) -> Double {
    let missing = 16.0
    var row = (0...other.pulses.count).map { Double($0) * missing }
    for pulse in pulses {
      var next = [row[0] + missing]
      for (index, match) in other.pulses.enumerated() {
        let paired = row[index] + pulse.squaredDistance(to: match)
        next.append(min(paired, row[index + 1] + missing, next[index] + missing))
      }
      row = next
    }
    return row[other.pulses.count].squareRoot()
  }
}

extension Feel.Pulse {
  /// The square of the distance in just noticeable differences: 1.5 dB of strength, a fifth of frequency, a
  /// quarter of length, and a tenth of the time since the first pulse but 10 ms at least.
  func squaredDistance(to other: Feel.Pulse) -> Double {
    let strength = decibels(peak / other.peak) / 1.5
    let pitch = log(hertz / other.hertz) / log(1.2)
    let extent = log(length / other.length) / log(1.25)
    let moment = (time - other.time) / max(0.01, 0.1 * min(time, other.time))
    return strength * strength + pitch * pitch + extent * extent + moment * moment
  }
}
