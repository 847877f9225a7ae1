import Foundation
import TestSupport
import Testing

/// What `thrum serve` and `thrum feedback` make of the desktop, of settings that change, and of files that are saved.
@Suite("serve and the desktop", .serialized)
struct ServeDesktopTests {
  private static let notFound: UInt32 = 0xFFFF_FFFF
  private static let (natural, explicit): (UInt32, UInt32) = (0, 2)
  private static let readers = "org.gnome.desktop.a11y.applications"

  /// Why an event ends, when what came before is forgotten: the same again within a tenth of a second is left out, and
  /// so is what matters less than what has just played.
  private func reason(_ session: ServeSession, _ event: String) throws -> UInt32? {
    defer { usleep(120_000) }
    return try session.client.reason(of: session.client.trigger(event).id)
  }

  /// Waits until an event ends for a reason: the portal's word comes on another way than the request.
  private func wait(_ session: ServeSession, _ event: String, for wanted: UInt32) throws -> Bool {
    let limit = Date(timeIntervalSinceNow: ThrumProcess.patienceSeconds)
    while Date() < limit {
      if try reason(session, event) == wanted { return true }
    }
    return false
  }

  @Test("A screen reader that starts keeps steps away from the next event on, until it ends")
  func live() throws {
    guard let bus = try SessionBus.start() else { return }
    let desktop = try StandInDesktop(on: bus.address, settings: StandInDesktop.usualSettings)
    defer { desktop.leave() }
    guard let session = try ServeSession(on: bus) else { return }
    #expect(try wait(session, "selection", for: Self.natural))
    desktop.set(Self.readers, "screen-reader-enabled", .truth(true))
    #expect(try wait(session, "selection", for: Self.notFound))
    #expect(try reason(session, "success") == Self.natural)
    desktop.set(Self.readers, "screen-reader-enabled", .truth(false))
    #expect(try wait(session, "selection", for: Self.natural))
  }

