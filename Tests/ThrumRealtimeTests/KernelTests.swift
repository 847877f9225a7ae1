import CRealtimeShims
import Glibc
import Testing

@testable import ThrumRealtime

@Suite("Every kernel")
struct KernelTests {
  static let kernels = RenderKernel.allCases.filter { $0.held == $0 }

  @Test("renders the same bits", arguments: 10..<22)
  func renders(seed: Int) {
    func render(_ kernel: RenderKernel, by size: Int) -> [Float] {
      var settings = RendererSettings()
      settings.voiceCapacity = seed % 2 == 0 ? 256 : 12
      settings.kernel = kernel
      let rig = TestRig(settings: settings, profiles: [seed % 3 == 0 ? .safe : .none])
      rig.play(BusyPattern.schedule(seed: UInt64(seed), events: 200))
      rig.send(.setControl(player: 0, parameter: .hapticSharpness, value: 0.4), at: 1600)
      rig.send(.setMuted(player: 0, isMuted: true), at: 2400)
      rig.send(.setMuted(player: 0, isMuted: false), at: 2560)
      rig.send(.pause(player: 0), at: 4000)
      rig.send(.resume(player: 0), at: 4400)
      return rig.render(9000, by: size)
    }
    let expected = render(.baseline, by: 480)
    #expect(expected.contains { abs($0) > 0.3 })
    for kernel in KernelTests.kernels {
      #expect(firstDifference(render(kernel, by: 480), expected) == nil, "\(kernel), seed \(seed)")
      #expect(
        firstDifference(render(kernel, by: 24), expected) == nil, "\(kernel), fills of 24, seed \(seed)")
    }
  }

  /// What a run has to be, from the core's own functions.
  private func expected(_ tone: thrum_tone, fall: Fall, into bus: inout [Float]) -> UInt32 {
    func lanes(_ signal: thrum_signal, _ offset: Int) -> SIMD8<Double> {
      guard let values = signal.values else { return SIMD8(repeating: signal.constant) }
      return SIMD8<Double>((0..<8).map { values[offset + $0] })
    }
    var phase = tone.phase
    for group in 0..<Int(tone.groups) {
      let m = Lanes.counting(from: Int64(tone.position) + Int64(group * 8))
      var amplitude = Lanes.clamp(lanes(tone.intensity, group * 8) * tone.own_intensity, to: 1) * 0.5
      if tone.shape == 1 {
        amplitude = amplitude * Envelope.smoothStep(Lanes.clamp(m / tone.length, to: 1))
      } else if tone.shape == 2 {
        amplitude = amplitude * (fall.level(Lanes.clamp(m, to: tone.length)) * tone.level)
      }
      amplitude = amplitude * lanes(tone.gain, group * 8)
      let ratios = lanes(tone.ratio, group * 8) * tone.own_ratio
      var phases = SIMD8<UInt32>()
      for lane in 0..<8 {
        phases[lane] = phase
        var step = tone.step
        if tone.ratio.values != nil {
          let held = min(max(ratios[lane], 1), tone.largest_ratio)
          step = UInt32(truncatingIfNeeded: Int64((held * tone.minimum_step).rounded(.toNearestOrEven)))
        }
        phase &+= step
      }
      let sines = Oscillator.sine(phases)
      for lane in 0..<8 { bus[group * 8 + lane] += sines[lane] * Float(amplitude[lane]) }
    }
    return phase
  }

  @Test("makes of a run what the core's own functions make of it", arguments: 0..<60)
  func runs(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    let groups = Int.random(in: 1...8, using: &random)
    // Within the ranges, where nothing is clamped, or beyond them.
    let isBounded = seed % 2 == 0
    let signals = (0..<3).map { _ in UnsafeMutablePointer<Double>.allocate(capacity: 64) }
    defer { for signal in signals { signal.deallocate() } }
    for index in 0..<64 {
      signals[0][index] = isBounded ? number(0...1) : number(-0.5...2)
      signals[1][index] = isBounded ? number(1...1.5) : number(0.2...4)
      signals[2][index] = number(0...1)
    }
    func signal(_ index: Int, isOne: Bool) -> thrum_signal {
      Bool.random(using: &random)
        ? thrum_signal(values: UnsafePointer(signals[index]), constant: 0)
        : thrum_signal(values: nil, constant: isOne ? 1 : signals[index][0])
    }
    for shape in 0..<3 {
      let fall = Fall(seconds: number(0.01...1))
      var tone = thrum_tone(
        bus: nil, groups: Int64(groups), intensity: signal(0, isOne: false), ratio: signal(1, isOne: false),
        gain: signal(2, isOne: isBounded), own_intensity: number(0...1), own_ratio: number(1...1.9),
        minimum_step: 80 * 4_294_967_296 / 8000, largest_ratio: 2.875,
        position: Double(Int.random(in: 0...Int(fall.length), using: &random)),
        length: Double(fall.length), slope: fall.slope, level: number(0...1),
        phase: UInt32.random(in: 0...UInt32.max, using: &random),
        step: UInt32.random(in: 40_000_000...200_000_000, using: &random), shape: Int32(shape),
        is_bounded: isBounded ? 1 : 0)
      var wanted = (0..<64).map { Float($0) / 64 }
      let phase = expected(tone, fall: fall, into: &wanted)
      for kernel in KernelTests.kernels {
        var bus = (0..<64).map { Float($0) / 64 }
        let end = bus.withUnsafeMutableBufferPointer { memory in
          tone.bus = memory.baseAddress
          return VouchedMath.render(&tone, kernel: kernel)
        }
        #expect(firstDifference(bus, wanted) == nil, "\(kernel), shape \(shape), seed \(seed)")
        #expect(end == phase, "\(kernel), shape \(shape), seed \(seed)")
      }
    }
  }

  @Test("makes of taps side by side what each is alone", arguments: 1...8)
  func taps(count: Int) {
    let signalValues = UnsafeMutablePointer<Double>.allocate(capacity: 64)
    defer { signalValues.deallocate() }
    let gain = SpanSignal(values: signalValues, constant: 0.7)
    let voices = (0..<count).map {
      TransientVoice(
        startFrame: 0, intensity: 1 - Double($0) / 20, sharpness: Double($0) / 8, attack: Double($0) / 9,
        decay: Double($0) / 4 - 1)
    }
    for kernel in KernelTests.kernels {
      var alone = voices
      var abreast = voices
      var batch = TapBatch(blockFrames: 64)
      defer { batch.deallocate() }
      for span in 0..<3 {
        let frame = Int64(span * 16)
        batch.begin()
        abreast.withUnsafeMutableBufferPointer { memory in
          guard let first = memory.baseAddress else { return }
          for slot in 0..<count {
            #expect(batch.append(first + slot, slot: slot, gain: gain) == (slot < 7))
          }
          batch.render(groups: 2, voices: first, kernel: kernel)
        }
        for slot in 0..<count {
          var (wanted, bus) = ([Float](repeating: 0.1, count: 16), [Float](repeating: 0.1, count: 16))
          wanted.withUnsafeMutableBufferPointer { memory in
            guard let first = memory.baseAddress else { return }
            alone[slot].render(into: first, from: frame, to: frame + 16, gain: gain)
          }
          #expect(batch.holds(slot))
          bus.withUnsafeMutableBufferPointer { memory in
            guard let first = memory.baseAddress else { return }
            batch.add(to: first, frames: Int(min(16, alone[slot].endFrame - frame)))
          }
          #expect(firstDifference(bus, wanted) == nil, "\(kernel), tap \(slot) of \(count), frame \(frame)")
        }
      }
    }
  }

  @Test("is chosen by the environment, never beyond what the machine has")
  func choice() async {
    // In a process of its own: the environment is everybody's.
    await #expect(processExitsWith: .success) {
      for kernel in RenderKernel.allCases {
        setenv("THRUM_KERNEL", "\(kernel)", 1)
        #expect(RenderKernel.best == kernel.held && RendererSettings().kernel == kernel.held)
      }
      setenv("THRUM_KERNEL", "sse9", 1)
      #expect(RenderKernel.best == .widest)
    }
    #expect(RenderKernel.avx512.held.rawValue <= RenderKernel.widest.rawValue)
    #expect(RenderKernel.baseline.held == .baseline)
    #expect(RenderKernel.best.rawValue <= RenderKernel.widest.rawValue)
    for kernel in RenderKernel.allCases { #expect(kernel.number == kernel.rawValue) }
  }
}
