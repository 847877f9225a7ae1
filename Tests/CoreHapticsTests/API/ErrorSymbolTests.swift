import CoreHaptics
import Testing

@Suite struct ErrorSymbolTests {
  @Test(arguments: [
    (CHHapticError.Code.engineNotRunning, CHHapticError.engineNotRunning, -4805),
    (.operationNotPermitted, CHHapticError.operationNotPermitted, -4806),
    (.engineStartTimeout, CHHapticError.engineStartTimeout, -4808),
    (.notSupported, CHHapticError.notSupported, -4809),
    (.serverInitFailed, CHHapticError.serverInitFailed, -4810),
    (.serverInterrupted, CHHapticError.serverInterrupted, -4811),
    (.invalidPatternPlayer, CHHapticError.invalidPatternPlayer, -4812),
    (.invalidPatternData, CHHapticError.invalidPatternData, -4813),
    (.invalidPatternDictionary, CHHapticError.invalidPatternDictionary, -4814),
    (.invalidAudioSession, CHHapticError.invalidAudioSession, -4815),
    (.invalidEngineParameter, CHHapticError.invalidEngineParameter, -4816),
    (.invalidParameterType, CHHapticError.invalidParameterType, -4820),
    (.invalidEventType, CHHapticError.invalidEventType, -4821),
    (.invalidEventTime, CHHapticError.invalidEventTime, -4822),
    (.invalidEventDuration, CHHapticError.invalidEventDuration, -4823),
    (.invalidAudioResource, CHHapticError.invalidAudioResource, -4824),
    (.resourceNotAvailable, CHHapticError.resourceNotAvailable, -4825),
    (.badEventEntry, CHHapticError.badEventEntry, -4830),
    (.badParameterEntry, CHHapticError.badParameterEntry, -4831),
    (.invalidTime, CHHapticError.invalidTime, -4840),
    (.fileNotFound, CHHapticError.fileNotFound, -4851),
    (.insufficientPower, CHHapticError.insufficientPower, -4897),
    (.unknownError, CHHapticError.unknownError, -4898),
    (.memoryError, CHHapticError.memoryError, -4899),
  ])
  func codesAreAsPublished(code: CHHapticError.Code, constant: CHHapticError.Code, number: Int) {
    #expect(code == constant && code.rawValue == number && CHHapticError.Code(rawValue: number) == code)
    let error = CHHapticError(code)
    #expect(error.code == code && error.errorCode == number && error.localizedDescription.count > 10)
    #expect((error as any Error).localizedDescription == error.localizedDescription)
  }

  @Test func anErrorBridges() {
    let error = CHHapticError(.engineNotRunning, userInfo: ["Error": "self.running"])
    let bridged = error as NSError
    #expect(bridged.domain == CoreHapticsErrorDomain && bridged.code == -4805)
    #expect(bridged.userInfo["Error"] as? String == "self.running")
    #expect(bridged.localizedDescription == error.localizedDescription)
    #expect(CHHapticError.errorDomain == "com.apple.CoreHaptics")
    #expect(error == CHHapticError(.engineNotRunning, userInfo: ["Error": "self.running"]))
    #expect(error != CHHapticError(.engineNotRunning))
    #expect(Set([error, error]).count == 1)
  }

  @Test func aCodeCatchesItsErrors() {
    func caught(_ error: any Error) -> String {
      do {
        throw error
      } catch CHHapticError.engineNotRunning {
        return "constant"
      } catch let error as CHHapticError where error.code == .invalidTime {
        return "code"
      } catch {
        return "other"
      }
    }
    #expect(caught(CHHapticError(.engineNotRunning)) == "constant")
    #expect(caught(NSError(domain: CoreHapticsErrorDomain, code: -4805)) == "constant")
    #expect(caught(CHHapticError(.invalidTime)) == "code")
    #expect(caught(CHHapticError(.memoryError)) == "other")
    #expect(caught(NSError(domain: "other", code: -4805)) == "other")
  }
}
