#!/usr/bin/env python3
"""Writes the presets of this folder into Sources/ThrumFeedback/Presets/PresetFiles.swift, so that a program
that is installed elsewhere has them without any file. Run it after changing a preset; a test compares the two."""
import json
import pathlib

folder = pathlib.Path(__file__).resolve().parent
target = folder.parent.parent / "Sources/ThrumFeedback/Presets/PresetFiles.swift"
lines = [
    "// Made from patterns/feedback by its embed.py; a test compares the two.",
    "",
    "/// The presets' pattern files, as in patterns/feedback but for their descriptions.",
    "enum PresetFiles {",
    "  /// The texts by the names of the presets.",
    "  static let texts: [String: StaticString] = [",
]
for path in sorted(folder.glob("*.ahap")):
    # What is only for readers stays in the file, so no text has spaces in it, and a line may break at any.
    kept = {key: value for key, value in json.loads(path.read_text()).items() if key != "Metadata"}
    words = json.dumps(kept)
    lines.append(f'    "{path.stem}":')
    room = 100
    lines.append('      #"""')
    line = ""
    for word in words.split(" "):
        if line and len(line) + 1 + len(word) > room:
            lines.append("      " + line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append("      " + line)
    lines.append('      """#,')
lines += ["  ]", "}", ""]
target.parent.mkdir(parents=True, exist_ok=True)
target.write_text("\n".join(lines))
