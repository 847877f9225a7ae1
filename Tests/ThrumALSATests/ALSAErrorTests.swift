import Foundation
import Testing
import ThrumEngine

@testable import ThrumALSA

@Suite struct ALSAErrorTests {
  @Test(arguments: [
    (ENOENT, "No such file or directory", "thrum devices"), (EBUSY, "Device or resource busy", "dmix"),
    (EACCES, "Permission denied", "audio group"), (EPERM, "Operation not permitted", "audio group"),
    (ENODEV, "No such device", "thrum devices"), (EHOSTDOWN, "Host is down", "sound server"),
    (ETIMEDOUT, "Connection timed out", "sound server"), (ENOMEM, "Cannot allocate memory", "thrum devices"),
  ])
  func aMessageNamesTheDeviceTheErrorAndTheNextStep(code: Int32, text: String, step: String) {
    let message = ALSAError.message(OutputFault(-code, .open), device: "hw:CARD=Buzzer,DEV=0").message
    #expect(message.contains("\"hw:CARD=Buzzer,DEV=0\""))
    #expect(message.contains(text))
    #expect(message.contains(step))
    #expect(message.split(separator: "\n", omittingEmptySubsequences: false).count <= 3)
  }

  @Test func everyErrorNumberFitsThreeLinesOfAScreen() {
    for code in Int32(1)...133 {
      for act in [OutputAct.open, .configure, .start, .play] {
        let holders = ["pipewire (1)", "thrum (22)", "aplay (333)", "jackd (4444)"]
        let message = ALSAError.message(OutputFault(-code, act), device: "default", holders: holders).message
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
          lines.count <= 3 && lines.allSatisfy { $0.count <= 120 && !$0.isEmpty }, "error \(code): \(message)"
        )
      }
    }
  }

  @Test func aNameOfManyLinesKeepsToItsOwn() {
    let name = "{\n type hw\n card 7\n" + String(repeating: "x", count: 300) + "\n}"
    let message = ALSAError.message(OutputFault(-ENOENT, .open), device: name).message
    #expect(message.split(separator: "\n").count <= 3)
  }

  @Test(arguments: ["thrum_broken", "no_such_pcm", "hw:7,0", "plughw:CARD=Nowhere"])
  func aDeviceThatIsNotThereIsAThrownError(name: String) {
    do {
      let output = try ALSAOutput.open(name: name)
      output.close()
      Issue.record("opened \(name)")
    } catch {
      #expect(error.message.contains("\"\(name)\""))
      #expect(error.message.contains("No such"))
      #expect(error.message.contains("thrum devices"))
    }
  }

  @Test func whoHoldsACardIsFoundInProc() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(
      "thrum-proc-\(UUID().uuidString)")
    defer { removed(root) }
    func write(_ text: String, _ path: String) throws {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    try write("PCH\n", "proc/asound/card0/id")
    try write("state: RUNNING\nowner_pid   : 41\n", "proc/asound/card0/pcm0p/sub0/status")
    try write("Buzzer\n", "proc/asound/card1/id")
    try write("state: RUNNING\nowner_pid   : 1234\n", "proc/asound/card1/pcm0p/sub0/status")
    try write("closed\n", "proc/asound/card1/pcm1p/sub0/status")
    try write("state: RUNNING\nowner_pid   : 77\n", "proc/asound/card1/pcm0c/sub0/status")
    try write("pipewire\n", "proc/1234/comm")
    try write("aplay\n", "proc/41/comm")
    #expect(CardHolders.read(device: "hw:CARD=Buzzer,DEV=0", root: root.path) == ["pipewire (1234)"])
    #expect(CardHolders.read(device: "hw:1,0", root: root.path) == ["pipewire (1234)"])
    #expect(CardHolders.read(device: "plughw:0", root: root.path) == ["aplay (41)"])
    #expect(CardHolders.read(device: "default", root: root.path) == ["aplay (41)", "pipewire (1234)"])
    #expect(CardHolders.read(device: "hw:CARD=Pad", root: root.path) == [])
    #expect(CardHolders.read(device: "default", root: "/nowhere") == [])
  }

  private func removed(_ folder: URL) {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record(error)
    }
  }
}
