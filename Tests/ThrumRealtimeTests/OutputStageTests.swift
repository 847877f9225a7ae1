import Testing

@testable import ThrumRealtime

extension SampleWriter {
  /// Writes a frame of one channel.
  fileprivate mutating func write(_ value: Float, to destination: UnsafeMutableRawPointer, frame: Int64) {
    withUnsafePointer(to: value) { value in
      withUnsafePointer(to: isDithered(frame: frame)) { isDithered in
        write(value, frames: 1, isDithered: isDithered, to: destination, frame: frame, channel: 0)
      }
    }
  }
}

@Suite("Integer formats")
struct SampleWriterTests {
  private func write(_ value: Float, as format: SampleFormat, frame: Int64 = 0, silent: Bool = false) -> (
    [UInt8], Int
  ) {
    var writer = SampleWriter(format: format, channels: 1)
    writer.begin(frame: frame, isSilent: silent)
    var bytes = [UInt8](repeating: 0xAA, count: 4)
    bytes.withUnsafeMutableBytes {
      writer.write(value, to: $0.baseAddress!, frame: frame)
    }
    return (Array(bytes.prefix(format.bytesPerSample)), writer.saturated)
  }

  @Test("scale, saturate and count")
  func scaling() {
    #expect(write(1, as: .s24in3) == ([0xFF, 0xFF, 0x7F], 0))
    #expect(write(-1, as: .s24in3) == ([0x01, 0x00, 0x80], 0))
    #expect(write(2, as: .s24in3) == ([0xFF, 0xFF, 0x7F], 1))
    #expect(write(-2, as: .s24) == ([0x01, 0x00, 0x80, 0xFF], 1))
    #expect(write(1, as: .s32) == ([0x80, 0xFF, 0xFF, 0x7F], 0))
    #expect(write(3, as: .s32) == ([0x80, 0xFF, 0xFF, 0x7F], 1))
    // To the nearest.
    #expect(write(Float(0.6 / 8_388_607), as: .s24) == ([1, 0, 0, 0], 0))
    #expect(write(Float(-0.6 / 8_388_607), as: .s24) == ([0xFF, 0xFF, 0xFF, 0xFF], 0))
    #expect(write(1.5, as: .float) == ([0, 0, 0xC0, 0x3F], 0))
  }

  @Test("dither 16 bits by one unit at most, triangularly, and only near sound")
  func dither() {
    var writer = SampleWriter(format: .s16, channels: 1)
    var histogram = [Int: Int]()
    var bytes = [UInt8](repeating: 0, count: 2)
    let value = Float(100.0 / 32767)
    for frame in 0..<100_000 {
      writer.begin(frame: Int64(frame), isSilent: false)
      bytes.withUnsafeMutableBytes {
        writer.write(value, to: $0.baseAddress!, frame: Int64(frame))
      }
      histogram[Int(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)), default: 0] += 1
    }
    // A triangle of half-width 1 around 100: ¾ stay, ⅛ go to each side.
    #expect(Set(histogram.keys) == [99, 100, 101])
    for (value, share) in [(99, 0.125), (100, 0.75), (101, 0.125)] {
      #expect(abs(Double(histogram[value] ?? 0) / 100_000 - share) < 0.005)
    }
  }

  @Test("leave a clipped sample at full scale, without dither")
  func clippedWithoutDither() {
    var writer = SampleWriter(format: .s16, channels: 1)
    var found = [Int: Set<Int16>]()
    for (index, level) in [1.2, -1.2, 32767 / 32767.0, -32766.6 / 32767].enumerated() {
      for frame in 0..<2000 {
        var bytes = [UInt8](repeating: 0, count: 2)
        writer.begin(frame: Int64(frame), isSilent: false)
        bytes.withUnsafeMutableBytes {
          writer.write(Float(level), to: $0.baseAddress!, frame: Int64(frame))
        }
        found[index, default: []].insert(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8))
      }
    }
    #expect(found[0] == [32767] && found[1] == [-32767])
    // Within full scale by the dither's own unit at most, and never past it.
    #expect(found[2] == [32766, 32767])
    #expect(found[3] == [-32766, -32767])
    #expect(writer.saturated == 4000)
  }

  @Test("are true zeros before the first sound and 4,096 frames after the last")
  func ditherEnds() {
    var writer = SampleWriter(format: .s16, channels: 1)
    var nonZero = [Int64]()
    for frame in Int64(0)..<12_000 {
      let isSilent = frame != 2000
      writer.begin(frame: frame, isSilent: isSilent)
      var bytes = [UInt8](repeating: 0, count: 2)
      bytes.withUnsafeMutableBytes {
        writer.write(isSilent ? 0 : 0.25, to: $0.baseAddress!, frame: frame)
      }
      if bytes != [0, 0] { nonZero.append(frame) }
    }
    #expect(nonZero.first == 2000)
    #expect(nonZero.allSatisfy { $0 <= 2000 + 4096 })
    #expect((nonZero.last ?? 0) > 5900)
  }
}

