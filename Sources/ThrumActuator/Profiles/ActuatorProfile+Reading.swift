import Glibc
import ThrumJSON
import ThrumRealtime

/// Why a profile's file is refused: everything that is wrong with it.
public struct ActuatorProfileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Something that is wrong, and where.
  public struct Problem: Sendable, Equatable, CustomStringConvertible {
    /// The file by the name it was given.
    public var path: String
    /// From 1.
    public var line: Int
    /// From 1, in bytes.
    public var column: Int
    /// The path of the value, such as `volts.ratedRMS`; empty for the whole.
    public var keyPath: String
    /// What is wrong and what would be right.
    public var message: String

    /// `file:line:column: error: keyPath message`, to be made fit for a terminal.
    public var description: String {
      "\(path):\(line):\(column): error: \(keyPath.isEmpty ? "" : "\(keyPath) ")\(message)"
    }
  }

  /// At least one, in the order of the file.
  public var problems: [Problem]

  /// A line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ActuatorProfile {
  /// The key that says that a JSON file is a profile; its value is the version of the format.
  public static let versionKey = "thrumActuator"
  /// The version that is read and written.
  public static let version = 1
  /// The longest file that is read, bytes.
  public static let mostBytes = 1 << 16

  /// Reads the text of a profile's file.
  /// - Parameters:
  ///   - bytes: The whole file, UTF-8.
  ///   - path: What the file is called in messages.
  /// - Throws: ``ActuatorProfileError`` with everything that is wrong, so that it can be mended in one go.
  ///
  /// Threads: any. Real-time: no.
  public static func read(bytes: [UInt8], path: String) throws(ActuatorProfileError) -> ActuatorProfile {
    let root: LocatedJSON
    do throws(LocatedJSON.Fault) {
      root = try LocatedJSON.parse(bytes, mostBytes: mostBytes, deepest: 8)
    } catch {
      let place = LocatedJSON.place(of: error.offset, in: bytes)
      throw ActuatorProfileError(problems: [
        .init(path: path, line: place.line, column: place.column, keyPath: "", message: error.message)
      ])
    }
    let reading = ProfileReading(root)
    let profile = reading.profile()
    if let profile {
      let problems = profile.problemList()
      if reading.found.isEmpty, problems.found.isEmpty { return profile }
      // Values that could not be read have their default now, of which nothing is to be told; what is out of its range by itself is
      // wrong whatever the others are.
      let isWhole = reading.found.isEmpty
      for problem in problems.found where isWhole || reading.isOpen(problem, problems.outOfRange) {
        reading.add(problem.keyPath, problem.message)
      }
    }
    throw ActuatorProfileError(
      problems: reading.found.sorted { $0.offset < $1.offset }.map {
        let place = LocatedJSON.place(of: $0.offset, in: bytes)
        return .init(
          path: path, line: place.line, column: place.column, keyPath: $0.keyPath, message: $0.message)
      })
  }

  /// Whether a text is a profile, right or wrong: a JSON object with ``versionKey``.
  public static func isProfile(_ bytes: [UInt8]) -> Bool {
    do throws(LocatedJSON.Fault) {
      return try LocatedJSON.parse(bytes, mostBytes: mostBytes)[versionKey] != nil
    } catch {
      // Broken or too long, but whoever wrote the key meant a profile.
      return String(decoding: bytes, as: UTF8.self).contains("\"\(versionKey)\"")
    }
  }
}

/// A profile's text on its way to a value; notes what is wrong and goes on.
private final class ProfileReading {
  private let root: LocatedJSON
  private(set) var found: [(offset: Int, keyPath: String, message: String)] = []

  init(_ root: LocatedJSON) { self.root = root }

  /// Notes a problem at the place of a key path, or of the nearest group that is there.
  func add(_ keyPath: String, _ message: String) {
    var node = root
    for key in keyPath.split(separator: ".") {
      guard let next = node[String(key)] else { break }
      node = next
    }
    found.append((node.offset, keyPath, message))
  }

  /// Whether a problem of a file with others is to be told: of a value that is in the file, was read, and is out of its range.
  func isOpen(_ problem: ActuatorProfile.Problem, _ outOfRange: Set<String>) -> Bool {
    let path = problem.keyPath
    guard outOfRange.contains(path), !found.contains(where: { $0.keyPath == path }) else { return false }
    return path.split(separator: ".").reduce(Optional(root)) { $0?[String($1)] } != nil
  }

  /// Tells of keys that nobody knows.
  private func check(_ node: LocatedJSON, _ group: String, keys: [String]) {
    for member in node.members ?? [] where !keys.contains(member.key) {
      let advice =
        NearestName.find(member.key, in: keys).map { "did you mean \($0)?" }
        ?? "the keys are \(keys.joined(separator: ", "))"
      found.append((member.offset, group, "has an unknown key \"\(member.key)\"; \(advice)"))
    }
  }

