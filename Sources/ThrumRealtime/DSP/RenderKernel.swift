/// The instruction set for which the innermost loops of the voices are compiled. All give the same bits.
///
/// A machine that has not the one that is asked for uses the widest it has. On processors other than x86-64 there is the
/// baseline alone.
public enum RenderKernel: Int32, Sendable, CaseIterable {
  /// What every processor of the architecture has.
  case baseline
  /// AVX2.
  case avx2
  /// AVX-512 with its F, VL, DQ and BW parts.
  case avx512

  /// What renders by default: the widest the machine has, unless the environment variable `THRUM_KERNEL` is the name of a
  /// narrower one.
  ///
  /// Threads: any. Real-time: no.
  public static var best: RenderKernel {
    RenderKernel(rawValue: VouchedMath.chosenKernel()) ?? .baseline
  }

  /// The same, or the widest that the machine has where it has not this one. Control side.
  var held: RenderKernel { rawValue <= RenderKernel.widest.rawValue ? self : .widest }

  /// The widest that the machine has.
  ///
  /// Threads: any. Real-time: no.
  public static var widest: RenderKernel { RenderKernel(rawValue: VouchedMath.widestKernel()) ?? .baseline }

  /// Its number for the kernels.
  var number: Int32 {
    @_noLocks @_noAllocation get {
      switch self {
      case .baseline: 0
      case .avx2: 1
      case .avx512: 2
      }
    }
  }
}
