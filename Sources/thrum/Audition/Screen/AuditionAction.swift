/// What the screen asks of the instrument behind it.
enum AuditionAction: Equatable {
  /// Take this pattern of the list in hand.
  case choose(Int)
  case play(fromStart: Bool)
  case stop
  /// Seconds from the pattern's start.
  case seek(Double)
  case setLoop(Bool)
  case setRegion(ClosedRange<Double>?)
  case setRate(Double)
  /// Keep the pattern in hand as this version.
  case put(CompareSlot)
  case listen(CompareSlot)
  case beginBlind
  case blind(BlindAct)
  case setIntensity(Double)
  case setSharpness(Double)
  case tap(intensity: Double, sharpness: Double)
  case hold(intensity: Double, sharpness: Double)
  case release
  /// dB.
  case setGain(Double)
  case muteHaptics(Bool)
  case muteSound(Bool)
  case beginEditing
  case edit(ScreenEdit)
  case undo
  case redo
  case save(isForced: Bool)
  /// Save all that has changes, and quit where none is left.
  case saveAllAndQuit
  /// Load the file anew and lose what was changed.
  case revert
  case beginRecording
  case endRecording
  /// Write the recording to a name, moved to a grid of so many milliseconds (0: as it was played); nil drops it.
  case saveTake(name: String?, grid: Int)
  case learn(isSharpness: Bool)
  case redraw
  case quit
}

/// What is done in a blind comparison.
enum BlindAct: Equatable {
  case hear(BlindButton)
  case answer(CompareSlot)
  case end
}

/// A change of the pattern in hand. Entries are counted from 0 in the order of the file, times are seconds.
enum ScreenEdit: Equatable {
  case setTime(entry: Int, Double)
  case setDuration(entry: Int, Double)
  case setIntensity(entry: Int, Double)
  case setSharpness(entry: Int, Double)
  case setPoint(entry: Int, index: Int?, time: Double, value: Double)
  case addTap(time: Double, intensity: Double, sharpness: Double)
  case addContinuous(time: Double, duration: Double, intensity: Double, sharpness: Double)
  /// A point on the curve that is in force at its time, or on a new one.
  case addPoint(isSharpness: Bool, time: Double, value: Double)
  case removeEntry(Int)
  case removePoint(entry: Int, index: Int?)
}
