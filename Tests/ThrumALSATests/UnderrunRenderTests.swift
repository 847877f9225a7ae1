import Foundation
import Synchronization
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@testable import ThrumALSA

/// A scripted device as an engine's output, as fast as simulated time goes.
private final class FakeOutput: OutputDevice {
  let output: OutputDescription
  let control = LoopControl()
  private let bench: NegotiatedParameters
  private let script: PCMScript
  private let thread = RenderThread(name: "thrum-fake")
  private let ended = Mutex<(end: LoopEnd, device: [FakePCM.HeardFrame], calls: Int)?>(nil)

  init(_ parameters: NegotiatedParameters, script: PCMScript) {
    bench = parameters
    self.script = script
    output = OutputDescription(
      name: "fake", rate: parameters.rate, channels: parameters.channels, format: parameters.format,
      periodFrames: parameters.periodFrames, bufferFrames: parameters.bufferFrames)
  }

  var counters: OutputCounters { control.counters }
  var scheduling: String? { thread.scheduling }
  var heard: [FakePCM.HeardFrame] { ended.withLock { $0?.device ?? [] } }
  var mostCallsBetweenWaits: Int { ended.withLock { $0?.calls ?? 0 } }

  func start(_ feed: OutputFeed) throws(OutputError) {
    try thread.start { [self] in
      let device = FakePCM(parameters: bench, script: script)
      let end = PlaybackLoop(device: device, source: feed, parameters: bench, control: control).run()
      ended.withLock { $0 = (end, device.heard, device.mostCallsBetweenWaits) }
    }
  }

  func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd {
    control.endFrame.store(frame.value + 1, ordering: .relaxed)
    thread.join()
    return ended.withLock { $0?.end } == .drained ? .drained : .failed("the loop did not end by itself")
  }

  func close() {
    control.isClosing.store(true, ordering: .relaxed)
    thread.join()
  }
}

/// The case pcm-underrun with its own pattern, from file to device.
@Suite struct UnderrunRenderTests {
  private static let folder = SharedFiles.locate("cases/pcm-underrun", for: "pcm-underrun, rendered")

  @Test(.enabled(if: UnderrunRenderTests.folder != nil))
  func whatIsHeardIsTheRenderButForTheGapsAndTheRamps() throws {
    let folder = try #require(UnderrunRenderTests.folder)
    let script = try PCMScript(
      String(contentsOf: folder.appendingPathComponent("pcm-script.txt"), encoding: .utf8))
    let bytes = try SharedFiles.bytes(of: folder.appendingPathComponent("input.ahap"))
    let pattern = try bytes.withUnsafeBytes { try AHAPDecoder.decode($0, file: "input.ahap").pattern }
    let schedule = ScheduleCompiler.compile(pattern)

    let parameters = NegotiatedParameters(
      rate: 8000, channels: 1, format: .s16, access: .readWrite, periodFrames: 40, bufferFrames: 120)
    let device = FakeOutput(parameters, script: script)
    let output = Output(device: device, configuration: OutputConfiguration(profiles: [.none]))
    try output.makeEngine().makePlayer(for: schedule).start()
    try output.start()
    #expect(output.drain(timeoutSeconds: 20) == .drained)
    output.close()

    #expect(device.counters.xruns == 2)
    #expect(device.mostCallsBetweenWaits < 200)
    let expected = EndToEndTests.render(schedule, like: device.output).withUnsafeBytes {
      $0.bindMemory(to: Int16.self).map(Int32.init)
    }
    // By the time at which each frame sounded: the first 40 are the silence on which the device starts.
    let origin = try #require(device.heard.first).nanoseconds + 5_000_000
    var played = [Int32?](repeating: nil, count: expected.count)
    for frame in device.heard {
      let place = Int((Double(frame.nanoseconds - origin) / 125_000).rounded())
      if played.indices.contains(place) { played[place] = frame.value }
    }
    var different: [Int] = []
    for place in expected.indices where played[place] != expected[place] { different.append(place) }
    // Two gaps of two periods at most, and after each the ramp of 64 frames.
    let runs = different.reduce(into: [ClosedRange<Int>]()) { runs, place in
      if let last = runs.last, place - last.upperBound <= 16 {
        runs[runs.count - 1] = last.lowerBound...place
      } else {
        runs.append(place...place)
      }
    }
    #expect(runs.count == 2, "\(runs)")
    #expect(runs.allSatisfy { $0.count <= 80 + 64 }, "\(runs)")
    for run in runs {
      // A ramp only makes smaller.
      #expect(run.allSatisfy { abs(played[$0] ?? 0) <= abs(expected[$0]) + 1 })
    }
  }
}
