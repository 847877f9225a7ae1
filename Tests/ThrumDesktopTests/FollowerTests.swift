import Foundation
import TestSupport
import Testing
import ThrumDesktop
import ThrumFeedback

/// What is heard of a desktop, from a stand-in on a bus of the test's own.
@Suite("Desktop", .serialized)
struct FollowerTests {
  private static let interface = "org.gnome.desktop.interface"
  private static let patienceMilliseconds = 20_000

  /// What a follower has told, in order.
  private final class Told: @unchecked Sendable {
    // Safety of `@unchecked Sendable`: all of it is behind the condition.
    private let condition = NSCondition()
    private var all: [DesktopSettings] = []

    func append(_ settings: DesktopSettings) {
      condition.lock()
      all.append(settings)
      condition.broadcast()
      condition.unlock()
    }

    var last: DesktopSettings? {
      condition.lock()
      defer { condition.unlock() }
      return all.last
    }

    /// Waits until the last is this.
    func wait(for settings: DesktopSettings) -> Bool {
      let limit = Date(timeIntervalSinceNow: Double(patienceMilliseconds) / 1000)
      condition.lock()
      defer { condition.unlock() }
      while all.last != settings {
        if !condition.wait(until: limit) { return false }
      }
      return true
    }
  }

  private let told = Told()

  private func follow(_ bus: PrivateBus) -> DesktopFollower {
    DesktopFollower(address: bus.address) { [told] in told.append($0) }
  }

  private static let quiet = DesktopSettings(
    reducesMotion: false, isSilent: false, isLowPower: false, isScreenReaderRunning: false)

  @Test("What the portal says is heard, and every change of it")
  func changes() throws {
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(
      on: bus.address, settings: StandInDesktop.usualSettings, savesPower: .truth(false),
      isScreenReaderEnabled: .truth(false))
    defer { desktop.leave() }
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    #expect(follower.progress == .following && follower.settings == Self.quiet)
    var expected = Self.quiet
    desktop.set(Self.interface, "enable-animations", .truth(false))
    expected.reducesMotion = true
    #expect(told.wait(for: expected))
    desktop.set("org.gnome.desktop.sound", "event-sounds", .truth(false))
    expected.isSilent = true
    #expect(told.wait(for: expected))
    desktop.set("org.gnome.desktop.a11y.applications", "screen-reader-enabled", .truth(true))
    expected.isScreenReaderRunning = true
    #expect(told.wait(for: expected))
    desktop.setSavesPower(.truth(true))
    expected.isLowPower = true
    #expect(told.wait(for: expected))
    desktop.set(Self.interface, "enable-animations", .truth(true))
    expected.reducesMotion = false
    #expect(told.wait(for: expected))
    desktop.set("org.freedesktop.appearance", "reduced-motion", .number(1))
    expected.reducesMotion = true
    #expect(told.wait(for: expected))
    desktop.set("org.gnome.desktop.a11y.applications", "screen-reader-enabled", .truth(false))
    expected.isScreenReaderRunning = false
    #expect(told.wait(for: expected))
    desktop.setScreenReader(.truth(true))
    expected.isScreenReaderRunning = true
    #expect(told.wait(for: expected))
    #expect(follower.settings == expected)
  }

  @Test("Settings that are of no interest are not heard of")
  func others() throws {
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(on: bus.address, settings: StandInDesktop.usualSettings)
    defer { desktop.leave() }
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    let before = follower.settings
    for index in 0..<100 { desktop.set(Self.interface, "text-scaling-factor", .text("\(index)")) }
    desktop.set(Self.interface, "enable-animations", .truth(false))
    var expected = before
    expected.reducesMotion = true
    #expect(told.wait(for: expected))
  }

  @Test(
    "What is of another type is as if it were not said",
    arguments: [StandInDesktop.Value.text("false"), .number(0), .nested])
  func wrongTypes(value: StandInDesktop.Value) throws {
    guard let bus = try PrivateBus.start() else { return }
    var settings = StandInDesktop.usualSettings
    settings[Self.interface] = ["enable-animations": value]
    settings["org.freedesktop.appearance"] = ["reduced-motion": .text("1")]
    let desktop = try StandInDesktop(
      on: bus.address, settings: settings, savesPower: value, isScreenReaderEnabled: value)
    defer { desktop.leave() }
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    #expect(follower.settings == DesktopSettings(isSilent: false, isScreenReaderRunning: false))
    desktop.set("org.gnome.desktop.sound", "event-sounds", value)
    #expect(told.wait(for: DesktopSettings(isScreenReaderRunning: false)))
    desktop.set("org.gnome.desktop.sound", "event-sounds", .truth(false))
    #expect(told.wait(for: DesktopSettings(isSilent: true, isScreenReaderRunning: false)))
  }

  @Test(
    "A portal that refuses or talks nonsense says nothing",
    arguments: [StandInDesktop.Manner.refuses, .talksNonsense])
  func nonsense(manner: StandInDesktop.Manner) throws {
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(
      on: bus.address, settings: StandInDesktop.usualSettings, savesPower: .truth(true), manner: manner)
    defer { desktop.leave() }
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    #expect(follower.progress == .following && follower.settings == DesktopSettings())
    // It has come to its senses.
    desktop.behave(.answers)
    desktop.set(Self.interface, "enable-animations", .truth(false))
    #expect(told.wait(for: DesktopSettings(reducesMotion: true)))
  }

