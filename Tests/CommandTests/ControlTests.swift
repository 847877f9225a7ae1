import Foundation
import Testing
import ThrumMIDI
import ThrumPattern

@testable import thrum

/// What MIDI and game pads mean, without a device to play on.
@Suite("Controllers")
struct ControlTests {
  private let folder: TemporaryFolder
  private let memory: ControlMemory

  init() throws {
    folder = try TemporaryFolder()
    memory = ControlMemory(file: StateFile(path: FileName(folder.path("controls"))))
  }

  private func events(
    _ messages: [MIDIMessage], _ mapping: inout MIDIMapping, from name: String = "Keys"
  ) -> [ControlEvent] {
    var list = ControlList()
    for message in messages { mapping.take(message, from: name, into: &list) }
    return list.events
  }

  private func mapping(_ holding: MIDIMapping.Holding = .none, isFlat: Bool = false) -> MIDIMapping {
    MIDIMapping(holding: holding, isFlat: isFlat, memory: memory)
  }

  @Test(
    "A note taps as strong as its velocity and as sharp as it is high; drums and flat notes say no sharpness")
  func taps() {
    var mapping = mapping()
    let notes: [MIDIMessage] = [36, 66, 96, 20, 110].map { .noteOn(channel: 0, note: $0, velocity: 127) }
    #expect(
      events(notes, &mapping)
        == [0, 0.5, 1, 0, 1].map { ControlEvent.tap(intensity: 1, sharpness: $0) })
    #expect(
      events([.noteOn(channel: 9, note: 60, velocity: 1)], &mapping)
        == [.tap(intensity: 1.0 / 127, sharpness: nil)])
    #expect(events([.noteOff(channel: 0, note: 36)], &mapping).isEmpty)
    var flat = self.mapping(isFlat: true)
    #expect(events([notes[0]], &flat) == [.tap(intensity: 1, sharpness: nil)])
  }

  @Test("Notes of a held channel last as long as their key, and end when their device goes")
  func holds() {
    var mapping = mapping(.channel(1), isFlat: true)
    let on = MIDIMessage.noteOn(channel: 1, note: 60, velocity: 127)
    #expect(
      events([on, .noteOn(channel: 0, note: 60, velocity: 127)], &mapping)
        == [.hold(id: 188, intensity: 1, sharpness: nil), .tap(intensity: 1, sharpness: nil)])
    #expect(
      events([.noteOff(channel: 1, note: 61), .noteOff(channel: 1, note: 60)], &mapping)
        == [.release(id: 188)])
    #expect(events([.noteOff(channel: 1, note: 60)], &mapping).isEmpty, "it is up already")
    _ = events([on], &mapping)
    #expect(events([.allNotesOff(channel: 0)], &mapping).isEmpty)
    #expect(events([.allNotesOff(channel: 1)], &mapping) == [.release(id: 188)])
    _ = events([on], &mapping)
    var list = ControlList()
    mapping.release("Pads", into: &list)
    #expect(list.events.isEmpty)
    mapping.release("Keys", into: &list)
    #expect(list.events == [.release(id: 188)])
  }

  @Test("The wheel is the intensity, controller 74 the sharpness, whose middle is 0")
  func values() {
    var mapping = mapping()
    func control(_ number: Int, _ value: Int) -> [ControlEvent] {
      events([.control(channel: 4, number: number, value: value)], &mapping)
    }
    #expect(control(1, 0) == [.intensity(0)])
    #expect(control(1, 127) == [.intensity(1)])
    #expect(control(74, 0) == [.sharpness(-1)])
    #expect(control(74, 64) == [.sharpness(0)])
    #expect(control(74, 127) == [.sharpness(1)])
    #expect(control(7, 100).isEmpty)
  }

  @Test("Of values that nothing came between the last of each counts")
  func lastValues() {
    var mapping = mapping()
    let flood = (0..<1000).flatMap { index in
      [
        MIDIMessage.control(channel: 0, number: 1, value: index % 128),
        .control(channel: 0, number: 74, value: 64),
      ]
    }
    let tap = MIDIMessage.noteOn(channel: 9, note: 60, velocity: 127)
    #expect(
      events(flood + [tap, .control(channel: 0, number: 1, value: 127)], &mapping)
        == [
          .intensity(Double(999 % 128) / 127), .sharpness(0), .tap(intensity: 1, sharpness: nil),
          .intensity(1),
        ])
  }

  @Test("The next controller that is moved is learned, for its device alone, and known at the next start")
  func learning() {
    var mapping = mapping()
    mapping.learning = .sharpness
    #expect(
      events(
        [.noteOn(channel: 9, note: 60, velocity: 127), .control(channel: 0, number: 21, value: 64)], &mapping)
        == [
          .tap(intensity: 1, sharpness: nil), .notice("controller 21 of Keys is the sharpness from now on"),
          .sharpness(0),
        ])
    #expect(mapping.learning == nil)
    #expect(events([.control(channel: 0, number: 74, value: 0)], &mapping).isEmpty, "it was the usual one")
    #expect(
      events([.control(channel: 0, number: 74, value: 0)], &mapping, from: "Pads") == [.sharpness(-1)])
    let again = ControlMemory(file: StateFile(path: FileName(folder.path("controls"))))
    var next = MIDIMapping(holding: .none, isFlat: false, memory: again)
    #expect(events([.control(channel: 0, number: 21, value: 127)], &next) == [.sharpness(1)])
    // The usual control of one target, learned for the other, is the other's alone.
    next.learning = .sharpness
    _ = events([.control(channel: 0, number: 1, value: 0)], &next)
    #expect(events([.control(channel: 0, number: 1, value: 127)], &next) == [.sharpness(1)])
    #expect(events([.control(channel: 0, number: 21, value: 127)], &next).isEmpty)
  }

  @Test("A file of learned controls may hold anything; where it cannot be written, that is told")
  func memoryFile() throws {
    let path = try folder.write(
      "midi intensity 300 A\nmidi intensity\n\u{0}\npad sharpness -3 Some Pad\nmidi intensity 5 A\n",
      to: "any")
    let memory = ControlMemory(file: StateFile(path: FileName(path)))
    let usual = ControlMemory.Binding(number: 0)
    #expect(
      memory.binding(.pad, "Some Pad", .sharpness, usual: usual)
        == ControlMemory.Binding(number: 3, isReversed: true))
    #expect(memory.binding(.midi, "A", .intensity, usual: usual)?.number == 5)
    #expect(memory.remember(.midi, "B\n", .intensity, usual) == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("midi intensity 0 B\\n\n"))
    let nowhere = ControlMemory(file: StateFile(path: "/proc/nowhere/controls"))
    #expect(nowhere.remember(.midi, "A", .intensity, usual) != nil)
    #expect(nowhere.binding(.midi, "A", .intensity, usual: ControlMemory.Binding(number: 9)) == usual)
  }

  @Test("A game pad's axes are the values, its even buttons tap and its odd ones hold")
  func gamePad() throws {
    let pipe = try ControllerPipe(in: folder)
    let pad = GamePadSource(.path(FileName(pipe.path)), memory: memory)
    #expect(pad.descriptors.isEmpty && pad.due == 0)
    #expect(pad.read() == [.notice("\(pipe.path) is connected")])
    #expect(pad.descriptors.count == 1 && pad.due == nil)
    // Where things are when it is opened is no move.
    pipe.pad(kind: 0x82, number: 1, value: 32767)
    pipe.pad(kind: 0x81, number: 0, value: 1)
    #expect(pad.read().isEmpty)
    pipe.pad(kind: 2, number: 1, value: -32767)
    pipe.pad(kind: 2, number: 0, value: Int16.min)
    pipe.pad(kind: 2, number: 5, value: 100)
    #expect(pad.read() == [.intensity(1), .sharpness(-1)])
    for value: Int16 in [1, 0] {
      for number: UInt8 in [0, 1] { pipe.pad(kind: 1, number: number, value: value) }
    }
    #expect(
      pad.read()
        == [.tap(intensity: 1, sharpness: nil), .hold(id: 1, intensity: 1, sharpness: nil), .release(id: 1)])
    // Half of an event, and then the other.
    pipe.write([0, 0, 0, 0, 0])
    #expect(pad.read().isEmpty)
    pipe.write([0, 2, 0])
    #expect(pad.read() == [.sharpness(0)])
  }

  @Test("An axis is learned when it is moved by half of its way, upwards the way it was moved")
  func padLearning() throws {
    let pipe = try ControllerPipe(in: folder)
    let pad = GamePadSource(.path(FileName(pipe.path)), memory: memory)
    _ = pad.read()
    // A trigger rests at its lower end.
    pipe.pad(kind: 0x82, number: 5, value: -32767)
    _ = pad.read()
    pad.learn(.intensity)
    pipe.pad(kind: 2, number: 1, value: -900)
    pipe.pad(kind: 2, number: 5, value: -30000)
    #expect(pad.read().allSatisfy { if case .notice = $0 { false } else { true } })
    #expect(pad.isLearning)
    pipe.pad(kind: 2, number: 5, value: 32767)
    #expect(
      pad.read() == [.notice("axis 5 of \(pipe.path) is the intensity from now on"), .intensity(1)])
    pipe.pad(kind: 2, number: 1, value: -32767)
    #expect(pad.read().isEmpty)
    pad.learn(.sharpness)
    pipe.pad(kind: 2, number: 3, value: -32767)
    #expect(pad.read().last == .sharpness(1))
  }

  @Test("A controller that is not there is told of once, and used when it comes; one that goes lets go")
  func comesAndGoes() throws {
    let path = folder.path("later")
    let pad = GamePadSource(.path(FileName(path)), memory: memory)
    #expect(pad.read() == [.notice("\(path) is not there; it is used when it comes")])
    let due = try #require(pad.due)
    #expect(due > 0)
    #expect(pad.read().isEmpty)
    // A terminal's other end stands for a device that is unplugged: closed, it gives an error.
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, Int32) = (0, 0)
    try #require(
      terminal >= 0 && ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "/dev/pts/\(number)")
    func next() -> [ControlEvent] {
      for _ in 0..<2000 {
        let events = pad.read()
        if !events.isEmpty { return events }
        var entries = pad.descriptors
        poll(&entries, nfds_t(entries.count), 50)
      }
      return []
    }
    #expect(next() == [.notice("\(path) is connected")])
    var settings = termios()
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
    close(slave)
    let press: [UInt8] = [0, 0, 0, 0, 1, 0, 1, 3]
    #expect(write(terminal, press, press.count) == press.count)
    #expect(next() == [.hold(id: 3, intensity: 1, sharpness: nil)])
    close(terminal)
    #expect(
      next() == [
        .release(id: 3), .notice("\(path) has gone; it is connected when it comes again"),
      ])
    #expect(pad.descriptors.isEmpty && pad.due != nil)
  }

  @Test("A cable's bytes come by a pipe; a file is read to its end, once")
  func cable() throws {
    let pipe = try ControllerPipe(in: folder)
    let source = MIDICableSource(FileName(pipe.path), mapping: mapping(.all, isFlat: true))
    pipe.write([0x90, 60])
    #expect(source.read() == [.notice("\(pipe.path) is connected")])
    pipe.write([127, 62, 127])
    #expect(
      source.read()
        == [.hold(id: 60, intensity: 1, sharpness: nil), .hold(id: 62, intensity: 1, sharpness: nil)])
    try Data([0x90, 60, 127]).write(to: folder.url("file"))
    let file = MIDICableSource(FileName(folder.path("file")), mapping: mapping(.all, isFlat: true))
    #expect(file.read().last == .hold(id: 60, intensity: 1, sharpness: nil))
    #expect(file.read() == [.release(id: 60)])
    #expect(file.due == nil && file.descriptors.isEmpty)
    let folderSource = MIDICableSource(FileName(folder.path("")), mapping: mapping())
    #expect(folderSource.read() == [.notice("\(folder.path("")) cannot be read: Is a directory")])
  }

  @Test("Of several sources each has ids of its own, and what one learned no other learns")
  func several() throws {
    let (first, second) = (try ControllerPipe(in: folder, "a"), try ControllerPipe(in: folder, "b"))
    let set = ControlSet([
      MIDICableSource(FileName(first.path), mapping: mapping(.all, isFlat: true)),
      GamePadSource(.path(FileName(second.path)), memory: memory),
    ])
    #expect(set.read().count == 2)
    first.write([0x90, 1, 127])
    second.pad(kind: 1, number: 1, value: 1)
    #expect(
      set.read()
        == [.hold(id: 2, intensity: 1, sharpness: nil), .hold(id: 3, intensity: 1, sharpness: nil)])
    set.learn(.intensity)
    #expect(set.isLearning)
    second.pad(kind: 2, number: 4, value: 32767)
    #expect(set.read().last == .intensity(1))
    #expect(!set.isLearning)
    first.write([0xB0, 20, 127])
    #expect(set.read().isEmpty)
  }
}
