/// The response of three cascaded means of equal length to a unit step (signal model, 4 and 9), in units of one over the
/// cube of that length.
struct StepResponse {
  /// Frames of one of the three means, 1 or more.
  let meanFrames: Int64

  @_noLocks @_noAllocation
  init(meanFrames: Int64) { self.meanFrames = meanFrames }

  /// That of the renderer's own frames: means of 21 frames.
  static var native: StepResponse { @_noLocks @_noAllocation get { StepResponse(meanFrames: 21) } }

  /// Frames after which the response is exact: 60 for means of 21.
  var length: Int64 { @_noLocks @_noAllocation get { 3 &* (meanFrames &- 1) } }

  /// The response's final value: 9261 for means of 21.
  var scale: Int64 { @_noLocks @_noAllocation get { meanFrames &* meanFrames &* meanFrames } }

  /// The response `offset` frames after the step: 1 at 0, `scale` from `length` on, 0 before.
  ///
  /// The number of triples in 0…m−1 whose sum is at most `offset`, by inclusion and exclusion.
  @_noLocks @_noAllocation
  func value(_ offset: Int64) -> Int64 {
    if offset < 0 { return 0 }
    if offset >= length { return scale }
    var count = tetrahedral(offset)
    if offset >= meanFrames { count = count &- 3 &* tetrahedral(offset &- meanFrames) }
    if offset >= 2 &* meanFrames { count = count &+ 3 &* tetrahedral(offset &- 2 &* meanFrames) }
    return count
  }

  /// The step as a gain that rises from `offset` 0 on: 0…1.
  @_noLocks @_noAllocation
  func rise(_ offset: Int64) -> Double { Double(value(offset)) / Double(scale) }

  @_noLocks @_noAllocation
  private func tetrahedral(_ k: Int64) -> Int64 { (k &+ 1) &* (k &+ 2) &* (k &+ 3) / 6 }
}

/// A jump of a parameter on one frame, in units of 2⁻²⁴.
struct Step {
  var frame: Int64
  var jump: Int64
}

/// The jumps of one parameter that are still being smoothed, at most one a frame.
///
/// Settled ones are forgotten between spans only: within a span a voice still has to know which of the jumps in the smoothed
/// values were made before it began.
struct StepHistory {
  // Safety: room for `capacity` steps, owned by the renderer.
  let steps: UnsafeMutablePointer<Step>
  private(set) var count = 0

  /// Units of a jump in one: 2²⁴, so that sums are exact.
  static var unitsPerOne: Double { @_noLocks @_noAllocation get { 16_777_216 } }

  /// Steps kept at once: those of the 60 frames before a span, and of the longest span's 64.
  static var capacity: Int { @_noLocks @_noAllocation get { 128 } }

  init(steps: UnsafeMutablePointer<Step>) { self.steps = steps }

  /// Whether all steps had settled at the last `forget`.
  var isSettled: Bool { @_noLocks @_noAllocation get { count == 0 } }

  /// Records a jump; two on one frame add up. Frames do not decrease from call to call.
  @_noLocks @_noAllocation
  mutating func append(frame: Int64, jump: Double) {
    let fixed = CoreMath.roundedHalfAway(jump * StepHistory.unitsPerOne)
    if fixed == 0 { return }
    if count > 0, steps[count &- 1].frame == frame {
      steps[count &- 1].jump = steps[count &- 1].jump &+ fixed
      return
    }
    // Only where no span forgets: a player that does not play.
    if count == StepHistory.capacity { forget(before: frame) }
    if count == StepHistory.capacity {
      // More than frames that do not decrease can bring. The value arrives all the same, smoothed from another frame.
      steps[count &- 1].jump = steps[count &- 1].jump &+ fixed
      return
    }
    steps[count] = Step(frame: frame, jump: fixed)
    count = count &+ 1
  }

  /// Drops the steps that have settled by a frame.
  @_noLocks @_noAllocation
  mutating func forget(before frame: Int64) {
    var settled = 0
    while settled < count, steps[settled].frame &+ StepResponse.native.length <= frame {
      settled = settled &+ 1
    }
    if settled == 0 { return }
    var index = settled
    while index < count {
      steps[index &- settled] = steps[index]
      index = index &+ 1
    }
    count = count &- settled
  }

  /// Whether a voice that began on a frame has to leave out some of the steps.
  @_noLocks @_noAllocation
  func hasStep(atOrBefore frame: Int64) -> Bool { count > 0 && steps[0].frame <= frame }

  /// What is still missing at a frame of the jumps made after another: subtract it from the jumping value.
  @_noLocks @_noAllocation
  func missing(at frame: Int64, after start: Int64) -> Double {
    let response = StepResponse.native
    var sum: Int64 = 0
    var index = 0
    while index < count {
      let step = steps[index]
      if step.frame > start, step.frame <= frame {
        sum = sum &+ step.jump &* (response.scale &- response.value(frame &- step.frame))
      }
      index = index &+ 1
    }
    return Double(sum) / (Double(response.scale) * StepHistory.unitsPerOne)
  }

  /// Settles everything at once.
  @_noLocks @_noAllocation
  mutating func clear() { count = 0 }
}
