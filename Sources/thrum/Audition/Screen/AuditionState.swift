/// The two versions that are compared.
enum CompareSlot: String, Sendable { case a = "A", b = "B" }

/// The list of patterns as it is shown.
struct PatternListState: Equatable {
  /// A pattern of the list.
  struct Item: Equatable {
    /// What a person calls it.
    var name: String
    /// Whether its last version was refused.
    var isRefused = false
    /// Whether it has changes that are not saved.
    var isModified = false
  }

  var items: [Item] = [] { didSet { look() } }
  /// Which is chosen, nil where there is none.
  var chosen: Int?
  /// What is searched for; empty for nothing.
  var search = "" { didSet { look() } }
  /// The places of the items that are found, in order. Kept, because the screen is drawn far oftener than they change.
  private(set) var found: [Int] = []

  private mutating func look() {
    let wanted = search.lowercased()
    found = items.indices.filter { wanted.isEmpty || items[$0].name.lowercased().contains(wanted) }
  }
}

/// What plays, and how.
struct TransportState: Equatable {
  var isPlaying = false
  /// Seconds from the pattern's start.
  var position = 0.0
  var isLooping = false
  /// Seconds; nil for all of it.
  var region: ClosedRange<Double>?
  /// 1 is as written.
  var rate = 1.0
  /// Whether a new version enters at the loop point, and not at once.
  var entersAtLoop = true
}

/// The comparison of two versions.
struct CompareState: Equatable {
  /// What they are called; nil for an empty one.
  var nameA: String?
  var nameB: String?
  /// Which one plays.
  var active = CompareSlot.a
  /// The blind comparison that goes on, nil for none.
  var blind: BlindState?
}

/// What can be heard in a trial of a blind comparison.
enum BlindButton: String, Equatable, CaseIterable { case x = "X", a = "A", b = "B" }

/// A blind comparison as it is shown.
struct BlindState: Equatable {
  /// The trial, from 1, and how many there are.
  var trial = 1
  var trials = 10
  /// Which of the trial's versions plays: X, or A or B for reference.
  var heard = BlindButton.x
}

/// What the output tells of itself.
struct OutputState: Equatable {
  /// The device in a few words.
  var device = ""
  /// dB.
  var gain = 0.0
  var isHapticMuted = false
  var isSoundMuted = false
  /// The level that is felt now, linear.
  var level = 0.0
  /// The largest of late, linear.
  var peak = 0.0
  /// Whether a limiter turns the level down.
  var isLimiting = false
  var xruns = 0
  /// From a key to the frame that is felt, milliseconds; nil where it is not known.
  var latency: Double?
}

/// A line for the person.
struct ScreenMessage: Equatable {
  enum Kind { case note, warning, error }
  var kind: Kind
  var text: String
}

/// What is chosen for a change.
enum EditChoice: Equatable {
  /// By its place among the marks of the drawing.
  case mark(Int)
  /// By its place among the points of the drawing.
  case point(Int)
}

/// The editing of a pattern.
struct EditState: Equatable {
  var choice: EditChoice?
  var isFine = false
}

/// A recording that goes on.
struct RecordingState: Equatable {
  var seconds = 0.0
  var touches = 0
}

/// Keys mean different things in these.
enum ScreenMode: Equatable {
  case browse, edit, search, blind
  case help(isEditing: Bool)
  case question(ScreenQuestion)
  case prompt(ScreenPrompt)
}

/// Something that is asked before it is done.
enum ScreenQuestion: Equatable {
  /// Quit, though so many patterns have changes that are not saved.
  case quit(unsaved: Int)
  /// Save, though the file has changed on the disk.
  case overwrite(name: String)

  var words: String {
    switch self {
    case .quit(let count):
      "\(NumberText.count(count, "pattern")) not saved: (s) save and quit, (d) discard and quit, Esc stay"
    case .overwrite(let name):
      "\(name) has changed on the disk: (o) overwrite it, (l) load it and lose the changes here, Esc neither"
    }
  }
}

/// Something that is typed: the name that a recording is saved to.
struct ScreenPrompt: Equatable {
  var label: String
  var text: String
  /// The grid that a recording is moved to, milliseconds; 0 for none.
  var grid = 0
}
