import Foundation
import TestSupport
import Testing

/// What clients of `thrum serve` may ask for besides events, and clients of other makers.
@Suite("serve and its clients", .serialized)
struct ServeClientTests {
  private static let notFound: UInt32 = 0xFFFF_FFFF
  private static let (natural, explicit): (UInt32, UInt32) = (0, 2)

  @Test("What is important is felt whatever the profile is, of the applications that may say so")
  func important() throws {
    guard
      let session = try ServeSession(
        ["--profile", "silent"], environment: ["THRUM_ALLOW_IMPORTANT": "org.gnome.clocks, org.example.App"])
    else { return }
    let client = session.client
    let hints: [(String, BusClient.Hint)] = [("important", .truth(true))]
    #expect(try client.reason(of: client.trigger("error").id) == Self.notFound)
    #expect(
      try client.reason(of: client.trigger("error", hints: [("important", .truth(false))]).id)
        == Self.notFound)
    #expect(try client.reason(of: client.trigger("error", hints: hints).id) == Self.natural)
    let other = client.trigger("error", application: "org.example.Other", hints: hints)
    #expect(try client.reason(of: other.id) == Self.notFound)
    // It asks for less itself.
    let less = client.trigger("success", hints: hints + [("profile", .text("silent"))])
    #expect(try client.reason(of: less.id) == Self.notFound)
    // A profile does not end it.
    let alarm = client.trigger("alarm-clock-elapsed", timeout: 0, hints: hints)
    #expect(client.setProfile("full") == .nothing && client.setProfile("silent") == .nothing)
    #expect(try client.reason(of: client.trigger("warning").id) == Self.notFound)
    #expect(!client.ends.contains { $0.id == alarm.id })
    #expect(client.end(alarm.id ?? 0) == .nothing)
    #expect(try client.reason(of: alarm.id) == Self.explicit)
  }

  @Test("A call that comes while something else is felt rings a little later, and is not lost")
  func later() throws {
    guard let session = try ServeSession() else { return }
    let client = session.client
    #expect(try client.reason(of: client.trigger("success").id) == Self.natural)
    let message = client.trigger("message-new-sms")
    let call = client.trigger("phone-incoming-call", timeout: 0)
    #expect(try client.reason(of: message.id) == Self.natural)
    let other = client.trigger("timeout-completed", timeout: 1)
    #expect(try client.reason(of: other.id) == 1)
    #expect(!client.ends.contains { $0.id == call.id })
    #expect(client.end(call.id ?? 0) == .nothing)
    #expect(try client.reason(of: call.id) == Self.explicit)
  }

  @Test(
    "A pattern of a client's own plays, is replaced by the next, ended by an empty one, and told by nobody")
  func vibrate() throws {
    guard let session = try ServeSession() else { return }
    let client = session.client
    #expect(client.vibrate([]) == .truth(true))
    #expect(client.vibrate([(1, 10_000)]) == .truth(true))
    // Sooner than a hand can tell: the first plays on.
    while client.vibrate([(0.5, 200), (0, 50), (0.25, 300)]) == .truth(false) { usleep(5000) }
    #expect(client.vibrate([]) == .truth(true))
    usleep(20_000)
    let odd: [[(Double, UInt32)]] = [
      [(.nan, 20)], [(-1, 20)], [(.infinity, 20)], [(2, 20)], [(1, 0)], [(1, .max)],
      Array(repeating: (0.5, 1), count: 256),
    ]
    for pulses in odd {
      #expect(client.vibrate(pulses) == .truth(true), "\(pulses)")
      usleep(20_000)
    }
    #expect(client.vibrate([]) == .truth(true))
    #expect(client.ends.isEmpty)
  }

  @Test("A pattern of a client's own keeps off where haptics are off, and while an event is felt")
  func vibrateKeepsOff() throws {
    guard let session = try ServeSession(environment: ["THRUM_HAPTICS_OFF_FOR": "org.example.Shop"]) else {
      return
    }
    let client = session.client
    #expect(client.vibrate([(1, 20)], application: "org.example.Shop") == .truth(false))
    let id = client.trigger("underwater-depth-prompt").id
    #expect(client.vibrate([(1, 20)]) == .truth(false))
    #expect(try client.reason(of: id) == Self.natural)
    #expect(client.vibrate([(1, 10_000)]) == .truth(true))
    #expect(client.setProfile("silent") == .nothing)
    #expect(client.vibrate([(1, 20)]) == .truth(false))
  }

  @Test("Patterns that make no sense are refused")
  func badPatterns() throws {
    guard let session = try ServeSession() else { return }
    let client = session.client
    let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
    let name = BusClient.name + ".Haptic"
    for answer in [
      client.vibrate(Array(repeating: (0.5, 1), count: 257)), client.vibrate([(1, 1)], application: ""),
      client.call(name, "Vibrate", [.text("a")]), client.call(name, "Vibrate", [.text("a"), .text("b")]),
    ] { #expect(answer.error == invalid, "\(answer)") }
    #expect(client.vibrate(Array(repeating: (0.5, 1), count: 100_000)).error == invalid)
    #expect(client.vibrate([(1, 20)]) == .truth(true))
  }

  @Test("A client that goes ends its pattern, and there is room for others")
  func goneVibration() throws {
    guard let session = try ServeSession() else { return }
    for _ in 0..<80 {
      let other = try BusClient(session.bus)
      #expect(other.vibrate([(1, 10_000), (1, 10_000)]).error == nil)
      other.close()
    }
    let id = session.client.trigger("success").id
    #expect(try session.client.reason(of: id) == Self.natural)
  }

  @Test("fbcli, feedbackd's own client, is answered")
  func fbcli() throws {
    let program = "/usr/bin/fbcli"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      print("skipped: no fbcli (apt package feedbackd)")
      return
    }
    guard let session = try ServeSession() else { return }
    func run(_ words: String...) throws -> ThrumProcess.Outcome {
      try ThrumProcess(words, environment: session.bus.environment, program: program).wait()
    }
    let played = try run("-E", "message-new-sms", "-t", "-1", "-w", "10")
    #expect(played.status == 0, "\(played.errors)")
    #expect(session.service.errorsSoFar.contains("message-new-sms for "), "\(session.service.errorsSoFar)")
    let unknown = try run("-E", "x-no-such-event", "-w", "10")
    #expect(unknown.status == 0, "\(unknown.errors)")
    let set = try run("-P", "quiet")
    #expect(set.status == 0 && session.client.profile == .text("quiet"), "\(set.errors)")
  }
}
