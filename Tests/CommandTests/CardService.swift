import Foundation
import Testing

/// `thrum serve` on the tests' own card of 8 kHz and one channel, which writes down what it took.
struct CardService {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts a service.
  /// - Parameter card: More of the card's settings.
  func start(
    _ words: [String], device: String = "card", card: String = "", environment: [String: String] = [:]
  ) throws -> ThrumProcess {
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let path = try folder.write(
      """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.card {
        type thrum_test_card rates "8000" channels "1" formats "S32_LE"
        \(card)
        frames "\(folder.url("frames").path)" log "\(folder.url("log").path)"
      }

      """, to: "asound.conf")
    return try ThrumProcess(
      ["serve", "-d", device, "-v", "-a", "none"] + words,
      environment: environment.merging(["ALSA_CONFIG_PATH": path]) { $1 })
  }

  /// Starts a service that answers OSC, and a client of it.
  func startOSC(
    _ words: [String] = [], device: String = "card", card: String = "",
    environment: [String: String] = [:]
  ) throws -> (ThrumProcess, OSCClient) {
    let port = try OSCClient.freePort()
    let service = try start(
      ["--osc", "\(port)"] + words, device: device, card: card, environment: environment)
    let client = try OSCClient(port: port)
    try service.wait(until: { client.ask("/thrum/ping", for: "/thrum/pong") != nil }, "an answer")
    return (service, client)
  }

  /// Ends a service and gives the frames that its card took.
  func frames(of service: ThrumProcess) throws -> [Int32] {
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try frames()
  }

  /// The frames that the card has written down so far.
  func frames() throws -> [Int32] {
    let data = try Data(contentsOf: folder.url("frames"))
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
  }

  /// The frames at which silence of 5 ms or more ends.
  static func onsets(_ frames: [Int32]) -> [Int] {
    var onsets: [Int] = []
    var silent = 40
    for (index, value) in frames.enumerated() {
      if value == 0 {
        silent += 1
      } else {
        if silent >= 40 { onsets.append(index) }
        silent = 0
      }
    }
    return onsets
  }
}

/// A pipe into which a test writes what a controller would say.
final class ControllerPipe {
  let path: String
  private let descriptor: Int32

  init(in folder: TemporaryFolder, _ name: String = "pipe") throws {
    path = folder.path(name)
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EEXIST) }
    // Open for both, so that no reader has to be there.
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.EACCES) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) {
    let count = Glibc.write(descriptor, bytes, bytes.count)
    precondition(count == bytes.count, "the pipe took \(count) of \(bytes.count) bytes: \(errno)")
  }

  /// Whether all that was written has been read.
  var isEmpty: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 0
  }

  /// A move of a game pad, as the kernel writes it.
  func pad(kind: UInt8, number: UInt8, value: Int16) {
    var bytes: [UInt8] = [0, 0, 0, 0]
    withUnsafeBytes(of: value) { bytes += $0 }
    write(bytes + [kind, number])
  }
}
