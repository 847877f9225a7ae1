public import ThrumPattern

/// The patterns of feedbacks: the user's own files first, then the presets that every program carries.
///
/// A file is read when its name is first asked for, and kept; ``reload()`` lets all be read anew.
public struct PresetLibrary: Sendable {
  /// The folder whose `NAME.ahap` takes the place of a preset, or adds a feedback; nil where there is none.
  public let folder: FileName?
  /// What is wrong with files of that folder that were asked for; their presets play instead.
  public private(set) var problems: [Diagnostic] = []
  private var patterns: [FeedbackName: Pattern?] = [:]

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
    if let known = patterns[name] { return known }
    let found = ownPattern(named: name) ?? Self.preset(named: name)
    patterns[name] = .some(found)
    return found
  }

  /// Puts a pattern in, in place of what its name had, until all is read anew.
  public mutating func set(_ pattern: Pattern, named name: FeedbackName) { patterns[name] = .some(pattern) }

  /// Forgets what was read, so that changed files are seen.
  public mutating func reload() {
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

  private mutating func ownPattern(named name: FeedbackName) -> Pattern? {
    guard let file = folder?.appending(FileName(name.text + ".ahap")), file.isThere else { return nil }
    do throws(Diagnostic) {
      let pattern = try PatternFile.read(file).pattern.withSounds(in: file.folder)
      if let path = pattern.events.compactMap(\.waveformPath).first(where: { !FileName($0).isThere }) {
        throw Diagnostic(
          severity: .error, code: .invalidAudioResource, file: file.text,
          message: "the sound \(printable(path)) is not there; name one that is")
      }
      return pattern
    } catch {
      problems.append(error)
      return nil
    }
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
