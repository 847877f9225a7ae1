import Testing

@testable import ThrumRealtime

/// A schedule in memory of its own, for tests of the core alone.
final class TestSchedule {
  let view: ScheduleView
  private let page: UnsafeMutablePointer<ScheduledEvent>
  private let pages: UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>
  private let items: UnsafeMutablePointer<ControlItem>
  private let points: UnsafeMutablePointer<ControlPoint>

  init(
    events: [ScheduledEvent], items: [ControlItem] = [], points: [ControlPoint] = [], durationFrames: Int64
  ) {
    let pageCount = (events.count + ScheduleView.pageEvents - 1) / ScheduleView.pageEvents
    page = .allocate(capacity: max(1, events.count))
    page.initialize(from: events, count: events.count)
    pages = .allocate(capacity: max(1, pageCount))
    for index in 0..<max(1, pageCount) {
      (pages + index).initialize(to: UnsafePointer(page + index * ScheduleView.pageEvents))
    }
    self.items = .allocate(capacity: max(1, items.count))
    self.items.initialize(from: items, count: items.count)
    self.points = .allocate(capacity: max(1, points.count))
    self.points.initialize(from: points, count: points.count)
    view = ScheduleView(
      pages: pages, pageCount: pageCount, eventCount: events.count, items: self.items,
      itemCount: items.count, points: self.points, durationFrames: durationFrames)
  }

  deinit {
    page.deallocate()
    pages.deallocate()
    items.deallocate()
    points.deallocate()
  }
}

/// An output turned by hand, whose samples come back as an array.
final class TestRig {
  private let stage: UnsafeMutablePointer<OutputStage>
  let channels: Int
  private var schedules: [TestSchedule] = []

  init(
    settings: RendererSettings = RendererSettings(), profiles: [BusProfile] = [.none], map: ChannelMap? = nil,
    rate: Int = 8000, format: SampleFormat = .float
  ) {
    let map = map ?? .allHaptic(channels: 1)
    channels = map.sources.count
    stage = .allocate(capacity: 1)
    stage.initialize(
      to: OutputStage(settings: settings, profiles: profiles, map: map, rate: rate, format: format))
  }

  deinit {
    stage.deinitialize(count: 1)
    stage.deallocate()
  }

  var port: RendererPort { stage.pointee.port }

  func send(_ action: CommandAction, at frame: Int64 = 0) {
    #expect(port.commands.push(Command(frame: frame, action: action)))
  }

  /// Keeps a schedule's memory as long as the rig.
  func keep(_ schedule: TestSchedule) -> TestSchedule {
    schedules.append(schedule)
    return schedule
  }

  /// Adds a player on a slot and starts it.
  func play(
    _ schedule: TestSchedule, player: Int32 = 0, engine: Int32 = 0, bus: Int32 = 0, at frame: Int64 = 0
  ) {
    send(.addPlayer(player: player, engine: engine, bus: bus, schedule: keep(schedule).view))
    send(.start(player: player, run: 1), at: frame)
  }

  /// Renders frames, in fills of a given size.
  func render(_ frames: Int, by size: Int = 64) -> [Float] {
    var samples = [Float](repeating: .nan, count: frames * channels)
    samples.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < frames {
        let count = min(size, frames - done)
        stage.pointee.fill(bytes.baseAddress! + done * channels * 4, frames: count)
        done += count
      }
    }
    return samples
  }

  /// Renders frames as the bytes of the device's format, in fills of a given size.
  func bytes(_ frames: Int, by size: Int = 64) -> [UInt8] {
    let frameBytes = stage.pointee.bytesPerFrame
    var bytes = [UInt8](repeating: 0xAA, count: frames * frameBytes)
    bytes.withUnsafeMutableBytes { memory in
      var done = 0
      while done < frames {
        let count = min(size, frames - done)
        stage.pointee.fill(memory.baseAddress! + done * frameBytes, frames: count)
        done += count
      }
    }
    return bytes
  }

  func skip(_ frames: Int) { stage.pointee.skip(frames: frames) }
  func rampIn() { stage.pointee.rampIn() }

  func notifications() -> [ThrumRealtime.Notification] {
    var all = [ThrumRealtime.Notification]()
    while let next = port.notifications.pop() { all.append(next) }
    return all
  }
}
