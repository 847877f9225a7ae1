import Testing
import ThrumOSC

@Suite struct OSCAddressPatternTests {
  @Test(arguments: [
    ("/thrum/stop", "/thrum/stop"), ("/thrum/*", "/thrum/stop"), ("/*/stop", "/thrum/stop"),
    ("/thrum/st?p", "/thrum/stop"), ("/thrum/s*p", "/thrum/sp"), ("/thrum/**p", "/thrum/stop"),
    ("/thrum/{stop,play}", "/thrum/play"), ("/thrum/{,s}top", "/thrum/top"),
    ("/[s-u]hrum/stop", "/thrum/stop"),
    ("/[!a-s]hrum/stop", "/thrum/stop"), ("/[-t]hrum", "/thrum"), ("/[t-]hrum", "/-hrum"),
    ("/[u-s]hrum", "/thrum"),
    ("/param/{int,sharp}*", "/param/intensity"),
  ])
  func aPatternMeans(pattern: String, address: String) {
    #expect(OSCAddressPattern.matches(pattern, address))
  }

  @Test(arguments: [
    ("/thrum/*", "/thrum/param/intensity"), ("/thrum/stop", "/thrum/stop2"), ("/thrum?stop", "/thrum/stop"),
    ("/thrum/[!s]top", "/thrum/stop"), ("/thrum[/]stop", "/thrum/stop"), ("/thrum/{stop", "/thrum/stop"),
    ("/thrum/[s", "/thrum/s"), ("/thrum{/a,/b}", "/thrum/a"), ("", "/thrum"), ("/thrum", ""),
  ])
  func aPatternDoesNotMean(pattern: String, address: String) {
    #expect(!OSCAddressPattern.matches(pattern, address))
  }

  /// A pattern that would take a matcher by trial and error longer than the age of the world.
  @Test(.timeLimit(.minutes(1))) func aPatternOfManyStarsIsQuick() {
    let pattern = "/" + String(repeating: "*a", count: 400) + "b"
    #expect(!OSCAddressPattern.matches(pattern, "/" + String(repeating: "a", count: 60)))
  }
}
