/// How a run goes round.
struct PassLoop {
  var isEnabled = false
  /// Where a pass ends, in pattern frames; 0 means the pattern's end.
  var endFrame: Int64 = 0
  /// Passes still to come, the present one included; 0 while it goes round for ever.
  var passes: Int32 = 0
  /// Events before the end of a pass.
  var passEvents = Int.max

  // Spelled out: the compiler's own would carry no attributes.
  @_noLocks @_noAllocation
  init(isEnabled: Bool = false, endFrame: Int64 = 0, passes: Int32 = 0, passEvents: Int = .max) {
    self.isEnabled = isEnabled
    self.endFrame = endFrame
    self.passes = passes
    self.passEvents = passEvents
  }
}
