import ThrumEngine

/// The thread on which a bench does what takes time, one thing after another: opening a device, reading sounds, compiling.
///
/// Lives on two threads: anybody posts, the thread works.
final class BenchWorker: Sendable {
  typealias Job = @Sendable () -> Void

  private struct Queue {
    var jobs: [Job] = []
    var isEnding = false
  }

  private let queue = Locked(Queue())
  private let bell = Doorbell()
  private let thread = NativeThread(name: "thrum-bench")

  /// Starts the thread.
  /// - Parameter rest: Called when there is nothing more to do; says when it wants to be called again at the latest, in
  ///   nanoseconds of CLOCK_MONOTONIC, nil for not before the next job or ``ring()``.
  func start(rest: @escaping @Sendable () -> Int64?) throws(OutputError) {
    try thread.start { [queue, bell] in
      while true {
        let rings = bell.count
        let (jobs, isEnding) = queue.withLock { queue in
          defer { queue.jobs = [] }
          return (queue.jobs, queue.isEnding)
        }
        for job in jobs { job() }
        if isEnding { return }
        if !jobs.isEmpty { continue }
        bell.wait(after: rings, untilNanoseconds: rest() ?? .max / 2)
      }
    }
  }

  /// Has a thing done after all that was posted before.
  func post(_ job: @escaping Job) {
    queue.withLock { $0.jobs.append(job) }
    bell.ring()
  }

  /// Has the thread look again what there is to do.
  func ring() { bell.ring() }

  /// Waits until all that was posted has been done.
  func settle() {
    let done = Doorbell()
    post { done.ring() }
    done.wait(after: 0, untilNanoseconds: .max / 2)
  }

  /// Ends the thread after all that was posted. Safe to call twice, and from the thread itself.
  func end() {
    queue.withLock { $0.isEnding = true }
    bell.ring()
    if !thread.isCurrent { thread.join() }
  }
}