  private func number(_ node: LocatedJSON?, _ keyPath: String) -> Double? {
    guard let node else { return nil }
    if let number = node.number { return number }
    add(keyPath, "takes a number, not \(node.kind)")
    return nil
  }

  private func needed(_ node: LocatedJSON?, _ keyPath: String, _ what: String) -> Double {
    if node == nil { add(keyPath, "is missing, \(what)") }
    return number(node, keyPath) ?? 1
  }

  private func text(_ key: String) -> String? {
    guard let node = root[key] else { return nil }
    if let text = node.text { return text }
    add(key, "takes a text, not \(node.kind)")
    return nil
  }

  private func flag(_ node: LocatedJSON?, _ keyPath: String, usual: Bool) -> Bool {
    guard let node else { return usual }
    if let flag = node.flag { return flag }
    add(keyPath, "takes true or false, not \(node.kind)")
    return usual
  }

  private func word<Choice: RawRepresentable>(
    _ node: LocatedJSON?, _ keyPath: String, of choices: [Choice]
  ) -> Choice? where Choice.RawValue == String {
    guard let node else { return nil }
    let words = choices.map(\.rawValue)
    if let text = node.text, let choice = Choice(rawValue: text) { return choice }
    let given = node.text.map { "\"\($0)\"" } ?? node.kind
    let nearest = node.text.flatMap { NearestName.find($0, in: words) }
    add(
      keyPath,
      "takes one of \(words.joined(separator: ", ")), not \(given)\(nearest.map { "; did you mean \($0)?" } ?? "")"
    )
    return nil
  }

  /// A group of settings; nil where it is not there or is none.
  private func group(_ key: String, keys: [String]) -> LocatedJSON? {
    guard let node = root[key] else { return nil }
    guard node.members != nil else {
      add(key, "takes an object with \(keys.joined(separator: ", ")), not \(node.kind)")
      return nil
    }
    check(node, key, keys: keys)
    return node
  }

  func profile() -> ActuatorProfile? {
    guard root.members != nil else {
      add("", "a profile is an object, not \(root.kind)")
      return nil
    }
    check(
      root, "",
      keys: [
        ActuatorProfile.versionKey, "name", "kind", "resonance", "volts", "headroom", "gain", "frequency",
        "intensity", "drive", "speakerCornerHz", "protection", "channels", "mounting", "measurement", "notes",
      ])
    if let version = root[ActuatorProfile.versionKey] {
      if version.number != Double(ActuatorProfile.version) {
        add(
          ActuatorProfile.versionKey, "takes the version of the format, which is \(ActuatorProfile.version)")
      }
    } else {
      add(
        ActuatorProfile.versionKey,
        "is missing; \"\(ActuatorProfile.versionKey)\": 1 says that this is a profile")
    }
    if root["name"] == nil { add("name", "is missing, by which the profile is chosen") }
    let kinds = ActuatorProfile.Kind.allCases
    if root["kind"] == nil {
      add("kind", "is missing, one of \(kinds.map(\.rawValue).joined(separator: ", "))")
    }
    let kind = word(root["kind"], "kind", of: kinds) ?? .wideband
    var profile = ActuatorProfile(name: text("name") ?? "", kind: kind)
    readLevels(&profile)
    readDrive(&profile)
    readFrequency(&profile)
    readProtection(&profile)
    readChannels(&profile)
    profile.mounting = text("mounting")
    profile.measurement = text("measurement")
    profile.notes = text("notes")
    return profile
  }

  private func readLevels(_ profile: inout ActuatorProfile) {
    if let node = group("resonance", keys: ["hz", "q", "hzUncertaintyPercent", "qUncertaintyPercent"]) {
      profile.resonance = .init(
        hz: needed(node["hz"], "resonance.hz", "the resonance in Hz"),
        q: needed(node["q"], "resonance.q", "the quality factor"),
        hzUncertainty: number(node["hzUncertaintyPercent"], "resonance.hzUncertaintyPercent").map {
          $0 / 100
        },
        qUncertainty: number(node["qUncertaintyPercent"], "resonance.qUncertaintyPercent").map { $0 / 100 })
    }
    if let node = group("volts", keys: ["fullScalePeak", "ratedRMS", "overdrivePeak", "overdriveSeconds"]) {
      profile.volts = .init(
        fullScalePeak: needed(
          node["fullScalePeak"], "volts.fullScalePeak", "the peak of a full-scale sine at the actuator"),
        ratedRMS: needed(node["ratedRMS"], "volts.ratedRMS", "what the actuator takes for ever, rms"),
        overdrivePeak: number(node["overdrivePeak"], "volts.overdrivePeak"),
        overdriveSeconds: number(node["overdriveSeconds"], "volts.overdriveSeconds"))
    }
    profile.headroom = number(root["headroom"], "headroom")
    profile.gain = number(root["gain"], "gain") ?? 1
  }

