/// What the render thread publishes of a player slot after each block: one word, so that its parts are of one moment.
public struct PlayerReport: Sendable, BitwiseCopyable {
  /// Commands that are wake-ups (see ``CommandAction/isWakeUp``) and were applied or dropped for the slot, since the start of
  /// the output. While the control side has sent more, sound or an end may be to come whatever the player does now.
  public let wakeUps: Int
  /// Whether a pause holds the player and has faded, so that nothing comes of it before another wake-up.
  public let isPaused: Bool

  @_noLocks @_noAllocation
  init(wakeUps: Int, isPaused: Bool) {
    self.wakeUps = wakeUps
    self.isPaused = isPaused
  }

  /// Reads a published word.
  @_noLocks @_noAllocation
  init(word: Int) {
    wakeUps = word &>> 1
    isPaused = word & 1 != 0
  }

  /// The word to publish.
  var word: Int { @_noLocks @_noAllocation get { wakeUps &<< 1 | (isPaused ? 1 : 0) } }
}
