import Foundation
import TestSupport
import Testing

/// `thrum serve` on the real binary, on a session bus of the test's own.
@Suite("serve", .serialized)
struct ServeTests {
  private static let notFound: UInt32 = 0xFFFF_FFFF
  private static let (natural, expired, explicit): (UInt32, UInt32, UInt32) = (0, 1, 2)

  private typealias Session = ServeSession

  @Test("What is triggered has a number, plays once and ends by itself")
  func once() throws {
    guard let session = try Session() else { return }
    let first = session.client.trigger("message-new-sms")
    #expect(first == .id(1))
    #expect(try session.client.reason(of: first.id) == Self.natural)
    #expect(session.client.trigger("phone-hangup") == .id(2))
    #expect(try session.client.reason(of: 2) == Self.natural)
  }

  @Test("An event that the theme does not have plays nothing: a number, and its end as not found")
  func unknown() throws {
    guard let session = try Session() else { return }
    let answer = session.client.trigger("x-no-such-event")
    #expect(try session.client.reason(of: answer.id) == Self.notFound)
  }

  @Test("Every preset is an event by its own name")
  func presetEvent() throws {
    guard let session = try Session() else { return }
    #expect(try session.client.reason(of: session.client.trigger("impact-heavy").id) == Self.natural)
  }

  @Test("With a timeout of 0 it repeats until it is ended, and ending it again is no mistake")
  func end() throws {
    guard let session = try Session() else { return }
    let id = try #require(session.client.trigger("phone-incoming-call", timeout: 0).id)
    // Another one comes and goes meanwhile.
    #expect(try session.client.reason(of: session.client.trigger("error").id) == Self.natural)
    #expect(!session.client.ends.contains { $0.id == id })
    #expect(session.client.end(id) == .nothing)
    #expect(try session.client.reason(of: id) == Self.explicit)
    #expect(session.client.end(id) == .nothing)
  }

  @Test("With a timeout in seconds it repeats for so long")
  func timeout() throws {
    guard let session = try Session() else { return }
    let start = ContinuousClock.now
    let id = session.client.trigger("alarm-clock-elapsed", timeout: 1).id
    #expect(try session.client.reason(of: id) == Self.expired)
    #expect(ContinuousClock.now - start >= .seconds(1))
  }

  @Test("The profile is read, set and told; silent ends what plays and lets nothing play")
  func profile() throws {
    guard let session = try Session(["--profile", "quiet"]) else { return }
    let client = session.client
    #expect(client.profile == .text("quiet"))
    let id = client.trigger("phone-incoming-call", timeout: 0).id
    #expect(client.setProfile("silent") == .nothing)
    #expect(try client.reason(of: id) == Self.explicit)
    try client.wait(until: { client.profiles == ["silent"] }, "the profile")
    #expect(client.profile == .text("silent"))
    #expect(try client.reason(of: client.trigger("error").id) == Self.notFound)
    #expect(client.setProfile("silent") == .nothing)
    #expect(client.setProfile("full") == .nothing)
    try client.wait(until: { client.profiles == ["silent", "full"] }, "the profile")
    #expect(try client.reason(of: client.trigger("error").id) == Self.natural)
    // A hint can ask for less, for one event.
    let hinted = client.trigger("warning", hints: [("profile", .text("silent"))])
    #expect(try client.reason(of: hinted.id) == Self.notFound)
    #expect(client.setProfile("loud").error == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(client.profile == .text("full"))
  }

  @Test("SIGHUP reads the theme anew; one that is refused is told of, and the old one stays")
  func reload() throws {
    let folder = try TemporaryFolder()
    func theme(_ events: String...) -> String {
      let pulses = #""type": "VibraPattern", "magnitudes": [0.5, 0, 1], "durations": [20, 30, 40]"#
      let feedbacks = events.map { "{\"event-name\": \"\($0)\", \(pulses)}" }.joined(separator: ",")
      return "{\"name\": \"mine\", \"profiles\": [{\"name\": \"full\", \"feedbacks\": [\(feedbacks)]}]}"
    }
    let path = try folder.write(theme("x-before"), to: "theme.json")
    guard let session = try Session(["--theme", path]) else { return }
    let (client, service) = (session.client, session.service)
    #expect(try client.reason(of: client.trigger("x-before").id) == Self.natural)
    // Without parent-name the built-in theme does not answer.
    #expect(try client.reason(of: client.trigger("message-new-sms").id) == Self.notFound)
    #expect(try client.reason(of: client.trigger("x-after").id) == Self.notFound)
    // Other patterns than the first, which may have played just now.
    try folder.write(theme("x-other", "x-after", "x-third"), to: "theme.json")
    service.send(signal: SIGHUP)
    try service.wait(until: { service.errorsSoFar.contains("the theme was read anew") }, "the theme")
    #expect(try client.reason(of: client.trigger("x-after").id) == Self.natural)
    #expect(try client.reason(of: client.trigger("x-before").id) == Self.notFound)
    try folder.write("{\n\"profiles\": 3}", to: "theme.json")
    service.send(signal: SIGHUP)
    try service.wait(until: { service.errorsSoFar.contains("the theme stays as it was") }, "the refusal")
    #expect(service.errorsSoFar.contains("\(path): error: profiles is missing, a list\n"))
    let again = client.trigger("x-third", timeout: 0)
    #expect(client.end(again.id ?? 0) == .nothing)
    #expect(try client.reason(of: again.id) == Self.explicit)
  }

