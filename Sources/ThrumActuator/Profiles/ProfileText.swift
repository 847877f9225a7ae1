import ThrumJSON
import ThrumRealtime

/// Numbers and texts as a profile's file has them.
enum ProfileText {
  /// The number with as few digits as tell it apart from its neighbours; no `.0` at the end of a whole one.
  static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The number for a sentence, with three decimals at most.
  static func short(_ value: Double) -> String { number((value * 1000).rounded() / 1000) }

  /// A share as percent, without the noise that the conversion adds.
  static func percent(_ share: Double) -> String { number((share * 100 * 1e9).rounded() / 1e9) }
}

extension ActuatorProfile {
  /// The profile as the text of its file: the same for equal profiles, and read back as an equal one.
  public var text: String {
    var lines: [String] = []
    func add(_ key: String, _ value: String?) {
      if let value { lines.append("  \"\(key)\": \(value)") }
    }
    func group(_ members: [(String, String?)]) -> String {
      "{ " + members.compactMap { key, value in value.map { "\"\(key)\": \($0)" } }.joined(separator: ", ")
        + " }"
    }
    add(Self.versionKey, "\(Self.version)")
    add("name", JSONString.quoted(name))
    add("kind", "\"\(kind.rawValue)\"")
    add(
      "resonance",
      resonance.map {
        group([
          ("hz", ProfileText.number($0.hz)), ("q", ProfileText.number($0.q)),
          ("hzUncertaintyPercent", $0.hzUncertainty.map(ProfileText.percent)),
          ("qUncertaintyPercent", $0.qUncertainty.map(ProfileText.percent)),
        ])
      })
    add(
      "volts",
      volts.map {
        group([
          ("fullScalePeak", ProfileText.number($0.fullScalePeak)),
          ("ratedRMS", ProfileText.number($0.ratedRMS)),
          ("overdrivePeak", $0.overdrivePeak.map(ProfileText.number)),
          ("overdriveSeconds", $0.overdriveSeconds.map(ProfileText.number)),
        ])
      })
    add("headroom", headroom.map(ProfileText.number))
    add("gain", gain == 1 ? nil : ProfileText.number(gain))
    add(
      "frequency",
      group([
        ("minimumHz", ProfileText.number(frequency.minimumHz)),
        ("maximumHz", ProfileText.number(frequency.maximumHz)),
      ]))
    switch law {
    case .power(let gamma): add("intensity", group([("gamma", ProfileText.number(gamma))]))
    case .sensation(let range): add("intensity", group([("sensationDecibels", ProfileText.number(range))]))
    }
    add("drive", group(driveMembers))
    add("speakerCornerHz", speakerCornerHz.map(ProfileText.number))
    add(
      "protection",
      protection.map {
        group([
          ("highPassHz", ProfileText.number($0.highPassHz)),
          ("thermalSeconds", ProfileText.number($0.thermalSeconds)),
          ("excursionRatio", $0.excursionRatio.map(ProfileText.number) ?? (resonance == nil ? nil : "null")),
          ("peak", "\"\($0.peak.rawValue)\""), ("ceiling", ProfileText.number($0.ceiling)),
        ])
      } ?? "null")
    add("channels", channels.isEmpty ? nil : "[" + channels.map(String.init).joined(separator: ", ") + "]")
    add("mounting", mounting.map(JSONString.quoted))
    add("measurement", measurement.map(JSONString.quoted))
    add("notes", notes.map(JSONString.quoted))
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private var driveMembers: [(String, String?)] {
    switch drive {
    case .plain: [("form", "\"plain\"")]
    case .equalizer(let hz, let q):
      [
        ("form", "\"equalizer\""), ("targetHz", hz.map(ProfileText.number)),
        ("targetQ", q.map(ProfileText.number)),
      ]
    case .halfCycle(let overdrives, let brakes):
      [("form", "\"half-cycle\""), ("overdrive", "\(overdrives)"), ("brake", "\(brakes)")]
    }
  }
}
