import ThrumEngine
import ThrumPattern
import ThrumRealtime

// What the bench's own thread does about what plays.
extension Bench {
  /// As often a frame is looked for that is still to come when all is ready for it.
  private static let mostAttempts = 10

  /// What is needed to make players, of one moment.
  private struct Making {
    var version: BenchVersion
    var slot: BenchSlot
    var rate: Double
    var loop: Range<Int64>?
  }

  /// What came of an attempt.
  private enum Attempt {
    case done
    /// The frame has passed meanwhile.
    case late
    case refused(String)
  }

  /// Puts a version into its slot, and has it heard where that slot plays.
  func take(_ pattern: NamedPattern, into slot: BenchSlot, _ entry: BenchEntry) {
    let rate = state.withLock { $0.open?.output.soundRate } ?? 48_000
    guard let version = compiled(pattern, soundRate: rate) else { return }
    let (stops, isPlaying, isLooping) = state.withLock { state in
      state.versions[slot.rawValue] = version
      state.tell(.loaded(slot))
      let isHeard = state.slot == slot
      return (state.stops, isHeard && state.transport == .playing, state.isLooping)
    }
    bell.ring()
    guard isPlaying else { return }
    if entry == .atLoopPoint, isLooping, follow(stops: stops, { $0.loop.map(BenchPlan.circle) }) { return }
    enter(at: nil, stops: stops)
  }

  private func compiled(_ pattern: NamedPattern, soundRate: Int) -> BenchVersion? {
    do throws(CommandError) {
      let schedule = try settings.sounds.schedule(of: pattern, rate: soundRate) { tell(.notice($0)) }
      return BenchVersion(pattern: pattern, schedule: schedule, soundRate: soundRate)
    } catch {
      tell(.problem(error.words))
      return nil
    }
  }

  /// The version that is to be heard, its sounds ready for the output.
  private func making(for open: BenchOutput) -> Making? {
    let (version, slot) = state.withLock { ($0.versions[$0.slot.rawValue], $0.slot) }
    guard var version else {
      tell(.problem("there is nothing to play"))
      return nil
    }
    if version.soundRate != open.output.soundRate {
      guard let again = compiled(version.pattern, soundRate: open.output.soundRate) else { return nil }
      version = again
      state.withLock { $0.versions[slot.rawValue] = again }
    }
    return state.withLock { Making(version: version, slot: slot, rate: $0.rate, loop: $0.loop) }
  }

  /// Begins to play at a place in place of what plays; nil is where that is on the frame on which it is replaced.
  func enter(at wanted: Int64?, stops: Int) {
    guard let open = opened(), let making = making(for: open) else { return }
    if making.version.schedule.eventCount == 0, making.version.length == 0 {
      return tell(.problem("\(making.version.pattern.name) has nothing in it that plays"))
    }
    attempt(open) { frame throws(CommandError) in
      let place = wanted ?? state.withLock { $0.position(at: frame) }
      let plan = BenchPlan(from: place, length: making.version.length, loop: making.loop)
      let runs = try make(plan.parts, making, on: open, from: frame, place: place)
      return state.withLock { state in
        guard state.stops == stops else { return .done }
        guard open.isInTime(frame) else { return .late }
        if let refusal = Bench.start(runs, state.live) { return .refused(refusal) }
        for index in state.runs.indices {
          state.end(index, at: frame)
          state.runs[index].end(at: frame)
        }
        state.runs.removeAll { $0.start >= frame }
        state.runs += runs
        state.transport = runs.isEmpty ? .stopped : .playing
        if runs.isEmpty { state.tell(.finished) }
        return .done
      }
    }
  }

