import ThrumRealtime

/// What the control side keeps of a player while the render thread may know it: everything it plays from, and
/// what is still to be told. Used under the control lock.
struct PlayerRecord {
  /// Called on the handler thread with the frame at which a run ended.
  typealias FinishHandler = @Sendable (RenderFrame) -> Void

  let schedule: Schedule
  let engine: Int32
  let bus: Int32

  /// Whether a ``Player`` still refers to the slot.
  var hasHandle = true
  /// Whether the render thread was asked to forget the player.
  var isRemoved = false
  /// The number of runs sent and not yet reported finished; the render thread counts each of them once.
  var openRuns = 0
  var onFinish: FinishHandler?

  // Latest-value properties: the last one counts, and is sent as soon as there is room for it.
  var rate = LatestValue<Float>(1)
  var isMuted = LatestValue(false)
  var loop = LatestValue(Loop())

  /// Live curves that the render thread holds.
  var curves: Set<UnsafeMutablePointer<ControlPoint>> = []
  /// The pages of a streamed schedule.
  var window: PageWindow?

  /// Whether the run under way plays a number of passes instead of what `loop` says.
  var playsPasses = false

  struct Loop: Equatable {
    var isEnabled = false
    var endSeconds: Double = 0
  }

  /// The sounds it plays, held until the render thread has handed the player back, and what it sees of them.
  private let samples: [SoundSamples]
  private var soundTable: UnsafeMutablePointer<SoundView>?

  init(schedule: Schedule, engine: Int32, bus: Int32, samples: [SoundSamples]) {
    self.samples = samples
    let views = samples.compactMap(\.view)
    precondition(views.count == samples.count, "sounds are converted to one channel or two")
    if !views.isEmpty {
      let table = UnsafeMutablePointer<SoundView>.allocate(capacity: views.count)
      for (position, view) in views.enumerated() { (table + position).initialize(to: view) }
      soundTable = table
    }
    self.schedule = schedule
    self.engine = engine
    self.bus = bus
    if schedule.view.isStreamed, let index = schedule.index { window = PageWindow(index: index) }
  }

  /// What the render thread sees: the schedule with this player's own tables of pages and sounds.
  var view: ScheduleView {
    var view = schedule.view
    if let window { view.pages = window.table }
    if let soundTable { view.sounds = UnsafePointer(soundTable) }
    return view
  }

  /// Whether something is still to be told to the render thread.
  var hasNews: Bool {
    rate.isDirty || isMuted.isDirty || loop.isDirty || window?.hasNews == true
  }

  /// Frees what the render thread has dropped its last use of.
  mutating func deallocate() {
    soundTable?.deallocate()
    soundTable = nil
    for points in curves { points.deallocate() }
    curves = []
    window?.deallocate()
    window = nil
  }
}

/// A property of which only the last value matters, and whether that one has been sent.
struct LatestValue<Value: Equatable> {
  private(set) var value: Value
  private(set) var isDirty = false

  init(_ value: Value) { self.value = value }

  mutating func set(_ value: Value) {
    if value != self.value { isDirty = true }
    self.value = value
  }

  /// Makes the value go again although it is the same.
  mutating func sendAgain() { isDirty = true }

  mutating func wasSent() { isDirty = false }
}
