import Glibc

/// Several sources as one.
final class ControlSet: ControlSource {
  let name = "controllers"
  /// The sources, in the order of their reading.
  let sources: [any ControlSource]

  init(_ sources: [any ControlSource]) { self.sources = sources }

  var descriptors: [pollfd] { sources.flatMap(\.descriptors) }

  var due: Int64? { sources.compactMap(\.due).min() }

  /// The ids of each source are made ids of their own.
  func read() -> [ControlEvent] {
    let wasLearning = isLearning
    var events: [ControlEvent] = []
    for (index, source) in sources.enumerated() {
      let own = source.read()
      // What one has learned no other has to learn any more.
      if wasLearning, !source.isLearning { learn(nil) }
      events += own.map { event in
        switch event {
        case .hold(let id, let intensity, let sharpness):
          .hold(id: id * sources.count + index, intensity: intensity, sharpness: sharpness)
        case .release(let id): .release(id: id * sources.count + index)
        default: event
        }
      }
    }
    return events
  }

  func learn(_ target: ControlTarget?) { for source in sources { source.learn(target) } }

  var isLearning: Bool { sources.contains { $0.isLearning } }
}
