import CCommandLine
import Glibc
import ThrumJSON
import ThrumPattern

/// Turns words into a command's settings, by glibc's own rules: options anywhere, `--` ends them, unambiguous
/// beginnings of long names count, `--name=value` and `-nvalue` are one word.
enum ArgumentParser {
  /// What a command line asks for.
  enum Result<Body> {
    case help
    case run(Body)
  }

  /// Reads the words after a command's name.
  /// - Throws: `CommandError.usage`, the sentence for the person.
  static func parse<Body: Command>(_ words: [FileName], as type: Body.Type) throws(CommandError) -> Result<
    Body
  > {
    let form = type.form
    var command = Body()
    let table = OptionTable(options: form.options.map { ($0.long, $0.short, $0.placeholder != nil) })
    let scan = try table.scan(words)
    for option in scan.options {
      switch option.index {
      case nil: return .help
      case let index?:
        let entry = form.options[index]
        do throws(ExpectedValue) {
          try entry.store(option.argument, &command)
        } catch {
          throw .usage("--\(entry.long) takes \(error.phrase), not \"\(option.argument)\"")
        }
      }
    }
    if scan.operands.count < form.operandCount.lowerBound { throw .usage("\(form.operandNoun) is missing") }
    if scan.operands.count > form.operandCount.upperBound {
      let extra = scan.operands[form.operandCount.upperBound]
      throw .usage(
        form.operandCount.upperBound == 0
          ? "takes no files, but was given \"\(extra)\""
          : "takes one \(form.operandNoun.dropFirst(2).lowercased()), but was also given \"\(extra)\"")
    }
    command.operands = scan.operands
    return .run(command)
  }
}

/// The names of a command's options, in the shape `getopt_long` wants them.
private struct OptionTable {
  /// An option as it was found; a nil index is `--help`.
  struct Found {
    var index: Int?
    var argument: FileName
  }

  let options: [(long: String, short: Character?, takesArgument: Bool)]

  /// `getopt_long` names a long option by a number above every letter.
  private static let firstNumber: Int32 = 256

  private var helpNumber: Int32 { Self.firstNumber + Int32(options.count) }

  func scan(_ words: [FileName]) throws(CommandError) -> (options: [Found], operands: [FileName]) {
    // getopt_long moves the words about, and wants a program's name before them and a nil after.
    var pointers: [UnsafeMutablePointer<CChar>?] = (["thrum"] + words).map { $0.withPath { strdup($0) } }
    let owned = pointers
    pointers.append(nil)
    defer { for pointer in owned { free(pointer) } }
    var names = options.map { strdup($0.long) }
    names.append(strdup("help"))
    defer { for name in names { free(name) } }
    var entries = options.indices.map { index in
      option(
        name: names[index], has_arg: options[index].takesArgument ? required_argument : no_argument,
        flag: nil,
        val: Self.firstNumber + Int32(index))
    }
    entries.append(option(name: names[options.count], has_arg: no_argument, flag: nil, val: helpNumber))
    entries.append(option())
    // A colon first: a missing argument is told apart from an unknown option.
    let letters = options.reduce(into: ":h") { letters, entry in
      if let short = entry.short { letters += "\(short)\(entry.takesArgument ? ":" : "")" }
    }
    var found: [Found] = []
    thrum_option_start()
    while true {
      let step = thrum_option_next(Int32(words.count + 1), pointers, letters, entries)
      if step.value == -1 {
        let operands = pointers[Int(step.next)..<(words.count + 1)].compactMap {
          $0.map { FileName(bytes: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
        return (found, operands)
      }
      if step.value == Int32(UInt8(ascii: "?")) {
        throw .usage(mistake(step, word: pointers[Int(step.next) - 1].map { String(cString: $0) } ?? ""))
      }
      if step.value == Int32(UInt8(ascii: ":")) {
        throw .usage("\(name(of: step.mistaken)) needs a value")
      }
      let argument =
        step.argument.map { FileName(bytes: UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? ""
      found.append(Found(index: index(of: step.value), argument: argument))
    }
  }

  /// The option a number or letter stands for, nil for `--help`.
  private func index(of value: Int32) -> Int? {
    if value >= Self.firstNumber { return value == helpNumber ? nil : Int(value - Self.firstNumber) }
    return options.firstIndex { $0.short?.asciiValue.map(Int32.init) == value }
  }

  private func name(of value: Int32) -> String {
    if value == helpNumber { return "--help" }
    if value >= Self.firstNumber { return "--\(options[Int(value - Self.firstNumber)].long)" }
    return "-\(Character(UnicodeScalar(UInt8(value))))"
  }

  /// What is wrong with a word that `getopt_long` refused.
  private func mistake(_ step: thrum_option_step, word: String) -> String {
    if step.mistaken >= Self.firstNumber { return "\(name(of: step.mistaken)) takes no value" }
    // A letter stands alone or in a row of letters; a byte beyond ASCII is told as the word it stands in.
    if step.mistaken > 0, step.mistaken < 128 { return "unknown option \(name(of: step.mistaken))" }
    let given = word.hasPrefix("--") ? word.dropFirst(2).prefix { $0 != "=" } : word[...].dropFirst()
    let names = options.map(\.long) + ["help"]
    let candidates = names.filter { $0.hasPrefix(given) }
    if candidates.count > 1 {
      return
        "--\(printable(String(given))) could be \(candidates.map { "--\($0)" }.joined(separator: " or "))"
    }
    let shown = printable(word.hasPrefix("--") ? "--\(given)" : word)
    guard let nearest = NearestName.find(String(given), in: names) else { return "unknown option \(shown)" }
    return "unknown option \(shown); did you mean --\(nearest)?"
  }
}
