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
}
