import ThrumEngine
import ThrumFeedback

// Time.
extension FeedbackService {
  /// Does what is due: ends and next runs.
  func advance() {
    dropFailed()
    let now = MonotonicClock.nanoseconds
    for (id, feedback) in running.sorted(by: { $0.key < $1.key }) {
      if let until = feedback.repeatsUntil, until <= now, feedback.reason == nil {
        end(id, reason: .expired)
      } else if let next = feedback.nextRun {
        if next <= now { runAgain(id, feedback) }
      } else if !feedback.player.isActive {
        rest(id, feedback, now)
      }
    }
  }

  /// When ``advance()`` is due next, if nothing rings before; nil for never.
  var due: Int64? {
    if running.isEmpty { return nil }
    // What fades rings when it is silent. A device that is gone for good rings nothing, and is looked at.
    let waiting = running.values.filter { $0.reason == nil }
    let times = waiting.flatMap { [$0.repeatsUntil, $0.nextRun].compactMap { $0 } }
    return min(times.min() ?? .max, MonotonicClock.nanoseconds + 1_000_000_000)
  }

  /// Fades everything.
  func stop() { for id in running.keys.sorted() { end(id) } }

  /// Ends what fades, now that the device has been given back.
  func forget() { for id in running.keys.sorted() { finish(id, .explicit) } }

  /// Ends what played on a device that is gone for good.
  func dropFailed() {
    if output.hasFailed { for id in running.keys.sorted() { finish(id, .explicit) } }
  }

  private func rest(_ id: UInt32, _ feedback: Running, _ now: Int64) {
    guard feedback.reason == nil, feedback.repeatsUntil != nil else {
      finish(id, feedback.reason ?? .natural)
      return
    }
    running[id]?.nextRun = now + max(feedback.rest, Self.leastRest)
  }

  /// The shortest time between two runs, nanoseconds: an empty pattern must not spin.
  static let leastRest: Int64 = 10_000_000

  private func runAgain(_ id: UInt32, _ feedback: Running) {
    running[id]?.nextRun = nil
    do throws(EngineError) {
      try feedback.player.start()
    } catch {
      StandardError.note("serve", error.message)
      finish(id, .explicit)
    }
  }

  /// Cuts short what plays: a run of what repeats, or all of what does not.
  func interrupt(_ id: UInt32) {
    guard let feedback = running[id] else { return }
    if feedback.repeatsUntil == nil { end(id) } else if feedback.nextRun == nil { fade(feedback.player, id) }
  }

  func fade(_ player: Player, _ id: UInt32) {
    do throws(EngineError) {
      try player.cancel()
    } catch {
      // The output has closed: there is nothing left to fade.
      finish(id, .explicit)
    }
    // A run that was over already rings no more.
    output.bell.ring()
  }

  func finish(_ id: UInt32, _ reason: EndReason) {
    guard let feedback = running.removeValue(forKey: id) else { return }
    if latest == id { latest = nil }
    output.use()
    if !feedback.isVibration { ended.append((id, reason)) }
  }
}
