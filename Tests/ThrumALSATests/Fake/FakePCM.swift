import Foundation

@testable import ThrumALSA

/// A sound device in simulated time: it plays at its rate, starts by its threshold, runs dry like a card,
/// follows a script, and remembers every frame with the time at which it sounded.
final class FakePCM: PCMCalls {
  /// A frame's first sample and when it was heard.
  struct HeardFrame: Equatable {
    var value: Int32
    var nanoseconds: Int64
  }

  let parameters: NegotiatedParameters
  let script: PCMScript
  /// How much faster than its nominal rate the device runs, in millionths.
  var driftPerMillion = 0.0
  /// Nanoseconds that a wait of that number lasts too long.
  var stalls: [Int: Int64] = [:]
  /// Runs at a time, once.
  var happenings: [(nanoseconds: Int64, action: (FakePCM) -> Void)] = []
  /// What opening anew gives.
  var reopenResult: (FakePCM) -> Int32 = { _ in 0 }
  /// Called at the end of every wait; lets a test turn other wheels.
  var onWait: (FakePCM) -> Void = { _ in }
  /// Nanoseconds that each call takes.
  var callNanoseconds: Int64 = 1000

  private(set) var nanoseconds: Int64 = 0
  var pcmState = PCMState.prepared
  private(set) var heard: [HeardFrame] = []
  private(set) var counts: [PCMScript.Call: Int] = [:]
  private(set) var startFills: [Int] = []
  private(set) var prepares = 0
  private(set) var reopens = 0
  private(set) var mostCallsBetweenWaits = 0
  private(set) var waits = 0
  /// Whether the device has no clock: frames vanish as they are written.
  var isClockless = false

  /// Whether it goes on in state RUNNING when it has run dry.
  var hidesUnderruns = false

  private var queue: [Int32] = []
  private var queueHead = 0
  private var startNanoseconds: Int64 = 0
  private var playedInStream = 0
  private var stoppedNanoseconds: Int64 = 0
  private var isClockStopped = false
  private var callsSinceWait = 0
  private var countsSince: [Int: Int] = [:]
  private var previous: [PCMScript.Call: Int] = [:]

  init(parameters: NegotiatedParameters, script: PCMScript = PCMScript()) {
    self.parameters = parameters
    self.script = script
    for event in script.events where event.subject == "clock" {
      happenings.append((Int64(event.seconds * 1e9), { $0.setClock(stopped: event.value == "stop") }))
    }
  }

  var queuedFrames: Int { queue.count - queueHead }
  private var framesPerNanosecond: Double {
    Double(parameters.rate) * (1 + driftPerMillion * 1e-6) * 1e-9
  }

  // MARK: time

  private func setClock(stopped: Bool) {
    if stopped {
      stoppedNanoseconds = nanoseconds
    } else {
      startNanoseconds += nanoseconds - stoppedNanoseconds
    }
    isClockStopped = stopped
  }

  /// Lets time pass, with everything that happens in it.
  func advance(to time: Int64) {
    while let next = happenings.min(by: { $0.nanoseconds < $1.nanoseconds }), next.nanoseconds <= time {
      happenings.removeAll { $0.nanoseconds == next.nanoseconds }
      play(until: max(nanoseconds, next.nanoseconds))
      next.action(self)
    }
    play(until: max(nanoseconds, time))
  }

  private func play(until time: Int64) {
    nanoseconds = time
    guard pcmState == .running || pcmState == .draining, !isClockStopped else { return }
    if isClockless {
      while queuedFrames > 0 { hear(at: time) }
      return
    }
    let due = Int((Double(time - startNanoseconds) * framesPerNanosecond + 1e-6).rounded(.down))
    while playedInStream < due && queuedFrames > 0 {
      hear(at: startNanoseconds + Int64(Double(playedInStream) / framesPerNanosecond))
    }
    if playedInStream < due && hidesUnderruns {
      // It waits for the next frame.
      startNanoseconds = time - Int64(Double(playedInStream) / framesPerNanosecond)
    } else if playedInStream < due {
      pcmState = pcmState == .draining ? .setup : .xrun
    }
  }

  private func hear(at time: Int64) {
    heard.append(HeardFrame(value: queue[queueHead], nanoseconds: time))
    queueHead += 1
    playedInStream += 1
  }

  private func nanosecondsUntilRoom(_ frames: Int) -> Int64 {
    let missing = queuedFrames - (parameters.bufferFrames - frames)
    if missing <= 0 { return 0 }
    let time = startNanoseconds + Int64((Double(playedInStream + missing) / framesPerNanosecond).rounded(.up))
    return max(0, time - nanoseconds)
  }

  func loseQueue() {
    queue = []
    queueHead = 0
  }

  // MARK: script

