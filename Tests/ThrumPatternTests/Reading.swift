import ThrumPattern

/// Decodes a text.
func decode(_ text: String, soundFolder: FileName? = nil) throws(Diagnostic) -> AHAPDecoder.Result {
  try decode(Array(text.utf8), soundFolder: soundFolder)
}

/// Decodes bytes.
func decode(_ bytes: [UInt8], soundFolder: FileName? = nil) throws(Diagnostic) -> AHAPDecoder.Result {
  try bytes.withUnsafeBufferPointer { bytes throws(Diagnostic) in
    try AHAPDecoder.decode(UnsafeRawBufferPointer(bytes), file: "t", soundFolder: soundFolder)
  }
}

/// Checks a text.
func check(_ text: String, soundFolder: FileName? = nil) -> AHAPDecoder.Report {
  Array(text.utf8).withUnsafeBytes { AHAPDecoder.check($0, file: "t", soundFolder: soundFolder) }
}

/// The refusal of some bytes as `check` prints it; nil where they are accepted.
func refusal(_ bytes: [UInt8]) -> String? {
  do throws(Diagnostic) {
    let result = try decode(bytes)
    return result.diagnostics.first { $0.severity == .error }?.description
  } catch {
    return error.description
  }
}

/// The refusal of a text as `check` prints it; nil where it is accepted.
func refusal(_ text: String) -> String? { refusal(Array(text.utf8)) }

/// The warnings and notes on a text as `check` prints them.
func remarks(_ text: String, soundFolder: FileName? = nil) throws(Diagnostic) -> [String] {
  try decode(text, soundFolder: soundFolder).diagnostics.map(\.description)
}

/// A file with some entries.
func file(_ entries: String...) -> String { "{\"Pattern\": [\n\(entries.joined(separator: ",\n"))\n]}" }

/// An entry with a tap that carries some more members.
func tap(_ members: String = "") -> String {
  "{\"Event\": {\"Time\": 0, \"EventType\": \"HapticTransient\"\(members)}}"
}

/// An entry with a vibration of a second that carries some more members.
func buzz(_ members: String = "") -> String {
  "{\"Event\": {\"Time\": 0, \"EventType\": \"HapticContinuous\", \"EventDuration\": 1\(members)}}"
}

/// The event parameters, as a member of an event.
func parameters(_ values: (String, String)...) -> String {
  let list = values.map { "{\"ParameterID\": \"\($0.0)\", \"ParameterValue\": \($0.1)}" }
  return ", \"EventParameters\": [\(list.joined(separator: ", "))]"
}

/// An entry with a curve.
func curve(_ id: String, at time: String, _ points: (String, String)...) -> String {
  let list = points.map { "{\"Time\": \($0.0), \"ParameterValue\": \($0.1)}" }
  return "{\"ParameterCurve\": {\"ParameterID\": \"\(id)\", \"Time\": \(time), "
    + "\"ParameterCurveControlPoints\": [\(list.joined(separator: ", "))]}}"
}

/// An entry with a dynamic parameter.
func control(_ id: String, _ value: String, at time: String) -> String {
  "{\"Parameter\": {\"ParameterID\": \"\(id)\", \"ParameterValue\": \(value), \"Time\": \(time)}}"
}

/// Takes the mark `⌖` out of a text.
/// - Returns: The text, and the beginning of the line `check` prints about that place.
func marked(_ text: String) -> (text: String, place: String) {
  let parts = text.split(separator: "⌖", maxSplits: 1, omittingEmptySubsequences: false)
  let before = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
  return (parts.joined(), "t:\(before.count):\((before.last ?? "").utf8.count + 1): ")
}
