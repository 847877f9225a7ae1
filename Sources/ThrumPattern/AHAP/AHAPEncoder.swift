/// Writes a pattern as AHAP text.
///
/// The layout is fixed: two spaces a level, one line for each parameter and control point, keys in one order,
/// a newline at the end. Numbers are the shortest that read back as the same value, always with a point or an
/// exponent and never with a comma.
public enum AHAPEncoder {
  /// Writes a pattern as UTF-8 text that decodes to an equal pattern.
  ///
  /// - Precondition: Times are finite and 0 or later, values in their documented ranges and control points in
  ///   order, as the decoder gives them; what is not so is written as it stands and comes back changed, or is
  ///   refused.
  ///
  /// Threads: any. Real-time: no.
  public static func encode(_ pattern: Pattern) -> [UInt8] {
    var writer = AHAPWriter()
    writer.write(pattern)
    return writer.bytes
  }
}

/// The text as far as it is written.
private struct AHAPWriter {
  private(set) var bytes: [UInt8] = []
  private var depth = 0
  /// Whether the list or object that is written has a member yet.
  private var hasMember = false

  mutating func write(_ pattern: Pattern) {
    bytes.reserveCapacity(64 + pattern.entries.count * 256)
    open("{")
    if let version = pattern.version { member(.version, number: version.description) }
    key(.pattern)
    open("[")
    for entry in pattern.entries {
      item()
      open("{")
      switch entry {
      case .event(let event): write(event)
      case .parameter(let parameter): write(parameter)
      case .curve(let curve): write(curve)
      }
      close("}")
    }
    close("]")
    close("}")
    append("\n")
  }

  private mutating func write(_ event: Event) {
    key(.event)
    open("{")
    member(.time, number: event.time.description)
    member(.eventType, text: event.type.rawValue)
    if let duration = event.duration { member(.eventDuration, number: duration.description) }
    if let path = event.waveformPath { member(.eventWaveformPath, text: path) }
    if let uses = event.usesVolumeEnvelope {
      member(.eventWaveformUseVolumeEnvelope, number: uses ? "true" : "false")
    }
    if let isLooped = event.isLooped {
      member(.eventWaveformLoopEnabled, number: isLooped ? "true" : "false")
    }
    if !event.parameters.isEmpty {
      key(.eventParameters)
      open("[")
      for id in EventParameterID.allCases {
        guard let value = event.parameters[id] else { continue }
        item()
        inline {
          $0.member(.parameterID, text: id.rawValue)
          $0.member(.parameterValue, number: value.description)
        }
      }
      close("]")
    }
    close("}")
  }

  private mutating func write(_ parameter: DynamicParameter) {
    key(.parameter)
    inline {
      $0.member(.parameterID, text: parameter.id.rawValue)
      $0.member(.parameterValue, number: parameter.value.description)
      $0.member(.time, number: parameter.time.description)
    }
  }

  private mutating func write(_ curve: ParameterCurve) {
    key(.parameterCurve)
    open("{")
    member(.parameterID, text: curve.id.rawValue)
    member(.time, number: curve.time.description)
    key(.parameterCurveControlPoints)
    open("[")
    for point in curve.points {
      item()
      inline {
        $0.member(.time, number: point.time.description)
        $0.member(.parameterValue, number: point.value.description)
      }
    }
    close("]")
    close("}")
  }

  // MARK: - Layout

  /// Whether members go on one line.
  private var isInline = false

  private mutating func open(_ bracket: StaticString) {
    append(bracket)
    depth += 1
    hasMember = false
  }

  private mutating func close(_ bracket: StaticString) {
    depth -= 1
    if hasMember { newLine() }
    append(bracket)
    hasMember = true
  }

  /// Writes an object on one line.
  private mutating func inline(_ members: (inout AHAPWriter) -> Void) {
    append("{ ")
    isInline = true
    hasMember = false
    members(&self)
    isInline = false
    append(" }")
    hasMember = true
  }

  /// Begins a member of a list or object.
  private mutating func item() {
    if hasMember { append(isInline ? ", " : ",") }
    if !isInline { newLine() }
    hasMember = true
  }

  private mutating func key(_ key: AHAPKey) {
    item()
    append("\"")
    append(key.name)
    append("\": ")
  }

  private mutating func member(_ key: AHAPKey, number: String) {
    self.key(key)
    bytes.append(contentsOf: number.utf8)
  }

  private mutating func member(_ key: AHAPKey, text: String) {
    self.key(key)
    append("\"")
    for byte in text.utf8 {
      switch byte {
      case .quote: append("\\\"")
      case .backslash: append("\\\\")
      case 0x0A: append("\\n")
      case 0x09: append("\\t")
      case 0x0D: append("\\r")
      case 0..<0x20:
        append(byte < 0x10 ? "\\u000" : "\\u001")
        bytes.append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    append("\"")
  }

  private mutating func newLine() {
    append("\n")
    for _ in 0..<depth { append("  ") }
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}
