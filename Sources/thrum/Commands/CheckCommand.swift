import ThrumActuator
import ThrumPattern
import ThrumSound

/// `thrum check`: what is wrong with pattern files, line by line.
struct CheckCommand: Command {
  var operands: [FileName] = []
  var isJSON = false

  static var form: CommandForm<CheckCommand> {
    CommandForm(
      name: "check", summary: "Check pattern files and actuator profiles; tell what is wrong, and where.",
      operandUsage: "FILE…|FOLDER…",
      operandHelp:
        "A FOLDER stands for every .ahap file in it and below it; - is standard input. A FILE may be the profile of an "
        + "actuator, too. All files are checked, whatever is wrong with one of them.",
      operandCount: 1...Int.max, operandNoun: "a FILE or FOLDER",
      discussion: [
        "Each error and warning is one line: file:line:column, the place in the pattern, what was found, and what "
          + "would be right. The exit code is 1 if a file has an error; warnings alone leave it 0."
      ],
      options: [
        .flag("json", \.isJSON, "Write one JSON object with every file and its diagnostics.")
      ],
      examples: [
        .init(line: "thrum check patterns", effect: "Checks every .ahap file in the folder."),
        .init(line: "thrum check --json tap.ahap | jq .errors", effect: "Counts the errors of one file."),
      ])
  }

  /// What was found out about one file.
  struct Finding {
    var path: FileName
    var diagnostics: [Diagnostic]
    var isRefused: Bool { diagnostics.contains { $0.severity == .error } }
  }

  func run() throws(CommandError) -> ExitCode {
    if operands.count(where: { $0 == "-" }) > 1 { throw .usage("- can be read only once") }
    var findings: [Finding] = []
    let style = Style.output
    for operand in operands {
      for finding in check(operand) {
        findings.append(finding)
        if !isJSON {
          for diagnostic in finding.diagnostics { StandardOutput.write(diagnostic.text(style) + "\n") }
        }
      }
    }
    if isJSON {
      StandardOutput.write(Self.json(findings).text + "\n")
    } else if StandardError.isTerminal {
      StandardError.write(Self.summary(findings, Style.error) + "\n")
    }
    return findings.contains(where: \.isRefused) ? .failure : .success
  }

  private func check(_ operand: FileName) -> [Finding] {
    guard PatternFolder.isFolder(operand) else { return [Self.checkFile(operand)] }
    let contents = PatternFolder.contents(of: operand)
    var findings = contents.files.map(Self.checkFile)
    for folder in contents.unreadable {
      let message = "the folder cannot be read: \(folder.reason)"
      findings.append(
        Finding(
          path: folder.path, diagnostics: [.init(severity: .error, file: folder.path.text, message: message)])
      )
    }
    if findings.isEmpty {
      let message = "there is no .ahap file in this folder"
      findings.append(
        Finding(path: operand, diagnostics: [.init(severity: .error, file: operand.text, message: message)]))
    }
    return findings
  }

  private static func checkFile(_ path: FileName) -> Finding {
    if path != "-", !path.text.hasSuffix(".ahap"), ActuatorLibrary.isProfile(path.text) {
      return checkProfile(path)
    }
    let report = PatternFile.check(path)
    return Finding(
      path: path,
      diagnostics: report.pattern.map { withSounds(of: $0, in: path, report.diagnostics) }
        ?? report.diagnostics)
  }

  /// Everything that is wrong with the profile of an actuator.
  private static func checkProfile(_ path: FileName) -> Finding {
    var diagnostics: [Diagnostic] = []
    do throws(ActuatorLibrary.Problem) {
      let profile = try ActuatorLibrary.read(path.text)
      if ActuatorLibrary.builtInNames.contains(profile.name) {
        diagnostics.append(
          Diagnostic(
            severity: .warning, file: path.text, keyPath: "name",
            message:
              "a built-in profile has the name \(profile.name), which always means that one; choose another"))
      }
    } catch {
      switch error {
      case .refused(let refusal):
        diagnostics = refusal.problems.map {
          Diagnostic(
            severity: .error, file: path.text, position: .init(line: $0.line, column: $0.column),
            keyPath: $0.keyPath, message: printable($0.message))
        }
      case .unknown(let reason), .unreadable(_, let reason):
        diagnostics = [Diagnostic(severity: .error, file: path.text, message: reason)]
      }
    }
    return Finding(path: path, diagnostics: diagnostics)
  }

  /// Adds what is wrong with the sound files themselves. What the reader of the pattern says of one, who opens none, is said in
  /// the words of who does; of those that are not there it tells alone, for it looks by the bytes of a name.
  private static func withSounds(
    of pattern: Pattern, in file: FileName, _ diagnostics: [Diagnostic]
  ) -> [Diagnostic] {
    if pattern.eventCount(where: { $0 == .audioCustom }) == 0 { return diagnostics }
    let library = SoundLibrary()
    let rules = SoundPaths.besides(file.text)
    // What each path is refused for, nil where it can be played.
    var refusals: [String: SoundError?] = [:]
    var diagnostics = diagnostics
    for (index, entry) in pattern.entries.enumerated() {
      guard case .event(let event) = entry, event.type == .audioCustom, let path = event.waveformPath else {
        continue
      }
      let isNew = refusals[path] == nil
      let refusal = refusals[path] ?? refusal(of: path, library, rules)
      refusals[path] = .some(refusal)
      guard let refusal else { continue }
      let keyPath = "Pattern[\(index)].Event.EventWaveformPath"
      if let place = diagnostics.firstIndex(where: { $0.keyPath == keyPath }) {
        diagnostics[place].message = refusal.description
      } else if isNew, refusal.code != .fileNotFound {
        diagnostics.append(
          Diagnostic(severity: .warning, file: file.text, keyPath: keyPath, message: refusal.description))
      }
    }
    return diagnostics
  }

  private static func refusal(of path: String, _ library: SoundLibrary, _ rules: SoundPaths) -> SoundError? {
    do throws(SoundError) {
      let sound = try library.sound(named: path, rules: rules)
      withExtendedLifetime(sound) {}
      return nil
    } catch {
      return error
    }
  }

  private static func count(_ severity: Diagnostic.Severity, in findings: [Finding]) -> Int {
    findings.reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } }
  }

  /// One line for a person: how many files, and how many things are wrong with them.
  static func summary(_ findings: [Finding], _ style: Style) -> String {
    let errors = count(.error, in: findings)
    let warnings = count(.warning, in: findings)
    let files = NumberText.count(findings.count, "file")
    if errors == 0 && warnings == 0 { return style.green("\(files) checked, nothing wrong") }
    var parts: [String] = []
    if errors > 0 { parts.append(style.red(NumberText.count(errors, "error"))) }
    if warnings > 0 { parts.append(style.yellow(NumberText.count(warnings, "warning"))) }
    return "\(files) checked: \(parts.joined(separator: ", "))"
  }

  private static func json(_ findings: [Finding]) -> JSONValue {
    .object([
      (
        "files",
        .array(
          findings.map { finding in
            .object([
              ("file", .string(finding.path.text)),
              ("loads", .bool(!finding.isRefused)),
              ("diagnostics", .array(finding.diagnostics.map(\.json))),
            ])
          })
      ),
      ("errors", .count(count(.error, in: findings))),
      ("warnings", .count(count(.warning, in: findings))),
    ])
  }
}