  @Test("A portal that hangs holds nobody up for longer than is waited for, and is heard when it comes to")
  func hangs() throws {
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(on: bus.address, settings: StandInDesktop.usualSettings, manner: .hangs)
    defer { desktop.leave() }
    let follower = follow(bus)
    let start = ContinuousClock.now
    follower.wait(milliseconds: 50)
    #expect(ContinuousClock.now - start >= .milliseconds(50))
    #expect(follower.progress == .asking && follower.settings == DesktopSettings())
    desktop.behave(.answers)
    desktop.set(Self.interface, "enable-animations", .truth(false))
    #expect(told.wait(for: DesktopSettings(reducesMotion: true)))
  }

  @Test("What was said holds while the portal is away, and is asked anew when another one is there")
  func away() throws {
    guard let bus = try PrivateBus.start() else { return }
    var settings = StandInDesktop.usualSettings
    settings[Self.interface] = ["enable-animations": .truth(false)]
    let first = try StandInDesktop(on: bus.address, settings: settings, savesPower: .truth(true))
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    let said = DesktopSettings(
      reducesMotion: true, isSilent: false, isLowPower: true, isScreenReaderRunning: false)
    #expect(follower.settings == said)
    first.leave()
    let second = try StandInDesktop(
      on: bus.address, settings: StandInDesktop.usualSettings, savesPower: .truth(true))
    defer { second.leave() }
    var expected = said
    expected.reducesMotion = false
    #expect(told.wait(for: expected))
  }

  @Test("A portal that comes after the program is heard")
  func later() throws {
    guard let bus = try PrivateBus.start() else { return }
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    #expect(follower.progress == .following && follower.settings == DesktopSettings())
    let desktop = try StandInDesktop(on: bus.address, settings: StandInDesktop.usualSettings)
    defer { desktop.leave() }
    #expect(
      told.wait(for: DesktopSettings(reducesMotion: false, isSilent: false, isScreenReaderRunning: false)))
  }

  @Test("Somebody who is not the portal is not heard")
  func stranger() throws {
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(on: bus.address, settings: StandInDesktop.usualSettings)
    defer { desktop.leave() }
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    let words = [
      "/usr/bin/dbus-send", "--bus=\(bus.address)", "--type=signal", "/org/freedesktop/portal/desktop",
      "org.freedesktop.portal.Settings.SettingChanged", "string:\(Self.interface)",
      "string:enable-animations",
      "variant:boolean:false",
    ]
    guard FileManager.default.isExecutableFile(atPath: words[0]) else {
      print("skipped: no dbus-send (apt package dbus-bin)")
      return
    }
    #expect(try PrivateBus.run(words) == 0)
    // Comes after it on the same way.
    desktop.set("org.gnome.desktop.sound", "event-sounds", .truth(false))
    #expect(
      told.wait(for: DesktopSettings(reducesMotion: false, isSilent: true, isScreenReaderRunning: false)))
  }

  @Test("Without a bus, and when it goes, nothing is said and nobody waits")
  func noBus() throws {
    let nowhere = DesktopFollower(address: "unix:path=/nowhere")
    nowhere.wait(milliseconds: Self.patienceMilliseconds)
    #expect(nowhere.progress == .noBus && nowhere.settings == DesktopSettings())
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(
      on: bus.address, settings: StandInDesktop.usualSettings, savesPower: .truth(true))
    let follower = follow(bus)
    follower.wait(milliseconds: Self.patienceMilliseconds)
    bus.end()
    desktop.leave()
    let limit = Date(timeIntervalSinceNow: Double(Self.patienceMilliseconds) / 1000)
    while follower.progress != .noBus, Date() < limit { usleep(1000) }
    #expect(follower.progress == .noBus && follower.settings.isLowPower == true)
  }

  @Test("A bus that takes connections and says nothing holds nobody up")
  func silentBus() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("silent-\(UUID().uuidString)")
      .path
    defer { unlink(path) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
    }
    try #require(code == 0 && listen(listener, 8) == 0)
    let follower = DesktopFollower(address: "unix:path=\(path)")
    follower.wait(milliseconds: 20)
    #expect(follower.progress == .asking && follower.settings == DesktopSettings())
  }

  @Test("A follower that is let go of ends its thread and its connection")
  func letGo() throws {
    guard let bus = try PrivateBus.start() else { return }
    let before = try threadCount()
    for _ in 0..<20 {
      let follower = DesktopFollower(address: bus.address)
      follower.wait(milliseconds: Self.patienceMilliseconds)
      withExtendedLifetime(follower) {}
    }
    let limit = Date(timeIntervalSinceNow: Double(Self.patienceMilliseconds) / 1000)
    // Others of the process may follow the machine's own desktop meanwhile.
    while try threadCount() > before + 2, Date() < limit { usleep(1000) }
    #expect(try threadCount() <= before + 2)
  }

  /// How many followers' threads there are.
  private func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
      guard let name = FileManager.default.contents(atPath: "/proc/self/task/\(task)/comm") else {
        return false
      }
      return String(decoding: name, as: UTF8.self) == "thrum-desktop\n"
    }
  }
}
