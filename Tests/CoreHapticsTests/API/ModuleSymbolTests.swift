import CoreHaptics
import Testing

@Suite struct ModuleSymbolTests {
  @Test func constantsAreSpelledAndTypedAsPublished() {
    let immediate: TimeInterval = CHHapticTimeImmediate
    #expect(immediate == 0)
    let domain: String = CoreHapticsErrorDomain
    #expect(domain == "com.apple.CoreHaptics")
    let number: CHHapticAudioResourceID = 1 as Int
    let key: CHHapticAudioResourceKey = NSString(string: "key")
    let envelope: String = CHHapticAudioResourceKeyUseVolumeEnvelope
    let loop: String = CHHapticAudioResourceKeyLoopEnabled
    #expect(number == 1 && key.length == 3 && envelope != loop)
    let completion: CHHapticAdvancedPatternPlayerCompletionHandler = { (error: (any Error)?) -> Void in
      #expect(error == nil)
    }
    completion(nil)
  }

  @Test func foundationAndObservationComeWithIt() {
    let bundle: Bundle = .main
    let tracked: any Observable.Type = Model.self
    #expect(!bundle.bundlePath.isEmpty && tracked == Model.self)
  }

  @Observable final class Model { var isOn = false }
}
