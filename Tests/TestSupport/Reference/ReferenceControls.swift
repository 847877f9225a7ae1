import Foundation
import ThrumPattern

/// Frames of the renderer's grid, 8,000 a second, from seconds.
///
/// Floor and fraction of the Float64 product; a fraction of a half or more goes up (signal model 11.1).
/// A product beyond 2^53 gives 2^53: such a time is refused when a file is read, such a duration is longer
/// than any cap.
public func referenceFrames(_ seconds: Double) -> Int {
  let product = seconds * ReferenceRenderer.framesPerSecond
  guard product < 9_007_199_254_740_992 else { return 9_007_199_254_740_992 }
  let whole = product.rounded(.down)
  return Int(whole) + (product - whole >= 0.5 ? 1 : 0)
}

/// A dynamic parameter or a curve, on frames: something that writes the value of one parameter id from its
/// start on.
///
/// A parameter is a curve of one point at its own start (11.6: one point is a step at the curve's start).
struct ControlWriter {
  struct Point {
    var frame: Int
    var value: Double
  }

  /// The frame from which it counts.
  var start: Int
  /// Never empty; in order of frame.
  var points: [Point]

  /// The value at a frame from the start on: the first point's before it, straight between points, the last
  /// point's after it; of points that share the frame, the last (11.6).
  func value(at frame: Int) -> Double {
    let next = points.partitionIndex { $0.frame > frame }
    if next == 0 { return points[0].value }
    if next == points.count { return points[next - 1].value }
    return line(from: points[next - 1], to: points[next], at: frame)
  }

  /// What the value comes to from the left at a frame: as `value(at:)`, but of points that share the frame,
  /// the first.
  func limitFromTheLeft(at frame: Int) -> Double {
    let next = points.partitionIndex { $0.frame >= frame }
    if next == 0 { return points[0].value }
    if next == points.count { return points[next - 1].value }
    return line(from: points[next - 1], to: points[next], at: frame)
  }

  private func line(from a: Point, to b: Point, at frame: Int) -> Double {
    a.value + (b.value - a.value) * Double(frame - a.frame) / Double(b.frame - a.frame)
  }
}

/// The value of one dynamic parameter over the time of a pattern.
public struct ReferenceControl {
  /// A discontinuity: at `frame` the value stands `change` away from where it came to from the left.
  public struct Step {
    /// The first frame of the new value.
    public var frame: Int
    /// The new value less the limit from the left.
    public var change: Double
  }

  private let neutral: Double
  private let writers: [ControlWriter]
  /// The frames on which a discontinuity can be: starts, and points that share a frame; in order.
  private let stepFrames: [Int]

  /// Collects what a pattern says about one parameter.
  ///
  /// The writer with the latest start counts; of equal starts the last in the file; a curve that was cut off
  /// never resumes (11.7). Reading chosen: starts are equal when their *frames* are equal, since the
  /// conversion to frames comes first (11.1). Points out of order are sorted by their times in seconds,
  /// stably (11.13). A curve without points has no effect.
  public init(_ id: DynamicParameterID, in pattern: Pattern) {
    neutral = Double(id.neutralValue)
    var found: [ControlWriter] = []
    for entry in pattern.entries {
      switch entry {
      case .event: break
      case .parameter(let parameter) where parameter.id == id:
        let start = referenceFrames(parameter.time)
        let value = Double(clamped(parameter.value, to: id.range))
        found.append(ControlWriter(start: start, points: [.init(frame: start, value: value)]))
      case .curve(let curve) where curve.id == id && !curve.points.isEmpty:
        let start = referenceFrames(curve.time)
        let points = curve.points.stablySorted { $0.time < $1.time }.map {
          ControlWriter.Point(
            frame: start + referenceFrames($0.time), value: Double(clamped($0.value, to: id.range)))
        }
        found.append(ControlWriter(start: start, points: points))
      default: break
      }
    }
    writers = found.stablySorted { $0.start < $1.start }

    var frames = Set(writers.map(\.start))
    for writer in writers {
      for (a, b) in zip(writer.points, writer.points.dropFirst()) where a.frame == b.frame {
        frames.insert(a.frame)
      }
    }
    stepFrames = frames.sorted()
  }

  /// The value at a frame, a step of that frame included, unsmoothed.
  public func value(at frame: Int) -> Double {
    writer(at: frame)?.value(at: frame) ?? neutral
  }

  /// The discontinuities on the frames of a range, in order.
  public func steps(in range: Range<Int>) -> [Step] {
    let first = stepFrames.partitionIndex { $0 >= range.lowerBound }
    let end = stepFrames.partitionIndex { $0 >= range.upperBound }
    return stepFrames[first..<max(first, end)].compactMap { frame in
      let before = writer(at: frame - 1)?.limitFromTheLeft(at: frame) ?? neutral
      let change = value(at: frame) - before
      return change == 0 ? nil : Step(frame: frame, change: change)
    }
  }

  /// The value on each frame of a voice's life as that voice takes it: steps after its first frame smoothed,
  /// everything else as it is (sections 4 and 11.8).
  public func smoothed(over life: Range<Int>) -> [Double] {
    var straight = life.map(value(at:))
    let steps = steps(in: life).filter { $0.frame > life.lowerBound }
    guard !steps.isEmpty else { return straight }

    var jumps = [Double](repeating: 0, count: life.count)
    for step in steps {
      for index in (step.frame - life.lowerBound)..<life.count { jumps[index] += step.change }
    }
    for index in straight.indices { straight[index] -= jumps[index] }
    let smooth = movingMean21(movingMean21(movingMean21(jumps)))
    return zip(straight, smooth).map { $0 + $1 }
  }

  private func writer(at frame: Int) -> ControlWriter? {
    let next = writers.partitionIndex { $0.start > frame }
    return next == 0 ? nil : writers[next - 1]
  }
}

/// The mean of each sample and the 20 before it; zeros before the first.
public func movingMean21(_ input: [Double]) -> [Double] {
  input.indices.map { index in
    var sum = 0.0
    for earlier in max(0, index - 20)...index { sum += input[earlier] }
    return sum / 21
  }
}

/// The nearer end of a range, or the value itself.
public func clamped<Value: Comparable>(_ value: Value, to range: ClosedRange<Value>) -> Value {
  min(max(value, range.lowerBound), range.upperBound)
}

extension Array {
  /// The first index whose element satisfies a condition that holds from some index on; `count` where none
  /// does.
  func partitionIndex(where condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Sorted, elements that compare equal staying in their order.
  func stablySorted(by isBefore: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { a, b in
      if isBefore(a.element, b.element) { return true }
      if isBefore(b.element, a.element) { return false }
      return a.offset < b.offset
    }.map(\.element)
  }
}
