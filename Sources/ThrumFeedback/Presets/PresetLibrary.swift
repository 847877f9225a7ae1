import Glibc
public import ThrumPattern

/// The patterns of feedbacks: the user's own files first, then the presets that every program carries.
///
/// A file is read when its name is first asked for, and kept; ``reload()`` lets all be read anew.
public struct PresetLibrary: Sendable {
  /// The folder whose `NAME.ahap` takes the place of a preset, or adds a feedback; nil where there is none.
  public let folder: FileName?
  /// What is wrong with files of that folder that were asked for; their presets play instead.
  public private(set) var problems: [Diagnostic] = []
  /// What was put in, which is never forgotten by itself.
  private var ownPatterns: [FeedbackName: Pattern] = [:]
  /// What was looked for; nil for what there is not.
  private var patterns: [FeedbackName: Pattern?] = [:]

  /// The most names that are remembered; with one more, all are forgotten and looked for anew. There are some
  /// forty presets: only who asks for names that he makes up comes so far.
  public static let maximumCount = 512
  /// The most problems that are kept.
  private static let maximumProblems = 64
  /// The largest file of the user's, bytes: the largest preset has some 2000.
  public static let maximumFileBytes = 4 << 20

  /// A library that looks into a folder first.
  public init(folder: FileName? = nil) { self.folder = folder }

  /// The names of all presets, in order.
  public static var presetNames: [FeedbackName] {
    PresetFiles.texts.keys.sorted().compactMap { FeedbackName($0) }
  }

  /// The pattern of a feedback; nil for a name that has none.
  ///
  /// Threads: any, one at a time; may read a file. Real-time: no.
  public mutating func pattern(named name: FeedbackName) -> Pattern? {
    if let own = ownPatterns[name] { return own }
    if let known = patterns[name] { return known }
    let found = Self.find(name, in: folder)
    take(found)
    return found.pattern
  }

  /// Puts a pattern in, in place of what its name had, until all is read anew.
  public mutating func set(_ pattern: Pattern, named name: FeedbackName) { ownPatterns[name] = pattern }

  /// Forgets what was read and put in, so that changed files are seen.
  public mutating func reload() {
    ownPatterns = [:]
    patterns = [:]
    problems = []
  }

  /// The preset of a name, whatever the user's folder holds; nil for other names.
  public static func preset(named name: FeedbackName) -> Pattern? {
    guard let text = PresetFiles.texts[name.text] else { return nil }
    // The literal is constant memory.
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    do throws(Diagnostic) {
      return try AHAPDecoder.decode(bytes, file: name.text).pattern
    } catch {
      preconditionFailure("the preset \(name) is no pattern: \(error)")
    }
  }
}

// Looking for a name apart from the library, so that nobody who plays waits for a disk that somebody else reads.
extension PresetLibrary {
  /// What was found for a name.
  public struct Finding: Sendable {
    fileprivate let name: FeedbackName
    fileprivate let folder: FileName?
    fileprivate let pattern: Pattern?
    fileprivate let problem: Diagnostic?
  }

  /// Whether the pattern of a name is known without looking for it.
  public func knows(_ name: FeedbackName) -> Bool { ownPatterns[name] != nil || patterns[name] != nil }

  /// Looks for the pattern of a name.
  ///
  /// Threads: any; may read a file. Real-time: no.
  public static func find(_ name: FeedbackName, in folder: FileName?) -> Finding {
    do throws(Diagnostic) {
      let own = try ownPattern(named: name, in: folder)
      return Finding(name: name, folder: folder, pattern: own ?? preset(named: name), problem: nil)
    } catch {
      return Finding(name: name, folder: folder, pattern: preset(named: name), problem: error)
    }
  }

  /// Remembers what was found; nothing of another folder.
  public mutating func take(_ finding: Finding) {
    guard finding.folder == folder else { return }
    if patterns.count >= Self.maximumCount { patterns = [:] }
    patterns[finding.name] = .some(finding.pattern)
    if let problem = finding.problem, problems.count < Self.maximumProblems, !problems.contains(problem) {
      problems.append(problem)
    }
  }

  /// The pattern of the user's file; nil where there is none.
  private static func ownPattern(named name: FeedbackName, in folder: FileName?) throws(Diagnostic)
    -> Pattern?
  {
    guard let file = folder?.appending(FileName(name.text + ".ahap")), file.isThere else { return nil }
    var status = stat()
    if file.withPath({ stat($0, &status) }) == 0, status.st_size > Self.maximumFileBytes {
      throw problem(
        file, .invalidPatternData, "larger than \(maximumFileBytes >> 20) MiB, which is no feedback")
    }
    let pattern = try PatternFile.read(file).pattern.withSounds(in: file.folder)
    if let path = pattern.events.compactMap(\.waveformPath).first(where: { !FileName($0).leadsSomewhere }) {
      throw problem(
        file, .invalidAudioResource, "the sound \(printable(path)) is not there; name one that is")
    }
    return pattern
  }

  private static func problem(_ file: FileName, _ code: PatternErrorCode, _ message: String) -> Diagnostic {
    Diagnostic(severity: .error, code: code, file: file.text, message: message)
  }
}

extension Pattern {
  /// The pattern with the paths of its sounds made absolute, for who plays it without knowing its file.
  func withSounds(in folder: FileName) -> Pattern {
    var pattern = self
    pattern.entries = entries.mapped { entry in
      guard case .event(var event) = entry, let path = event.waveformPath, !path.hasPrefix("/") else {
        return entry
      }
      event.waveformPath = folder.appending(FileName(path)).text
      return .event(event)
    }
    return pattern
  }

  /// The pattern at another strength.
  /// - Parameter factor: What the intensity of each haptic event is multiplied by; results are held within
  ///   0…1.
  public func scaled(by factor: Float) -> Pattern {
    guard factor != 1 else { return self }
    var pattern = self
    pattern.entries = entries.mapped { entry in
      guard case .event(var event) = entry, event.type.isHaptic else { return entry }
      let intensity = event.value(of: .hapticIntensity) * factor
      event.parameters[.hapticIntensity] = intensity.isFinite ? min(1, max(0, intensity)) : 0
      return .event(event)
    }
    return pattern
  }

  /// The pattern without what is heard.
  public var withoutSound: Pattern {
    let kept = entries.filter { entry in
      switch entry {
      case .event(let event): event.type.isHaptic
      case .parameter(let parameter): parameter.id.isHaptic
      case .curve(let curve): curve.id.isHaptic
      }
    }
    return kept.count == entries.count ? self : Pattern(entries: kept, version: version)
  }
}
