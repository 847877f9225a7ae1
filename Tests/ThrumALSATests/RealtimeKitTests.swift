import CSystemd
import Foundation
import Synchronization
import Testing

@testable import ThrumALSA

/// rtkit on a bus of the tests' own: what is asked of it, and what its answers become.
@Suite(.serialized) struct RealtimeKitTests {
  private static let daemon = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"].first(
    where: FileManager.default.isExecutableFile)

  /// A bus daemon, and a service on it that answers as rtkit does.
  private final class FakeService: @unchecked Sendable {
    // Safety of `@unchecked Sendable`: the bus is the service thread's; what was asked is locked.
    let address: String
    let asked = Mutex<[(process: UInt64, thread: UInt64, priority: UInt32)]>([])
    private let process: Process
    private let folder: URL
    private var bus: OpaquePointer?
    private let isEnding = Atomic<Bool>(false)
    private let isRefusing: Bool
    private let ended = DispatchSemaphore(value: 0)

    init(daemon: String, isRefusing: Bool) throws {
      self.isRefusing = isRefusing
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-bus-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      address = "unix:path=\(folder.path)/bus"
      let configuration = folder.appendingPathComponent("bus.conf")
      try """
      <busconfig><type>custom</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy>
      </busconfig>
      """.write(to: configuration, atomically: true, encoding: .utf8)
      process = Process()
      process.executableURL = URL(fileURLWithPath: daemon)
      process.arguments = [
        "--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address",
      ]
      let printed = Pipe()
      process.standardOutput = printed
      try process.run()
      // It prints its address when it listens.
      _ = printed.fileHandleForReading.availableData
      try serve()
    }

    private func serve() throws {
      try #require(sd_bus_new(&bus) >= 0)
      try #require(sd_bus_set_address(bus, address) >= 0)
      try #require(sd_bus_set_bus_client(bus, 1) >= 0)
      try #require(sd_bus_start(bus) >= 0)
      try #require(sd_bus_set_method_call_timeout(bus, 60_000_000) >= 0)
      try #require(sd_bus_request_name(bus, "org.freedesktop.RealtimeKit1", 0) >= 0)
      Thread.detachNewThread { [self] in
        while !isEnding.load(ordering: .relaxed) {
          var message: OpaquePointer?
          let code = sd_bus_process(bus, &message)
          if let message {
            answer(message)
            sd_bus_message_unref(message)
          }
          if code == 0 { sd_bus_wait(bus, 20_000) }
          if code < 0 { break }
        }
        sd_bus_flush_close_unref(bus)
        ended.signal()
      }
    }

    private func answer(_ message: OpaquePointer) {
      if sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get") > 0 {
        var (interface, property): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
        let text = CChar(UInt8(ascii: "s"))
        sd_bus_message_read_basic(message, text, &interface)
        sd_bus_message_read_basic(message, text, &property)
        let name = property.map { String(cString: $0) } ?? ""
        reply(to: message) { answer in
          let variant = CChar(UInt8(ascii: "v"))
          if name == "MaxRealtimePriority" {
            var value: Int32 = 8
            sd_bus_message_open_container(answer, variant, "i")
            sd_bus_message_append_basic(answer, CChar(UInt8(ascii: "i")), &value)
          } else {
            var value: Int64 = 200_000
            sd_bus_message_open_container(answer, variant, "x")
            sd_bus_message_append_basic(answer, CChar(UInt8(ascii: "x")), &value)
          }
          sd_bus_message_close_container(answer)
        }
      } else if sd_bus_message_is_method_call(
        message, "org.freedesktop.RealtimeKit1", "MakeThreadRealtimeWithPID") > 0
      {
        var (process, thread, priority) = (UInt64(0), UInt64(0), UInt32(0))
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "t")), &process)
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "t")), &thread)
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &priority)
        asked.withLock { $0.append((process, thread, priority)) }
        if isRefusing {
          var error = sd_bus_error(
            name: strdup("org.freedesktop.DBus.Error.AccessDenied"), message: strdup("too many threads"),
            _need_free: 0)
          sd_bus_reply_method_error(message, &error)
        } else {
          reply(to: message) { _ in }
        }
      }
    }

    private func reply(to message: OpaquePointer, _ fill: (OpaquePointer?) -> Void) {
      var answer: OpaquePointer?
      sd_bus_message_new_method_return(message, &answer)
      fill(answer)
      sd_bus_send(bus, answer, nil)
      sd_bus_message_unref(answer)
    }

    func end() {
      isEnding.store(true, ordering: .relaxed)
      ended.wait()
      // SIGTERM may be blocked: a child has the mask of the thread that started it.
      kill(process.processIdentifier, SIGKILL)
      do {
        try FileManager.default.removeItem(at: folder)
      } catch {
        print("left behind: \(folder.path): \(error)")
      }
    }
  }

  @Test(.enabled(if: RealtimeKitTests.daemon != nil, "no dbus-daemon here"))
  func theServiceIsAskedForThisThreadAndNoMoreThanItGives() throws {
    let service = try FakeService(daemon: try #require(RealtimeKitTests.daemon), isRefusing: false)
    defer { service.end() }
    #expect(
      try RealtimeKit.request(
        thread: 4711, priority: 10, address: service.address, limitMicroseconds: 60_000_000) == 8)
    let asked = service.asked.withLock { $0 }
    #expect(asked.count == 1)
    #expect(asked[0] == (UInt64(getpid()), 4711, 8))
  }

  @Test(.enabled(if: RealtimeKitTests.daemon != nil, "no dbus-daemon here"))
  func aRefusalIsToldInItsOwnWords() throws {
    let service = try FakeService(daemon: try #require(RealtimeKitTests.daemon), isRefusing: true)
    defer { service.end() }
    #expect(throws: RealtimeKit.Refusal(words: "too many threads")) {
      try RealtimeKit.request(
        thread: 4711, priority: 10, address: service.address, limitMicroseconds: 60_000_000)
    }
  }

  @Test func withoutABusNothingIsGivenAndTheReasonIsTold() {
    do throws(RealtimeKit.Refusal) {
      let given = try RealtimeKit.request(thread: 1, priority: 10, address: "unix:path=/nonexistent/bus")
      Issue.record("given \(given)")
    } catch {
      #expect(error.words.contains("no system bus"))
    }
  }
}