  @Test(
    "Files of the user's are events by their names; one that is refused is told of once, until it is read anew"
  )
  func ownFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "x-door.ahap")
    let broken = try folder.write("{", to: "x-bell.ahap")
    guard let session = try Session(environment: ["THRUM_FEEDBACK_FOLDER": folder.path("")]) else { return }
    let (client, service) = (session.client, session.service)
    #expect(try client.reason(of: client.trigger("x-door").id) == Self.natural)
    for _ in 0..<2 { #expect(try client.reason(of: client.trigger("x-bell").id) == Self.notFound) }
    #expect(service.errorsSoFar.components(separatedBy: "\(broken):1:").count == 2, "\(service.errorsSoFar)")
    try folder.write(tapText, to: "x-bell.ahap")
    service.send(signal: SIGHUP)
    try service.wait(until: { service.errorsSoFar.contains("the theme was read anew") }, "the files")
    #expect(try client.reason(of: client.trigger("x-bell").id) == Self.natural)
  }

  @Test("What ALSA is given is the preset, to the byte, and nothing else")
  func signal() throws {
    guard let folder = SharedFiles.locate("cases/alsa-short-and-tail", for: "serve") else { return }
    let place = try TemporaryFolder()
    let form = ["-a", "none", "-r", "8000", "-f", "s32"]
    let conf = ["ALSA_CONFIG_PATH": folder.appendingPathComponent("asound.conf").path]
    guard let session = try Session(["-d", "thrum_capture"] + form, environment: conf, in: place.path(""))
    else { return }
    let id = session.client.trigger("message-sent-instant").id
    #expect(try session.client.reason(of: id) == Self.natural)
    session.service.send(signal: SIGTERM)
    #expect(try session.service.wait().status == 0)
    let preset = SharedFiles.packageFolder.appendingPathComponent("patterns/feedback/success.ahap").path
    let wave = try WAVFile(try ThrumProcess.run(["render", preset, "-o", "-"] + form).outputBytes)
    let expected = trimmed(wave.bytes)
    let captured = trimmed(try SharedFiles.bytes(of: place.url("capture.raw")))
    let isEqual = !expected.isEmpty && captured == expected
    #expect(isEqual)
  }

  /// Samples of four bytes without those of zero at both ends.
  private func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { $0 != 0 }), let last = bytes.lastIndex(where: { $0 != 0 })
    else { return [] }
    return bytes[(first - first % 4)..<(last - last % 4 + 4)]
  }

  @Test("A client that goes away ends its feedback, and nobody else's")
  func gone() throws {
    guard let session = try Session() else { return }
    let other = try BusClient(session.bus)
    let ours = session.client.trigger("button-pressed", timeout: 0)
    let theirs = other.trigger("phone-incoming-call", timeout: 0)
    other.close()
    #expect(try session.client.reason(of: theirs.id) == Self.explicit)
    #expect(!session.client.ends.contains { $0.id == ours.id })
    #expect(session.client.end(ours.id ?? 0) == .nothing)
    #expect(try session.client.reason(of: ours.id) == Self.explicit)
  }

  @Test("Arguments that make no sense are refused by name, and the service goes on")
  func badArguments() throws {
    guard let session = try Session() else { return }
    let client = session.client
    let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
    let long = String(repeating: "a", count: 256)
    let many = (0..<33).map { ("hint-\($0)", BusClient.Hint.text("")) }
    for answer in [
      client.trigger("success", application: ""), client.trigger("success", application: long),
      client.trigger("success", application: "a b"), client.trigger(""), client.trigger(long),
      client.trigger("../success"), client.trigger("Success"),
      client.trigger("success", hints: [("profile", .text("loud"))]),
      client.trigger("success", hints: [("profile", .truth(true))]),
      client.trigger("success", hints: [("important", .text("yes"))]),
      client.trigger("success", hints: many), client.end(0),
      client.call(BusClient.name, "TriggerFeedback", [.text("success")]),
      client.call(BusClient.name, "EndFeedback", [.text("1")]),
    ] { #expect(answer.error == invalid, "\(answer)") }
    #expect(client.call(BusClient.name, "Vibrate", []).error == "org.freedesktop.DBus.Error.UnknownMethod")
    let property = client.call(
      "org.freedesktop.DBus.Properties", "Get", [.text(BusClient.name), .text("Volume")])
    #expect(property.error == "org.freedesktop.DBus.Error.UnknownProperty")
    let hints: [(String, BusClient.Hint)] = [
      ("important", .truth(true)), ("sound-file", .text("/x")), ("x-new", .truth(false)),
    ]
    let good = client.trigger("success", timeout: -7, hints: hints)
    #expect(try client.reason(of: good.id) == Self.natural)
  }

  @Test("One client runs no more than 16 feedbacks at a time")
  func limit() throws {
    guard let session = try Session(environment: ["THRUM_FEEDBACK_CEILING": "50"]) else { return }
    let names = [
      "impact-light", "impact-medium", "impact-heavy", "impact-soft", "impact-solid", "impact-rigid",
      "press-button", "press-slider", "press-tab", "press-toggle", "release-slider", "selection-on",
      "selection-off", "selection-minimum", "selection-maximum", "generic",
    ]
    let answers = names.map { session.client.trigger($0, timeout: 0) }
    #expect(answers.allSatisfy { $0.id != nil })
    #expect(session.client.trigger("increase").error == "org.freedesktop.DBus.Error.LimitsExceeded")
    #expect(session.client.end(answers[0].id ?? 0) == .nothing)
    #expect(try session.client.reason(of: answers[0].id) == Self.explicit)
    #expect(try session.client.reason(of: session.client.trigger("increase").id) == Self.natural)
  }

  @Test("What the user has settled holds for the application that asks")
  func settings() throws {
    guard let session = try Session(environment: ["THRUM_HAPTICS_OFF_FOR": "org.example.Shop"]) else {
      return
    }
    let client = session.client
    #expect(
      try client.reason(of: client.trigger("error", application: "org.example.Shop").id) == Self.notFound)
    #expect(try client.reason(of: client.trigger("error").id) == Self.natural)
  }

  @Test("The same again within a tenth of a second plays once")
  func manners() throws {
    guard let session = try Session(environment: ["THRUM_FEEDBACK_CEILING": "50"]) else { return }
    // The device is open then, and nothing holds the calls up.
    #expect(try session.client.reason(of: session.client.trigger("generic").id) == Self.natural)
    let start = ContinuousClock.now
    let ids = (0..<5).map { _ in session.client.trigger("impact-light").id }
    let duration = ContinuousClock.now - start
    let reasons = try ids.map { try session.client.reason(of: $0) }
    #expect(reasons[0] == Self.natural)
    // On a machine that is held up they come further apart, and more may play.
    let limit = duration < .milliseconds(90) ? 1 : 5
    #expect((1...limit).contains(reasons.count { $0 == Self.natural }), "\(reasons), \(duration)")
  }

  @Test("A device that cannot be opened is told to the client, and tried again")
  func noDevice() throws {
    guard let session = try Session(["-d", "nobody"], environment: ["ALSA_CONFIG_PATH": "/dev/null"]) else {
      return
    }
    guard case .error(let name, let words) = session.client.trigger("success") else {
      Issue.record("it played")
      return
    }
    #expect(name == "org.freedesktop.DBus.Error.Failed")
    #expect(words.hasPrefix("cannot open sound device \"nobody\""), "\(words)")
    #expect(session.client.profile == .text("full"))
  }

  @Test("A name that is taken is told on two lines, and 1; so is a bus that is not there")
  func taken() throws {
    guard let session = try Session() else { return }
    let second = try ThrumProcess.run(["serve"], environment: session.bus.environment)
    #expect(second.status == 1)
    #expect(
      second.errors
        == "thrum serve: the name org.sigxcpu.Feedback is taken on this bus\nend the other service, feedbackd perhaps, first\n"
    )
    let alone = try ThrumProcess.run(
      ["serve"], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
    #expect(alone.status == 1)
    #expect(alone.errors.hasPrefix("thrum serve: no session bus: "))
  }

  @Test(
    "SIGTERM fades, tells what ended, says nothing and is 0; ctrl-C is 130", arguments: [SIGTERM, SIGINT])
  func signals(signal: Int32) throws {
    guard let bus = try SessionBus.start() else { return }
    let service = try ThrumProcess(["serve", "-d", "virtual"], environment: bus.environment)
    let client = try BusClient(bus, service)
    try service.wait(until: { client.profile.error == nil }, "an answer")
    let id = client.trigger("phone-incoming-call", timeout: 0).id
    service.send(signal: signal)
    #expect(try client.reason(of: id) == Self.explicit)
    let outcome = try service.wait()
    #expect(outcome.status == (signal == SIGTERM ? 0 : 130))
    #expect(outcome.output == "" && outcome.errors == "")
  }

  @Test("A bus that goes ends the service with a reason, and 1")
  func busGone() throws {
    var session = try Session()
    guard let service = session?.service else { return }
    session = nil
    let outcome = try service.wait()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("thrum serve: the session bus has gone: "), "\(outcome.errors)")
  }

  @Test("gdbus, a client of its own kind, sees the interface")
  func introspection() throws {
    let program = "/usr/bin/gdbus"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      print("skipped: no gdbus (apt package libglib2.0-bin)")
      return
    }
    guard let session = try Session() else { return }
    let process = try ThrumProcess(
      ["introspect", "--session", "--dest", BusClient.name, "--object-path", BusClient.path],
      environment: session.bus.environment, program: program)
    let outcome = try process.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "TriggerFeedback(in s app_id, in s event, in a{sv} hints, in i timeout, out u id); EndFeedback(in u id);"
      ))
    #expect(words.contains("FeedbackEnded(u id, u reason);"))
    #expect(words.contains("readwrite s Profile = 'full';"))
  }
}