  /// Has a part follow where the run under way ends or wraps; nil for nothing.
  /// - Returns: Whether that was possible, or is not wanted any more: only where something plays whose end is where the loop's
  ///   is, or the pattern's.
  private func follow(stops: Int, _ part: (Following) -> BenchPlan.Part??) -> Bool {
    guard let open = opened(), let making = making(for: open) else { return true }
    let following = Following(length: making.version.length, loop: making.loop)
    guard let part = part(following) else { return false }
    var isDone = true
    attempt(open) { frame throws(CommandError) in
      let known = state.withLock { state -> (current: Int, wrap: Int64)? in
        guard state.stops == stops, let current = state.run(at: frame) else { return nil }
        let next = current + 1 < state.runs.count ? state.runs[current + 1].start : nil
        return (current, next ?? state.runs[current].wrap(notBefore: frame))
      }
      guard let (current, wrap) = known else {
        isDone = state.withLock { $0.stops != stops }
        return .done
      }
      let runs = try make(part.map { [$0] } ?? [], making, on: open, from: wrap, place: part?.first ?? 0)
      return state.withLock { state in
        guard state.stops == stops else { return .done }
        guard open.isInTime(frame) else { return .late }
        if let refusal = Bench.start(runs, state.live) { return .refused(refusal) }
        while state.runs.count > current + 1 { state.drop(state.runs.count - 1) }
        do throws(EngineError) {
          if state.runs[current].isLoop, state.runs[current].lastFrame == nil {
            try state.runs[current].player.endLoop(at: RenderFrame((wrap - 8) & ~7))
            state.runs[current].end(at: wrap)
          }
        } catch {
          for run in runs { Bench.forget(run) }
          return .refused(error.message)
        }
        state.runs += runs
        return .done
      }
    }
    return isDone
  }

  /// The pattern that a part may follow.
  struct Following {
    var length: Int64
    var loop: Range<Int64>?
  }

  /// Turns the loop on or off.
  func changeLoop(_ isOn: Bool, stops: Int) {
    let (before, isPlaying) = state.withLock { state in
      let before = state.loop
      defer { state.isLooping = isOn }
      return (before, state.isLooping != isOn && state.transport == .playing && state.stops == stops)
    }
    guard isPlaying else { return }
    if isOn {
      // What plays goes on to the pattern's end; where the loop's end is another, it has to change now.
      let isDone = follow(stops: stops) { following in
        guard let loop = following.loop, loop.upperBound >= following.length else { return nil }
        return .some(BenchPlan.circle(loop))
      }
      if !isDone { enter(at: nil, stops: stops) }
    } else {
      let isDone = follow(stops: stops) { following in
        guard let before else { return nil }
        if before.upperBound >= following.length { return .some(nil) }
        return BenchPlan.Part(first: before.upperBound, end: following.length, isOpen: true, isLoop: false)
      }
      if !isDone { enter(at: nil, stops: stops) }
    }
  }

  /// Changes the rate of what plays, and moves what follows to where it then belongs.
  func changeRate(_ rate: Double) {
    let refusal = state.withLock { state -> String? in
      state.rate = rate
      guard state.transport == .playing, let open = state.open else { return nil }
      let frame = open.soonestFrame
      guard let current = state.run(at: frame) else { return nil }
      do throws(EngineError) {
        try state.runs[current].player.setRate(Float(rate), at: RenderFrame(frame))
        state.runs[current].setRate(rate, at: frame)
        if state.runs[current].isLoop, state.runs[current].lastFrame != nil {
          // The pass that is under way is still the last.
          try state.runs[current].player.endLoop(at: RenderFrame(frame))
        }
        for index in state.runs.indices.dropFirst(current + 1) {
          let start = state.runs[index - 1].wrap(notBefore: frame + 1)
          state.runs[index - 1].end(at: start)
          let player = state.runs[index].player
          try player.cancel()
          player.rate = Float(rate)
          state.runs[index].move(to: start, rate: rate)
          if let refusal = Bench.start([state.runs[index]], state.live) { return refusal }
        }
        return nil
      } catch {
        return error.message
      }
    }
    if let refusal { tell(.problem(refusal)) }
  }
}

