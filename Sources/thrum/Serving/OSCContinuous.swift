import ThrumEngine
import ThrumRealtime

/// Continuous events by their ids: of each id those that sound one after the other, some of them ahead of their time.
///
/// Messages with a time are handed on before it: until then an id means the event that sounds, not the one that follows.
struct OSCContinuous {
  /// A continuous event.
  final class Voice {
    let player: Player
    /// When it begins, nanoseconds, and on which frame, where it was given one.
    let start: Int64
    let frame: RenderFrame?
    var intensity: OSCTimedValue
    var sharpness: OSCTimedValue
    /// Whether its values are to be sent.
    var isChanged = false
    private var end: Int64?

    init(_ player: Player, intensity: Float, sharpness: Float, start: OSCMoment) {
      self.player = player
      self.start = start.nanoseconds
      frame = start.frame
      self.intensity = OSCTimedValue(intensity)
      self.sharpness = OSCTimedValue(sharpness)
    }

    /// Notes that it was told to end at a time, nanoseconds; the first of several holds.
    func ends(at nanoseconds: Int64) { end = min(end ?? .max, nanoseconds) }

    /// Whether it was told to have ended by then.
    func isEnding(at nanoseconds: Int64) -> Bool { end.map { $0 <= nanoseconds } ?? false }
  }

  /// By their ids, in order of their starts.
  private var lists: [String: [Voice]] = [:]

  /// Whether there are none.
  var isEmpty: Bool { lists.isEmpty }
  /// How many ids there are.
  var idCount: Int { lists.count }
  /// How many there are beside the last of each id.
  var followedCount: Int { lists.values.reduce(0) { $0 + $1.count - 1 } }
  /// All of them, in no order.
  var voices: [Voice] { lists.values.flatMap { $0 } }

  /// Whether an id is taken, if only by one that is ahead.
  func has(_ id: String) -> Bool { lists[id] != nil }

  /// The one that an id means at a time.
  subscript(id: String, at nanoseconds: Int64) -> Voice? { lists[id]?.last { $0.start <= nanoseconds } }

  /// Adds one.
  /// - Returns: The one that follows it.
  mutating func insert(_ voice: Voice, _ id: String) -> Voice? {
    var list = lists[id] ?? []
    let index = list.firstIndex { $0.start > voice.start } ?? list.count
    list.insert(voice, at: index)
    lists[id] = list
    return index + 1 < list.count ? list[index + 1] : nil
  }

  /// Forgets one.
  mutating func remove(_ id: String, _ voice: Voice) {
    lists[id]?.removeAll { $0 === voice }
    if lists[id]?.isEmpty == true { lists[id] = nil }
  }

  /// Forgets all of a kind.
  mutating func removeAll(where isMeant: (Voice) -> Bool) {
    lists = lists.mapValues { $0.filter { !isMeant($0) } }.filter { !$0.value.isEmpty }
  }
}
