/// Commands that have come out of the queue and wait for their frame, in order of it; of equal frames in order of arrival.
struct PendingCommands {
  // Safety: `capacity` entries, owned by the renderer.
  private let commands: UnsafeMutablePointer<Command>
  private let capacity: Int
  private var first = 0
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    commands = .allocate(capacity: capacity)
  }

  func deallocate() { commands.deallocate() }

  /// Whether another command can wait.
  var isFull: Bool { @_noLocks @_noAllocation get { count == capacity } }

  /// The frame of the first to apply, `Int64.max` when none waits.
  var nextFrame: Int64 {
    @_noLocks @_noAllocation get { count == 0 ? .max : PendingCommands.frame(of: commands[first]) }
  }

  /// The multiple of eight at which a command is dealt with: at or after its frame, but for `start`, which is told its
  /// exact frame in the group before. The last frames there are have no multiple of eight behind them, and never come.
  @_noLocks @_noAllocation
  static func frame(of command: Command) -> Int64 {
    if case .start = command.action { return command.frame & ~7 }
    return (min(command.frame, .max &- 7) &+ 7) & ~7
  }

  /// Adds a command behind all that apply no later. The caller has checked that there is room.
  /// - Returns: How many commands made way for it.
  @_noLocks @_noAllocation
  mutating func insert(_ command: Command) -> Int {
    if first &+ count == capacity { closeGap() }
    let frame = PendingCommands.frame(of: command)
    var index = first &+ count
    while index > first, PendingCommands.frame(of: commands[index &- 1]) > frame {
      commands[index] = commands[index &- 1]
      index = index &- 1
    }
    commands[index] = command
    count = count &+ 1
    return first &+ count &- 1 &- index
  }

  /// Takes the first command when it is due at a frame.
  @_noLocks @_noAllocation
  mutating func take(at frame: Int64) -> Command? {
    if nextFrame > frame { return nil }
    let command = commands[first]
    first = first &+ 1
    count = count &- 1
    if count == 0 { first = 0 }
    return command
  }

  /// The command at a place in the order, from 0.
  @_noLocks @_noAllocation
  func command(at index: Int) -> Command { commands[first &+ index] }

  /// Moves a command forward to a place whose own has been dropped.
  @_noLocks @_noAllocation
  func move(_ index: Int, to place: Int) { commands[first &+ place] = commands[first &+ index] }

  /// Forgets the commands from a place on.
  @_noLocks @_noAllocation
  mutating func keep(_ count: Int) { self.count = count }

  @_noLocks @_noAllocation
  private mutating func closeGap() {
    var index = 0
    while index < count {
      commands[index] = commands[first &+ index]
      index = index &+ 1
    }
    first = 0
  }
}

extension CommandAction {
  /// Whether it is something that happens to a player once, which a cancel drops; what a player is and has stays.
  var isTransport: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .start, .stop, .cancel, .pause, .resume, .seek, .setControl, .setCurve: true
      case .addPlayer, .removePlayer, .page, .returnPage, .setRate, .setLoop, .setMuted, .setEngineMuted,
        .setEngineGain, .setEngineSoundMuted:
        false
      }
    }
  }

  /// Whether something may come of it although its player is stopped or paused: sound, or the end of its run.
  public var isWakeUp: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .start, .resume, .stop, .cancel, .seek: true
      default: false
      }
    }
  }

  /// The player a command is for, −1 for none.
  public var player: Int32 {
    @_noLocks @_noAllocation get {
      switch self {
      case .addPlayer(let player, _, _, _), .removePlayer(let player), .page(let player, _, _),
        .returnPage(let player, _), .start(let player, _, _, _, _), .stop(let player), .cancel(let player),
        .pause(let player),
        .resume(let player),
        .seek(let player, _, _, _, _), .setRate(let player, _), .setLoop(let player, _, _, _),
        .setMuted(let player, _), .setControl(let player, _, _), .setCurve(let player, _, _, _):
        player
      case .setEngineMuted, .setEngineGain, .setEngineSoundMuted: -1
      }
    }
  }
}
