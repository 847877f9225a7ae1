/// A haptic data asset: one pattern by name, in variants for settings and languages.
///
/// It is either a folder `NAME.dataset` with a `Contents.json`, as in an asset catalogue,
///
/// ```json
/// { "data": [ { "filename": "tap.ahap" },
///             { "filename": "soft.ahap", "settings": ["reduced"] },
///             { "filename": "tap-sk.ahap", "language": "sk" } ] }
/// ```
///
/// or pattern files by name: `NAME.ahap`, `NAME~reduced.ahap` and the same in `sk.lproj` and its like.
/// ``url`` may be given to ``CHHapticEngine/playPattern(from:)-(URL)`` and
/// ``CHHapticPattern/init(contentsOf:)``, which play the variant that suits the user.
public struct HapticAsset: Sendable, Hashable {
  /// One of the files.
  struct Variant: Sendable, Hashable {
    var file: URL
    var isReduced = false
    var language: String?
  }

  /// The name.
  public let name: String
  /// What stands for all variants: the folder, or the file of the plain one.
  public let url: URL
  private let variants: [Variant]

  /// Finds an asset in a bundle's resources; nil where there is none of the name.
  /// - Throws: ``CHHapticError`` `invalidPatternDictionary` for a `Contents.json` that is not one.
  public init?(named name: String, in bundle: Bundle = .main) throws {
    try self.init(named: name, in: bundle.resourceURL ?? bundle.bundleURL)
  }

  /// Finds an asset in a folder; nil where there is none of the name.
  /// - Throws: ``CHHapticError`` `invalidPatternDictionary` for a `Contents.json` that is not one.
  public init?(named name: String, in folder: URL) throws {
    let dataset = folder.appendingPathComponent("\(name).dataset")
    if dataset.isFolder {
      try self.init(dataset: dataset)
      return
    }
    let variants = Self.files(named: name, in: folder)
    guard let first = variants.first else { return nil }
    self.init(name: name, url: first.file, variants: variants)
  }

  private init(name: String, url: URL, variants: [Variant]) {
    self.name = name
    self.url = url
    self.variants = variants
  }

  /// Reads the folder of an asset.
  init(dataset: URL) throws {
    self.init(
      name: dataset.deletingPathExtension().lastPathComponent, url: dataset,
      variants: try Self.contents(of: dataset))
  }

  /// The file of the variant that suits settings: of those for less motion, or of the plain ones, the one in
  /// the user's first language that there is, else one without a language. Where there is none for less
  /// motion, a plain one is taken.
  public func file(for settings: HapticAssetSettings = .current) -> URL {
    let plain = variants.filter { !$0.isReduced }
    let reduced = variants.filter(\.isReduced)
    let candidates = settings.reducesMotion && !reduced.isEmpty || plain.isEmpty ? reduced : plain
    for language in settings.languages {
      if let match = candidates.first(where: { $0.speaks(language) }) { return match.file }
    }
    return (candidates.first { $0.language == nil } ?? candidates.first)?.file ?? url
  }

  /// The pattern file that a URL of a program's means: of an asset's folder, the variant that suits settings;
  /// of a file, its variant for less motion where that is wanted and there.
  static func file(of url: URL, for settings: HapticAssetSettings) throws -> URL {
    if url.isFolder { return try HapticAsset(dataset: url).file(for: settings) }
    guard settings.reducesMotion else { return url }
    let reduced = url.deletingLastPathComponent().appendingPathComponent(
      "\(url.deletingPathExtension().lastPathComponent)\(reducedSuffix).\(url.pathExtension)")
    return FileManager.default.fileExists(atPath: reduced.path) ? reduced : url
  }

  private static let reducedSuffix = "~reduced"
}

// Finding the variants.
extension HapticAsset {
  /// The files of a name in a folder and in the folders of languages within it, plain ones first.
  private static func files(named name: String, in folder: URL) -> [Variant] {
    var variants: [Variant] = []
    let folders = [(folder, nil)] + languageFolders(in: folder).map { ($0.folder, Optional($0.language)) }
    for isReduced in [false, true] {
      for (folder, language) in folders {
        let file = folder.appendingPathComponent("\(name)\(isReduced ? reducedSuffix : "").ahap")
        if FileManager.default.fileExists(atPath: file.path) {
          variants.append(Variant(file: file, isReduced: isReduced, language: language))
        }
      }
    }
    return variants
  }

  private static func languageFolders(in folder: URL) -> [(folder: URL, language: String)] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      // A folder that cannot be listed holds nothing to be found.
      names = []
    }
    return names.filter { $0.hasSuffix(".lproj") }.sorted().map { name in
      (folder.appendingPathComponent(name), String(name.dropLast(".lproj".count)))
    }
  }

  /// Reads `Contents.json`.
  private static func contents(of dataset: URL) throws -> [Variant] {
    let file = dataset.appendingPathComponent("Contents.json")
    let entries: [Entry]
    do {
      entries = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file)).data
    } catch {
      throw CHHapticError(
        .invalidPatternDictionary, condition: "Contents.json is valid",
        "\(file.path) is not the table of a haptic data asset: \(error.localizedDescription)")
    }
    let variants = entries.compactMap { entry in
      entry.filename.map { filename in
        Variant(
          file: dataset.appendingPathComponent(filename),
          isReduced: entry.settings?.contains("reduced") ?? false, language: entry.language)
      }
    }
    guard !variants.isEmpty else {
      throw CHHapticError(
        .fileNotFound, condition: "asset has a file", "\(file.path) names no pattern file.")
    }
    return variants
  }

  private struct Contents: Decodable { var data: [Entry] }

  private struct Entry: Decodable {
    var filename: String?
    var settings: [String]?
    var language: String?
  }
}

extension HapticAsset.Variant {
  /// Whether the variant is in a language, or in the language that a regional one is of.
  fileprivate func speaks(_ wanted: String) -> Bool {
    guard let language = language?.lowercased().replacingOccurrences(of: "_", with: "-") else { return false }
    let wanted = wanted.lowercased().replacingOccurrences(of: "_", with: "-")
    return wanted == language || wanted.hasPrefix(language + "-")
  }
}

extension URL {
  /// Whether there is a folder.
  fileprivate var isFolder: Bool {
    var isDirectory: ObjCBool = false
    return isFileURL && FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }
}
