import Synchronization

/// What a plug-in or a server holds beyond the buffer that was agreed on.
enum HiddenDelay {
  /// The answers that are judged, the first after the start, about ten a second: what a device says later, in the middle
  /// of a pattern, is no reason to end it.
  static let answersToJudge = 4
  /// So many of them must be over the limit for a device to be refused, since one may be a mistake.
  static let answersToRefuse = 3
}

extension PlaybackLoop {
  /// Notes what the device holds beyond its buffer, and counts the first answers that are over the limit.
  /// - Returns: The same.
  ///
  /// Threads: render. Real-time: yes.
  func judge(hidden frames: Int64) -> Int64 {
    // Ordering: relaxed throughout, see LoopControl: each figure stands alone and none publishes memory.
    control.hiddenFrames.max(Int(frames), ordering: .relaxed)
    if judgedDelays < HiddenDelay.answersToJudge {
      judgedDelays += 1
      if Double(frames) > control.hiddenLimitSeconds * Double(rate) { deepDelays += 1 }
    }
    return frames
  }
}
