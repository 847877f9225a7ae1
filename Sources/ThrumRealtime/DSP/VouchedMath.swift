import CRealtimeShims

/// The only place where the compiler's real-time check is overruled: each line is one instruction or two, and says why
/// it is safe. The gate in `.ci` counts the overrules.
enum VouchedMath {
  /// The square root, correctly rounded. Compiles to one instruction; refused only because it is spelled as a method of a
  /// protocol.
  @_noLocks @_noAllocation
  static func squareRoot(_ value: Double) -> Double { _unsafePerformance { value.squareRoot() } }

  /// Turns denormals off for this thread and returns the state before. A C function that writes one control register.
  @_noLocks @_noAllocation
  static func disableDenormals() -> UInt64 { _unsafePerformance { thrum_denormals_disable() } }

  /// Puts back what `disableDenormals` returned. A C function that writes one control register.
  @_noLocks @_noAllocation
  static func restoreDenormals(_ state: UInt64) { _unsafePerformance { thrum_denormals_restore(state) } }

  /// The number of the widest ``RenderKernel`` that the machine has and the environment allows. Control side.
  static func chosenKernel() -> Int32 { thrum_kernel_chosen() }

  /// The widest that the machine has. Control side.
  static func widestKernel() -> Int32 { thrum_kernel_widest() }

  /// Adds a run of a tone to a bus and returns the phase behind it. A C function that reads and writes what it is given.
  @_noLocks @_noAllocation
  @inline(__always)
  static func render(_ tone: UnsafePointer<thrum_tone>, kernel: RenderKernel) -> UInt32 {
    _unsafePerformance { thrum_tone_render(kernel.number, tone) }
  }

  /// The same for a steady run. A C function that reads and writes what it is given.
  @_noLocks @_noAllocation
  @inline(__always)
  static func renderSteady(
    into bus: UnsafeMutablePointer<Float>, groups: Int, phase: UInt32, step: UInt32, level: Float,
    kernel: RenderKernel
  ) -> UInt32 {
    _unsafePerformance { thrum_tone_render_steady(kernel.number, bus, Int64(groups), phase, step, level) }
  }

  /// Makes taps side by side and moves them on. A C function that reads and writes what it is given.
  @_noLocks @_noAllocation
  @inline(__always)
  static func renderTaps(
    _ states: UnsafeMutablePointer<Double>, count: Int, samples: UnsafeMutablePointer<Float>, stride: Int,
    groups: Int, kernel: RenderKernel
  ) {
    _unsafePerformance {
      thrum_taps_render(kernel.number, states, Int64(count), samples, Int64(stride), Int64(groups))
    }
  }
}
