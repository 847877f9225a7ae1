import Testing

@testable import ThrumALSA

/// What a mixer's switches and volumes come to in words.
@Suite struct MixerTests {
  private func warning(_ controls: MixerControl..., card: String = "hw:CARD=Pad") -> String? {
    Mixer(name: card, controls: controls).warning
  }

  @Test func anOpenMixerIsNotTalkedAbout() {
    #expect(warning() == nil)
    #expect(warning(MixerControl(name: "Master", volume: 0.5, isOn: true)) == nil)
    #expect(warning(MixerControl(name: "PCM", volume: 1)) == nil)
    #expect(warning(MixerControl(name: "Anything", isOn: true)) == nil)
  }

  @Test func aMutedOrLowPassageIsNamedWithTheCommandThatMendsIt() {
    #expect(
      warning(MixerControl(name: "Master", volume: 1, isOn: false))
        == "the playback volume \"Master\" is muted; mend it by: "
        + "amixer -D 'hw:CARD=Pad' sset 'Master' 80% unmute")
    #expect(
      warning(
        MixerControl(name: "Master", volume: 1, isOn: true),
        MixerControl(name: "PCM", index: 1, volume: 0.499))
        == "the playback volume \"PCM\" is at 49 %; mend it by: amixer -D 'hw:CARD=Pad' sset 'PCM',1 80%")
    #expect(warning(MixerControl(name: "Master", isOn: false))?.hasSuffix("sset 'Master' unmute") == true)
  }

  @Test func aWayOutThatIsClosedMattersOnlyWhereAllAre() {
    let speaker = MixerControl(name: "Speaker", volume: 0, isOn: false)
    #expect(warning(speaker, MixerControl(name: "Headphone", volume: 0.8, isOn: true)) == nil)
    #expect(
      warning(speaker, MixerControl(name: "Headphone", volume: 0.1, isOn: true))?.contains("Speaker") == true)
  }

  @Test func whatIsNotPlayedThroughMattersNot() {
    let open = MixerControl(name: "Master", volume: 1, isOn: true)
    for name in ["Mic", "Beep", "Line", "IEC958", "Loopback Mixing"] {
      #expect(warning(open, MixerControl(name: name, volume: 0, isOn: false)) == nil)
    }
    // The only control of a card is what it plays through.
    #expect(warning(MixerControl(name: "Actuator", volume: 0.2))?.contains("Actuator") == true)
  }

  @Test func quotesInNamesStayNames() {
    #expect(
      warning(MixerControl(name: "PCM", isOn: false), card: "it's")?.contains("amixer -D 'it'\\''s' ") == true
    )
  }

  @Test func aDeviceWithoutAMixerHasNoControls() {
    #expect(Mixer.read(name: "no such mixer").controls.isEmpty)
    #expect(Mixer.read(device: "no such device") == nil)
  }
}