@Suite("An output")
struct OutputStageTests {
  @Test(
    "delays by its kernel and its limiter, exactly",
    arguments: [(8000, 0), (48000, 36), (16000, 12), (32000, 24)])
  func kernelDelay(rate: Int, delay: Int) {
    // A tap is symmetric in nothing, so compare with the plain 8 kHz render: at frames that fall on one another the kernel
    // is a pure delay, to its ripple.
    let schedule = {
      TestSchedule(
        events: [ScheduledEvent(startFrame: 0, kind: .transient, intensity: 1, sharpness: 0)],
        durationFrames: 0)
    }
    let native = TestRig()
    native.play(schedule())
    let expected = native.render(600)
    let rig = TestRig(rate: rate)
    rig.play(schedule())
    let factor = rate / 8000
    let samples = rig.render(600 * factor)
    for frame in 0..<500 {
      #expect(abs(samples[frame * factor + delay] - expected[frame]) < 2e-3, "frame \(frame)")
    }
    let timing = OutputTiming(rate: rate, isLimited: false)
    #expect(timing.deviceFrame(of: RenderFrame(100)).value == Int64(100 * factor + delay))
  }

  @Test("keeps actuators in step when only one of them is limited")
  func sharedDelay() {
    let rig = TestRig(profiles: [.none, .safe], map: ChannelMap([.haptic(0)]))
    let tap = TestSchedule(
      events: [ScheduledEvent(startFrame: 0, kind: .transient, intensity: 0.5, sharpness: 0.5)],
      durationFrames: 0)
    rig.play(tap)
    let plain = TestRig()
    plain.play(tap)
    let delayed = rig.render(400)
    #expect(delayed[..<8].allSatisfy { $0 == 0 })
    #expect(firstDifference(Array(delayed[8...]), Array(plain.render(400)[..<392])) == nil)
  }

  @Test("holds any input within full scale where a profile protects an actuator", arguments: [8000, 48000])
  func protection(rate: Int) {
    let events = (0..<400).map { (index: Int) -> ScheduledEvent in
      let kind: ScheduledEventKind = index % 2 == 0 ? .transient : .continuous
      return ScheduledEvent(
        startFrame: Int64(index * 20), kind: kind, intensity: 1,
        sharpness: Float(index % 5) / 4)
    }
    let rig = TestRig(profiles: [.safe], rate: rate)
    rig.play(TestSchedule(events: events, durationFrames: 8000))
    let samples = rig.render(2 * rate)
    let ceiling: Float = rate == 8000 ? 0.98 : 1
    #expect(samples.allSatisfy { abs($0) <= ceiling })
    #expect(samples.contains { abs($0) > 0.4 })
    #expect(rig.port.status.pointee.limitedFrames.load(ordering: .relaxed) > 0)
  }

  @Test("below the limiters' thresholds passes samples through to the bit")
  func transparency() {
    let profile = BusProfile(name: "limited", protection: .init())
    let tap = {
      TestSchedule(
        events: [ScheduledEvent(startFrame: 0, kind: .transient, intensity: 0.9, sharpness: 0.5)],
        durationFrames: 0)
    }
    let limited = TestRig(profiles: [profile])
    limited.play(tap())
    let plain = TestRig()
    plain.play(tap())
    #expect(firstDifference(Array(limited.render(400)[8...]), Array(plain.render(400)[..<392])) == nil)
  }
}
