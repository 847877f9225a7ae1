import ThrumAudition
import ThrumPattern

/// A document of a text.
func document(_ text: String) -> PatternDocument { PatternDocument(Array(text.utf8), file: "t.ahap") }

/// A text after some edits.
func edited(_ text: String, _ edits: PatternEdit...) throws(EditRefusal) -> String {
  var document = document(text)
  for edit in edits { try document.apply(edit) }
  return document.text
}

/// Why an edit is refused; nil where it is not, or where it changed something although it was.
func refusal(_ text: String, _ edit: PatternEdit) -> String? {
  var document = document(text)
  do throws(EditRefusal) {
    try document.apply(edit)
    return nil
  } catch {
    return document.text == text && !document.isModified ? error.message : nil
  }
}

/// A file with some entries, a line for each.
func file(_ entries: String...) -> String { "{\"Pattern\": [\n\(entries.joined(separator: ",\n"))\n]}" }

/// Two events and a curve, laid out as most files are.
let pretty = """
  {
    "Version": 1.0,
    "Metadata": {
      "Project" : "Door",   "Created": "2026-11-30"
    },
    "Pattern": [
      {
        "Event": {
          "Time": 0.0,
          "EventType": "HapticTransient",
          "EventParameters": [
            { "ParameterID": "HapticIntensity", "ParameterValue": 0.8 },
            { "ParameterID": "HapticSharpness", "ParameterValue": 0.4 }
          ]
        }
      },
      {
        "_comment": "the slide",
        "Event": {
          "Time": 0.25,
          "EventType": "HapticContinuous",
          "EventDuration": 1.5,
          "EventParameters": [
            { "ParameterID": "HapticIntensity", "ParameterValue": 0.5 }
          ]
        }
      },
      {
        "ParameterCurve": {
          "ParameterID": "HapticIntensityControl",
          "Time": 0.25,
          "ParameterCurveControlPoints": [
            { "Time": 0, "ParameterValue": 0.2 },
            { "Time": 0.5, "ParameterValue": 1.0 }
          ]
        }
      }
    ]
  }

  """

/// The lines that differ between two texts of as many lines.
func changedLines(_ before: String, _ after: String) -> [String]? {
  let old = before.split(separator: "\n", omittingEmptySubsequences: false)
  let new = after.split(separator: "\n", omittingEmptySubsequences: false)
  guard old.count == new.count else { return nil }
  return zip(old, new).filter { $0 != $1 }.map { $1.drop { $0 == " " }.description }
}

/// The lines that were added to a text, where nothing else happened to it.
func addedLines(_ before: String, _ after: String) -> String? {
  var old = before.split(separator: "\n", omittingEmptySubsequences: false)[...]
  var new = after.split(separator: "\n", omittingEmptySubsequences: false)[...]
  while let line = old.first, line == new.first {
    old.removeFirst()
    new.removeFirst()
  }
  while let line = old.last, line == new.last {
    old.removeLast()
    new.removeLast()
  }
  // The line that was the last of its list gets a comma, or the one that is.
  if old.count == 1, let line = old.first, new.first == line + "," {
    new.removeFirst()
    old.removeFirst()
  }
  return old.isEmpty ? new.joined(separator: "\n") : nil
}
