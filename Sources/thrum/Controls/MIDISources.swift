import Glibc
import ThrumEngine
import ThrumMIDI
import ThrumPattern

/// The ports of the sequencer as a source.
final class SequencerSource: ControlSource {
  let name = "MIDI"
  private let input: MIDIInput?
  private var notices: [String]
  private var mapping: MIDIMapping

  /// Opens the sequencer. One that is not there is a notice, and a source of nothing else.
  convenience init(_ choice: MIDIChoice, mapping: MIDIMapping, showsDiagnostics: Bool) {
    do throws(Sequencer.Absence) {
      let calls = try Sequencer(name: "thrum", showsDiagnostics: showsDiagnostics)
      self.init(MIDIInput(calls, choice: choice), mapping: mapping)
    } catch {
      self.init(nil, mapping: mapping, notices: [Self.words(error)])
    }
  }

  /// Takes what an input gives.
  init(_ input: MIDIInput?, mapping: MIDIMapping, notices: [String] = []) {
    self.input = input
    self.mapping = mapping
    self.notices = notices
  }

  private static func words(_ absence: Sequencer.Absence) -> String {
    let hint =
      switch absence.code {
      case ENOENT, ENODEV, ENXIO: "this kernel has none, or needs modprobe snd-seq; a cable goes by its path"
      case EACCES: "its device /dev/snd/seq is for the group audio"
      default: errorText(absence.code)
      }
    return "\(absence.words) (\(hint))"
  }

  var descriptors: [pollfd] { input?.descriptors ?? [] }

  var due: Int64? { !notices.isEmpty || input?.hasMore == true ? 0 : nil }

  var isLearning: Bool { mapping.learning != nil }

  func learn(_ target: ControlTarget?) { mapping.learning = target }

  func read() -> [ControlEvent] {
    var list = ControlList()
    for notice in notices { list.append(.notice(notice)) }
    notices = []
    input?.read { take($0, into: &list) }
    return list.events
  }

  private func take(_ arrival: MIDIArrival, into list: inout ControlList) {
    switch arrival {
    case .message(let message, let name): mapping.take(message, from: name, into: &list)
    case .connected(let name): list.append(.notice("\(name) is connected"))
    case .gone(let name):
      mapping.release(name, into: &list)
      list.append(.notice("\(name) has gone; it is connected when it comes again"))
    case .lost:
      // The end of what is held may be among them.
      mapping.releaseAll(into: &list)
      list.append(.notice("MIDI came faster than it was taken, and some was lost"))
    case .refused(let name, let code):
      list.append(.notice("\(name) cannot be listened to: \(errorText(code))"))
    case .failed(let code):
      mapping.releaseAll(into: &list)
      list.append(.notice("the MIDI sequencer has gone: \(errorText(code))"))
    }
  }
}

/// A cable's bytes as a source: a raw device such as `/dev/snd/midiC1D0`, a pipe or a file.
final class MIDICableSource: ControlSource {
  let name: String
  private let file: ControlFile
  private let parser: MIDIParser?
  private var mapping: MIDIMapping

  init(_ path: FileName, mapping: MIDIMapping) {
    name = path.description
    file = ControlFile { path }
    parser = MIDIParser()
    self.mapping = mapping
  }

  var descriptors: [pollfd] { file.descriptors }

  var due: Int64? { file.due }

  var isLearning: Bool { mapping.learning != nil }

  func learn(_ target: ControlTarget?) { mapping.learning = target }

  func read() -> [ControlEvent] {
    var list = ControlList()
    file.read { happening in
      switch happening {
      case .opened:
        parser?.reset()
        list.append(.notice("\(name) is connected"))
      case .bytes(let bytes): parser?.read(bytes) { mapping.take($0, from: name, into: &list) }
      case .gone(let isTold):
        mapping.releaseAll(into: &list)
        if isTold { list.append(.notice("\(name) has gone; it is connected when it comes again")) }
      case .absent(let words): list.append(.notice(words))
      }
    }
    return list.events
  }
}