  @Test("The environment counts for more than the desktop, and follow-desktop = no has it not asked")
  func precedence() throws {
    guard let bus = try SessionBus.start() else { return }
    var settings = StandInDesktop.usualSettings
    settings[Self.readers] = ["screen-reader-enabled": .truth(true)]
    settings["org.gnome.desktop.interface"] = ["enable-animations": .truth(false)]
    let desktop = try StandInDesktop(on: bus.address, settings: settings, savesPower: .truth(true))
    defer { desktop.leave() }
    func told(_ more: [String: String] = [:]) throws -> [String] {
      let outcome = try ThrumProcess.run(
        ["feedback", "--settings"], environment: bus.environment.merging(more) { $1 })
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
      return outcome.output.split(separator: "\n").map {
        $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
      }
    }
    // The portal may be slower than a command waits on a machine that is busy.
    let limit = Date(timeIntervalSinceNow: ThrumProcess.patienceSeconds)
    var lines = try told()
    while lines.last != "desktop: followed", Date() < limit { lines = try told() }
    for line in [
      "screen-reader yes the desktop", "reduce-motion yes the desktop", "low-power yes the desktop",
      "silent no the desktop", "haptics yes nobody",
    ] { #expect(lines.contains(line), "\(lines)") }
    #expect(try told(["THRUM_SCREEN_READER": "0"]).contains("screen-reader no THRUM_SCREEN_READER"))
    let without = try told(["THRUM_FOLLOW_DESKTOP": "no"])
    #expect(without.contains("screen-reader no nobody") && without.last == "desktop: not followed")
    let played = try ThrumProcess.run(
      ["feedback", "selection", "-d", "virtual"],
      environment: bus.environment.merging(["THRUM_FOLLOW_DESKTOP": "no"]) { $1 })
    #expect(played.status == 0 && played.errors == "")
  }

  @Test("A portal that hangs keeps no feedback waiting, and no bus is no matter")
  func hanging() throws {
    guard let bus = try SessionBus.start() else { return }
    let desktop = try StandInDesktop(
      on: bus.address, settings: StandInDesktop.usualSettings, savesPower: .truth(true), manner: .hangs)
    defer { desktop.leave() }
    let hung = try ThrumProcess.run(["feedback", "--settings", "--json"], environment: bus.environment)
    #expect(hung.status == 0 && hung.output.contains("\"desktop\":\"no answer yet\""), "\(hung.output)")
    let played = try ThrumProcess.run(
      ["feedback", "selection", "-d", "virtual"], environment: bus.environment)
    #expect(played.status == 0 && played.errors == "", "\(played.errors)")
    let alone = try ThrumProcess.run(
      ["feedback", "--settings"], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
    #expect(alone.status == 0 && alone.output.hasSuffix("desktop: no session bus\n"))
    guard let session = try ServeSession(on: bus) else { return }
    #expect(try reason(session, "success") == Self.natural)
  }

  @Test("--settings tells where each is from, and refuses what does not go with it")
  func settings() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("thrum"), withIntermediateDirectories: true)
    let path = try folder.write(
      "# mine\nfeedback-gain = -6\nhaptics-off-for = a, thrum\nsilent = no\n", to: "thrum/config")
    let environment = ["XDG_CONFIG_HOME": folder.path(""), "THRUM_SILENT": "yes"]
    let outcome = try ThrumProcess.run(["feedback", "--settings"], environment: environment)
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    let place = URL(fileURLWithPath: path).lastPathComponent
    #expect(
      lines.contains { $0.hasPrefix("feedback-gain -6.0 dB ") && $0.hasSuffix("\(place):2") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("haptics-off-for yes ") && $0.hasSuffix("\(place):3") })
    #expect(lines.contains("silent yes THRUM_SILENT"))
    let json = try ThrumProcess.run(["feedback", "--settings", "--json"], environment: environment)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
    #expect((object["settings"] as? [[String: Any]])?.count == lines.count - 1)
    for words in [["success", "--settings"], ["--list", "--settings"]] {
      #expect(try ThrumProcess.run(["feedback"] + words).status == 2)
    }
  }

  @Test("A mistake that is made in the file while it runs is told once, with its place, and passed over")
  func mistakes() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("thrum"), withIntermediateDirectories: true)
    guard let session = try ServeSession(environment: ["XDG_CONFIG_HOME": folder.path("")]) else { return }
    #expect(try reason(session, "success") == Self.natural)
    try folder.write("silent = maybe\n", to: "thrum/config")
    #expect(try reason(session, "error") == Self.natural)
    #expect(try reason(session, "warning") == Self.natural)
    let words = "thrum/config:1: silent takes yes or no, not \"maybe\"\n"
    #expect(
      session.service.errorsSoFar.components(separatedBy: words).count == 2, "\(session.service.errorsSoFar)")
    try folder.write("haptics = no\n", to: "thrum/config")
    #expect(try reason(session, "error") == Self.notFound)
  }

  private func theme(_ event: String, parent: String? = nil) -> String {
    let line = parent.map { "\"parent-name\": \"\($0)\", " } ?? ""
    return "{\(line)\"profiles\": [{\"name\": \"full\", \"feedbacks\": [{\"event-name\": \"\(event)\", "
      + "\"type\": \"VibraRumble\", \"duration\": 20}]}]}"
  }

  @Test("A theme that is saved is read anew, its parent too; one that is refused leaves the old one")
  func savedTheme() throws {
    let folder = try TemporaryFolder()
    /// As editors save: a new file takes the name.
    func save(_ text: String, _ name: String) throws {
      try folder.write(text, to: "draft")
      #expect(rename(folder.path("draft"), folder.path(name)) == 0)
    }
    try save(theme("x-mine", parent: "base"), "mine.json")
    try save(theme("x-base"), "base.json")
    guard let session = try ServeSession(["--theme", folder.path("mine.json")]) else { return }
    let service = session.service
    func waitForReading(_ count: Int) throws {
      try service.wait(
        until: { service.errorsSoFar.components(separatedBy: "the theme was read anew").count > count },
        "the theme")
    }
    #expect(try reason(session, "x-base") == Self.natural)
    try save(theme("x-new", parent: "base"), "mine.json")
    try waitForReading(1)
    #expect(try reason(session, "x-mine") == Self.notFound)
    #expect(try reason(session, "x-new") == Self.natural)
    try save(theme("x-other"), "base.json")
    try waitForReading(2)
    #expect(try reason(session, "x-other") == Self.natural)
    try save("{", "mine.json")
    try service.wait(until: { service.errorsSoFar.contains("the theme stays as it was") }, "the refusal")
    #expect(try reason(session, "x-other") == Self.natural)
    try save(theme("x-again"), "mine.json")
    try waitForReading(3)
    #expect(try reason(session, "x-again") == Self.natural)
  }

  @Test("A theme beside the configuration that is made while it runs is taken")
  func newTheme() throws {
    let folder = try TemporaryFolder()
    guard let session = try ServeSession(environment: ["XDG_CONFIG_HOME": folder.path("")]) else { return }
    #expect(try reason(session, "x-mine") == Self.notFound)
    try FileManager.default.createDirectory(atPath: folder.path("thrum"), withIntermediateDirectories: true)
    try folder.write(theme("x-mine"), to: "thrum/theme.json")
    let service = session.service
    try service.wait(until: { service.errorsSoFar.contains("the theme was read anew") }, "the theme")
    #expect(try reason(session, "x-mine") == Self.natural)
  }

  @Test("The profile that was set is there after a restart, unless another one is asked for")
  func remembered() throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_STATE_HOME": folder.path("state/deep")]
    func profile(_ words: [String], set: String? = nil) throws -> BusClient.Answer? {
      guard let session = try ServeSession(words, environment: environment) else { return nil }
      if let set { #expect(session.client.setProfile(set) == .nothing) }
      let answer = session.client.profile
      session.service.send(signal: SIGTERM)
      #expect(try session.service.wait().status == 0)
      return answer
    }
    guard let first = try profile([], set: "silent") else { return }
    #expect(first == .text("silent"))
    #expect(
      try String(contentsOfFile: folder.path("state/deep/thrum/profile"), encoding: .utf8) == "silent\n")
    #expect(try profile([]) == .text("silent"))
    #expect(try profile(["--profile", "quiet"]) == .text("quiet"))
    #expect(try profile([]) == .text("silent"))
    for text in ["loud\n", "", String(repeating: "full", count: 1000)] {
      try folder.write(text, to: "state/deep/thrum/profile")
      #expect(try profile([]) == .text("full"))
    }
    // A folder in the file's place: the profile holds for this run, and that it is not remembered is told.
    try FileManager.default.removeItem(atPath: folder.path("state/deep/thrum/profile"))
    try FileManager.default.createDirectory(
      atPath: folder.path("state/deep/thrum/profile/x"), withIntermediateDirectories: true)
    guard let session = try ServeSession(environment: environment) else { return }
    #expect(session.client.setProfile("quiet") == .nothing && session.client.profile == .text("quiet"))
    #expect(session.service.errorsSoFar.contains("the profile cannot be remembered: "))
  }
}