  private func begin(_ call: PCMScript.Call) -> PCMScript.Answer? {
    advance(to: nanoseconds + callNanoseconds)
    counts[call, default: 0] += 1
    callsSinceWait += 1
    mostCallsBetweenWaits = max(mostCallsBetweenWaits, callsSinceWait)
    if call == .wait {
      callsSinceWait = 0
      waits += 1
    }
    var answer: PCMScript.Answer?
    var isWhole = false
    for (index, rule) in script.rules.enumerated() where rule.call == call {
      if let seconds = rule.afterSeconds {
        if Double(nanoseconds) * 1e-9 < seconds { continue }
        guard let calls = rule.calls else {
          answer = rule.answer
          isWhole = true
          continue
        }
        countsSince[index, default: 0] += 1
        if calls.contains(countsSince[index]!) { answer = rule.answer }
      } else if let calls = rule.calls, calls.contains(counts[call]!), !isWhole {
        answer = rule.answer
      }
    }
    return answer
  }

  // What a scripted error does to the device, beside being returned.
  private func scripted(_ value: Int) {
    if value == -Int(EPIPE) && pcmState == .running {
      // It ran dry: as long passes as it has frames.
      advance(
        to: startNanoseconds
          + Int64((Double(playedInStream + queuedFrames) / framesPerNanosecond).rounded(.up)))
      pcmState = .xrun
    }
  }

  private func answered(_ call: PCMScript.Call, _ usual: () -> Int) -> Int {
    let result: Int
    switch begin(call) {
    case .value(let value):
      scripted(value)
      result = value
    case .previous(let difference): result = previous[call, default: 0] + difference
    default: result = usual()
    }
    previous[call] = result
    return result
  }

  private var fault: Int? {
    switch pcmState {
    case .xrun: -Int(EPIPE)
    case .suspended: -Int(ESTRPIPE)
    case .disconnected: -Int(ENODEV)
    case .open, .setup: -Int(EBADFD)
    default: nil
    }
  }

  // MARK: calls

  func state() -> PCMState {
    if case .state(let name)? = begin(.state) {
      return ["DISCONNECTED": .disconnected, "XRUN": .xrun, "SUSPENDED": .suspended][name] ?? .running
    }
    return pcmState
  }

  func avail() -> Int { answered(.avail) { fault ?? parameters.bufferFrames - queuedFrames } }

  func delay() -> Int { answered(.delay) { fault ?? queuedFrames } }

  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    var limit = count
    switch begin(.write) {
    case .value(let value):
      scripted(value)
      return value
    case .take(let frames): limit = min(limit, frames)
    default: break
    }
    if let fault { return fault }
    let taken = min(limit, parameters.bufferFrames - queuedFrames)
    if taken <= 0 { return -Int(EAGAIN) }
    for index in 0..<taken {
      let bytes = frames + index * parameters.bytesPerFrame
      queue.append(
        parameters.format == .s16
          ? Int32(bytes.loadUnaligned(as: Int16.self)) : bytes.loadUnaligned(as: Int32.self))
    }
    if pcmState == .prepared && queuedFrames >= parameters.periodFrames { run() }
    if isClockless { play(until: nanoseconds) }
    return taken
  }

  private func run() {
    pcmState = .running
    startNanoseconds = nanoseconds
    stoppedNanoseconds = nanoseconds
    playedInStream = 0
    startFills.append(queuedFrames)
  }

  func wait(timeoutNanoseconds: Int64) -> Int32 {
    defer { onWait(self) }
    switch begin(.wait) {
    case .value(let value): return Int32(value)
    case .revents(let flags): return flags
    default: break
    }
    if let stall = stalls[waits] { advance(to: nanoseconds + stall) }
    if fault == nil && pcmState == .running {
      let left = isClockStopped ? Int64.max : nanosecondsUntilRoom(parameters.periodFrames)
      advance(to: nanoseconds + min(left, timeoutNanoseconds))
      if fault == nil && nanosecondsUntilRoom(parameters.periodFrames) > 0 { return 0 }
    }
    switch pcmState {
    case .disconnected: return Int32(POLLERR | POLLNVAL)
    case .xrun, .suspended: return Int32(POLLOUT | POLLERR)
    default: return Int32(POLLOUT)
    }
  }

  func sleep(nanoseconds duration: Int64) -> Int32 {
    callsSinceWait = 0
    advance(to: nanoseconds + max(0, duration))
    return 0
  }

  func prepare() -> Int32 {
    prepares += 1
    return Int32(
      answered(.prepare) {
        if pcmState == .disconnected { return -Int(ENODEV) }
        loseQueue()
        pcmState = .prepared
        return 0
      })
  }

  func start() -> Int32 {
    if let fault { return Int32(fault) }
    run()
    return 0
  }

  func resume() -> Int32 { Int32(answered(.resume) { -Int(ENOSYS) }) }

  func drain() -> Int32 { fault.map(Int32.init) ?? 0 }

  func drop() -> Int32 {
    loseQueue()
    pcmState = .setup
    return 0
  }

  func close() { loseQueue() }

  func reopen() -> Int32 {
    reopens += 1
    loseQueue()
    let code = reopenResult(self)
    pcmState = code < 0 ? .open : .prepared
    return code
  }

  func now() -> Int64 { nanoseconds }
}
