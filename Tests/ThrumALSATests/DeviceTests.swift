import Testing
import ThrumEngine

@testable import ThrumALSA

@Suite struct DeviceTests {
  @Test func aMachineWithoutNodesHasNoCardAndSaysWhy() {
    let reason = DeviceList.emptyReason(nodes: [], isOpenable: { _ in true })
    #expect(reason.contains("no sound card"))
    #expect(!reason.contains("audio group"))
    // The sequencer and the timer are there without any card.
    #expect(DeviceList.emptyReason(nodes: ["seq", "timer"], isOpenable: { _ in true }) == reason)
  }

  @Test func nodesThatMayNotBeOpenedNameTheAudioGroup() {
    let reason = DeviceList.emptyReason(nodes: ["controlC0", "pcmC0D0p", "seq"], isOpenable: { _ in false })
    #expect(reason.contains("audio group"))
    #expect(reason.contains("permission"))
    #expect(!reason.contains("no sound card"))
    #expect(reason.split(separator: "\n").count <= 2)
  }

  @Test func theListIsReadOnAnyMachine() throws {
    let list = try DeviceList.read()
    // Whichever machine this is: cards, or a reason.
    #expect(list.cards.isEmpty == (list.emptyReason != nil))
    for card in list.cards {
      for device in card.devices {
        #expect(device.name.hasPrefix("hw:CARD=\(card.id),DEV=") || device.name.hasPrefix("port:"))
      }
    }
    for entry in list.others { #expect((entry.capabilities == nil) == (entry.problem != nil)) }
  }

  private func choose(_ option: String?, _ environment: String?, _ configured: String?, _ problem: String?)
    -> DeviceChoice
  {
    DeviceChoice.choose(
      option: option, environment: environment, configuration: configured,
      problemOf: { name in
        #expect(name == "default")
        return problem
      })
  }

  @Test func theNearestNameWins() {
    #expect(choose("a", "b", "c", nil) == DeviceChoice(target: .alsa("a"), reason: .option))
    #expect(choose(nil, "b", "c", nil) == DeviceChoice(target: .alsa("b"), reason: .environment))
    #expect(choose("", "", "c", nil) == DeviceChoice(target: .alsa("c"), reason: .configuration))
    #expect(choose(nil, nil, nil, nil) == DeviceChoice(target: .alsa("default"), reason: .systemDefault))
  }

  @Test func withoutADefaultItIsTheVirtualActuator() {
    let choice = choose(nil, nil, nil, "No such file or directory")
    #expect(choice == DeviceChoice(target: .virtual, reason: .noDevice("No such file or directory")))
    #expect(choice.words.contains("virtual actuator"))
    #expect(choice.words.contains("No such file or directory"))
    #expect(!choice.words.contains("\n"))
  }

  @Test func aDeviceThatWasNamedIsNeverReplaced() {
    #expect(choose("hw:7", nil, nil, "anything").target == .alsa("hw:7"))
    #expect(choose("virtual", nil, nil, nil).target == .virtual)
    #expect(choose(nil, "virtual", nil, nil).reason == .environment)
  }
}