// Players.
extension Bench {
  /// Tries frames until one is still to come when all is made for it.
  private func attempt(_ open: BenchOutput, _ body: (Int64) throws(CommandError) -> Attempt) {
    var lead: Int64 = 0
    for _ in 0..<Self.mostAttempts {
      let began = MonotonicClock.nanoseconds
      do throws(CommandError) {
        switch try body(open.soonestFrame + lead) {
        case .done: return
        case .refused(let reason): return tell(.problem(reason))
        case .late: break
        }
      } catch {
        return tell(.problem(error.words))
      }
      let taken = (MonotonicClock.nanoseconds - began) / (1_000_000_000 / Int64(RenderRate.framesPerSecond))
      lead = max(2 * lead, (2 * taken + 63) & ~7)
    }
    tell(.problem("the machine is too busy to start what was asked for"))
  }

  /// Makes the players of parts that follow one another.
  private func make(
    _ parts: [BenchPlan.Part], _ making: Making, on open: BenchOutput, from frame: Int64, place: Int64
  ) throws(CommandError) -> [BenchRun] {
    var runs: [BenchRun] = []
    var start = frame
    for part in parts {
      let player = try makePlayer(for: part, making, on: open)
      let run = BenchRun(
        player: player, slot: making.slot, start: start, first: Double(part.first), end: Double(part.end),
        isLoop: part.isLoop, rate: making.rate)
      start = run.wrap(notBefore: start)
      runs.append(run)
    }
    return runs
  }

  private func makePlayer(
    for part: BenchPlan.Part, _ making: Making, on open: BenchOutput
  ) throws(CommandError) -> Player {
    var schedule = making.version.schedule
    let isWhole = part.first == 0 && (part.isOpen || part.isLoop && part.end == making.version.length)
    if !isWhole {
      let pattern = making.version.pattern
      let stretch = PatternStretch.cut(
        pattern.pattern, from: part.first, to: part.isOpen ? nil : part.end)
      // What a sound lacks was told when the version was loaded.
      schedule = try settings.sounds.schedule(
        of: NamedPattern(path: pattern.path, pattern: stretch), rate: open.output.soundRate
      ) { _ in }
    }
    do throws(EngineError) {
      let player = try open.engine.makePlayer(for: schedule)
      player.rate = Float(making.rate)
      if part.isLoop {
        player.loopEndSeconds = Timeline.seconds(of: RenderFrame(part.end - part.first))
        player.isLooping = true
      }
      player.onFinish = { [weak worker] _ in worker?.ring() }
      return player
    } catch {
      throw .failed(error.message)
    }
  }

  /// Starts runs on their frames, with the live values that are not neutral.
  /// - Returns: Why one cannot be; none is then started.
  private static func start(_ runs: [BenchRun], _ live: LiveValues) -> String? {
    do throws(EngineError) {
      for run in runs {
        try run.player.start(at: RenderFrame(run.start))
        // Behind the start of the same group of eight frames, so before the run's first frame.
        for (id, value) in live.controls where value != id.neutralValue {
          try run.player.setControl(id, value, at: RenderFrame(run.start & ~7))
        }
      }
      return nil
    } catch {
      for run in runs { forget(run) }
      return error.message
    }
  }

  /// Takes back a run that is not to be.
  private static func forget(_ run: BenchRun) {
    // An output that was closed is silent already.
    do throws(EngineError) { try run.player.cancel() } catch { return }
  }
}

extension BenchPlan {
  /// The loop by itself.
  static func circle(_ loop: Range<Int64>) -> Part {
    Part(first: loop.lowerBound, end: loop.upperBound, isOpen: false, isLoop: true)
  }
}

extension BenchState {
  /// Takes back a run that has not begun.
  mutating func drop(_ index: Int) {
    end(index, at: nil)
    runs.remove(at: index)
  }
}
