import Feedback
import FeedbackTesting
import Foundation
import TestSupport
import Testing
import ThrumFeedback
import ThrumPattern

import CoreHaptics

/// What the desktop has settled holds for programs, as long as nobody who counts for more has had a say.
@MainActor @Suite("Desktop settings of programs", .serialized) struct DesktopTests {
  private static let interface = "org.gnome.desktop.interface"
  private let mock = MockHaptics()

  /// A desktop on a bus, followed by the machine.
  private func follow(_ settings: StandInDesktop.Settings = StandInDesktop.usualSettings) throws -> (
    bus: PrivateBus, desktop: StandInDesktop
  )? {
    guard let bus = try PrivateBus.start() else { return nil }
    let desktop = try StandInDesktop(on: bus.address, settings: settings, savesPower: .truth(false))
    mock.use { FeedbackCenter.current.followDesktop(at: bus.address) }
    return (bus, desktop)
  }

  private func wait(for isTrue: () -> Bool) async -> Bool {
    let limit = Date(timeIntervalSinceNow: 20)
    while !isTrue() {
      if Date() > limit { return false }
      await Task.yield()
    }
    return true
  }

  @Test func aChangeHoldsForTheNextTap() async throws {
    guard let (bus, desktop) = try follow() else { return }
    defer { desktop.leave() }
    let settings = mock.settings
    mock.trigger(.impact(weight: .heavy))
    mock.advance(seconds: 1)
    desktop.set(Self.interface, "enable-animations", .truth(false))
    #expect(await wait { settings.reducesMotion })
    mock.trigger(.impact(weight: .heavy))
    mock.advance(seconds: 1)
    #expect(mock.played == ["impact-heavy", "impact-light"])
    #expect(mock.use { UIAccessibility.isReduceMotionEnabled && HapticAssetSettings.current.reducesMotion })
    desktop.setSavesPower(.truth(true))
    #expect(await wait { settings.isLowPower })
    mock.trigger(.selection)
    #expect(mock.records.last?.silence == "power is saved")
    withExtendedLifetime(bus) {}
  }

  @Test func whatAProgramSetsCountsForMore() async throws {
    guard let (bus, desktop) = try follow() else { return }
    defer { desktop.leave() }
    let settings = mock.settings
    // As it is already: it has had its say all the same.
    settings.reducesMotion = false
    desktop.set(Self.interface, "enable-animations", .truth(false))
    desktop.set("org.gnome.desktop.sound", "event-sounds", .truth(false))
    #expect(await wait { settings.isSilent })
    #expect(!settings.reducesMotion)
    withExtendedLifetime(bus) {}
  }

  @Test func aViewAndWhoListensAreTold() async throws {
    guard let (bus, desktop) = try follow() else { return }
    defer { desktop.leave() }
    let (center, settings) = (NotificationCenter.default, mock.settings)
    let host = mock.use { ViewHost(EmptyView()) }
    var updates = 0
    host.onUpdate = { updates += 1 }
    let told = Told()
    let onMain = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: onMain, value: true)
    let token = center.addObserver(
      forName: UIAccessibility.voiceOverStatusDidChangeNotification, object: nil, queue: nil
    ) { _ in told.note(isMain: DispatchQueue.getSpecific(key: onMain) ?? false) }
    defer { center.removeObserver(token) }
    desktop.set("org.gnome.desktop.a11y.applications", "screen-reader-enabled", .truth(true))
    #expect(await wait { settings.isScreenReaderRunning && updates > 0 && told.isMain != nil })
    #expect(told.isMain == true)
    withExtendedLifetime((bus, host)) {}
  }

  private final class Told: @unchecked Sendable {
    // Safety of `@unchecked Sendable`: behind the lock.
    private let lock = NSLock()
    private var value: Bool?

    func note(isMain: Bool) { lock.withLock { value = isMain } }
    var isMain: Bool? { lock.withLock { value } }
  }

  @Test func aMachineThatIsLetGoOfFollowsNoMore() async throws {
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(on: bus.address, settings: StandInDesktop.usualSettings)
    defer { desktop.leave() }
    weak var gone: VirtualHapticsReference?
    do {
      let mock = MockHaptics()
      gone = mock.machine
      mock.use { FeedbackCenter.current.followDesktop(at: bus.address) }
    }
    #expect(await wait { gone == nil })
  }

  private typealias VirtualHapticsReference = AnyObject

  @Test func aPortalThatHangsHoldsNoTapUp() throws {
    guard let bus = try PrivateBus.start() else { return }
    let desktop = try StandInDesktop(on: bus.address, settings: [:], savesPower: .truth(true), manner: .hangs)
    defer { desktop.leave() }
    mock.use { FeedbackCenter.current.followDesktop(at: bus.address) }
    mock.trigger(.selection)
    mock.advance(seconds: 1)
    #expect(mock.played == ["selection"])
  }

  @Test func mistakesInFilesAreTold() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let file = folder.appendingPathComponent("success.ahap")
    try "{".write(to: file, atomically: true, encoding: .utf8)
    mock.use { FeedbackCenter.current.change { $0.folder = FileName(folder.path) } }
    #expect(mock.settings.problems == [])
    mock.trigger(.success)
    #expect(mock.settings.problems.count == 1)
    #expect(mock.settings.problems.first?.hasPrefix("\(file.path):1:") == true, "\(mock.settings.problems)")
    #expect(mock.played == ["success"])
    let center = FeedbackCenter(
      policy: FeedbackPolicy(), player: EnginePlayer(), problems: ["config:1: silent takes yes or no"])
    FeedbackCenter.$current.withValue(center) {
      #expect(HapticSettings.current.problems == ["config:1: silent takes yes or no"])
    }
  }
}