  private enum Form: String, CaseIterable {
    case plain, equalizer
    case halfCycle = "half-cycle"
  }

  private func readDrive(_ profile: inout ActuatorProfile) {
    profile.speakerCornerHz = number(root["speakerCornerHz"], "speakerCornerHz")
    let canBrake = profile.resonance?.canBrake ?? false
    if profile.kind == .lra { profile.drive = .halfCycle(overdrives: true, brakes: canBrake) }
    guard let node = group("drive", keys: ["form", "targetHz", "targetQ", "overdrive", "brake"]) else {
      return
    }
    let usual: Form = profile.kind == .lra ? .halfCycle : .plain
    let form = word(node["form"], "drive.form", of: Form.allCases) ?? usual
    let (hz, q) = (number(node["targetHz"], "drive.targetHz"), number(node["targetQ"], "drive.targetQ"))
    let overdrives = flag(node["overdrive"], "drive.overdrive", usual: true)
    let brakes = flag(node["brake"], "drive.brake", usual: canBrake)
    switch form {
    case .plain: profile.drive = .plain
    case .equalizer: profile.drive = .equalizer(targetHz: hz, targetQ: q)
    case .halfCycle: profile.drive = .halfCycle(overdrives: overdrives, brakes: brakes)
    }
    for key in ["targetHz", "targetQ"] where node[key] != nil && form != .equalizer {
      add("drive.\(key)", "is for the form equalizer, not for \(form.rawValue)")
    }
    for key in ["overdrive", "brake"] where node[key] != nil && form != .halfCycle {
      add("drive.\(key)", "is for the form half-cycle, not for \(form.rawValue)")
    }
  }

  private func readFrequency(_ profile: inout ActuatorProfile) {
    if profile.kind == .lra, let resonance = profile.resonance, resonance.q > 0, resonance.hz > 0 {
      // The band in which an overdrive makes up for what the resonance takes.
      let ratio = profile.overdriveRatio
      let width = exp(asinh(max(0, ratio * ratio - 1).squareRoot() / (2 * resonance.q)))
      profile.frequency = .init(
        minimumHz: max(20, ((resonance.hz / width) * 10).rounded() / 10),
        maximumHz: min(1000, ((resonance.hz * width) * 10).rounded() / 10))
    }
    if let node = group("frequency", keys: ["minimumHz", "maximumHz"]) {
      if let hz = number(node["minimumHz"], "frequency.minimumHz") { profile.frequency.minimumHz = hz }
      if let hz = number(node["maximumHz"], "frequency.maximumHz") { profile.frequency.maximumHz = hz }
    }
    if let node = group("intensity", keys: ["gamma", "sensationDecibels"]) {
      let gamma = number(node["gamma"], "intensity.gamma")
      let range = number(node["sensationDecibels"], "intensity.sensationDecibels")
      if gamma != nil, range != nil {
        add("intensity", "takes gamma or sensationDecibels, not both")
      }
      if let range { profile.law = .sensation(range) } else { profile.law = .power(gamma ?? 1) }
    }
  }

  private func readProtection(_ profile: inout ActuatorProfile) {
    var protection = ActuatorProfile.Protection(
      highPassHz: profile.kind == .speaker ? 100 : 20, excursionRatio: profile.resonance == nil ? nil : 1.3)
    if let node = root["protection"], case .null = node.value {
      profile.protection = nil
      return
    }
    defer { profile.protection = protection }
    let keys = ["highPassHz", "thermalSeconds", "excursionRatio", "peak", "ceiling"]
    guard let node = group("protection", keys: keys) else { return }
    if let hz = number(node["highPassHz"], "protection.highPassHz") { protection.highPassHz = hz }
    if let seconds = number(node["thermalSeconds"], "protection.thermalSeconds") {
      protection.thermalSeconds = seconds
    }
    if let excursion = node["excursionRatio"] {
      if case .null = excursion.value {
        protection.excursionRatio = nil
      } else if let ratio = number(excursion, "protection.excursionRatio") {
        protection.excursionRatio = ratio
      }
    }
    if let peak = word(node["peak"], "protection.peak", of: ActuatorProfile.Protection.Peak.allCases) {
      protection.peak = peak
    }
    if let ceiling = number(node["ceiling"], "protection.ceiling") { protection.ceiling = ceiling }
  }

  private func readChannels(_ profile: inout ActuatorProfile) {
    guard let node = root["channels"] else { return }
    let numbers = node.elements?.map { $0.number.flatMap { Int(exactly: $0) } } ?? [nil]
    let channels = numbers.compactMap { $0 }
    if channels.count != numbers.count || channels.count > 64 {
      add("channels", "takes a list of whole numbers from 1 to 64, such as [3, 4]")
    }
    profile.channels = channels
  }
}
