import Testing

/// What a machine without Cairo can do: all but pictures.
@Suite("Without Cairo")
struct PlotWithoutCairoTests {
  private let tap = """
    { "Version": 1.0, "Pattern": [{ "Event": { "Time": 0, "EventType": "HapticTransient" } }] }
    """

  /// An environment in which the first file that goes by Cairo's name is no library.
  private func environment(in folder: TemporaryFolder) throws -> [String: String] {
    // Long enough to be read as a header: a shorter file would be refused for its length.
    let path = try folder.write(String(repeating: "no library", count: 500), to: "libcairo.so.2")
    #expect(path.hasSuffix("/libcairo.so.2"))
    return ["LD_LIBRARY_PATH": folder.path("")]
  }

  @Test("plot says what is missing and how to get it, with code 1, and leaves no file")
  func plot() throws {
    let folder = try TemporaryFolder()
    let picture = folder.path("tap.png")
    let outcome = try ThrumProcess.run(
      ["plot", "-", "-o", picture], input: Array(tap.utf8), environment: environment(in: folder))
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("Cairo could not be loaded"))
    #expect(outcome.errors.contains("apt-get install libcairo2"))
    #expect(throws: (any Error).self) { try String(contentsOfFile: picture, encoding: .isoLatin1) }
  }

  @Test(
    "check, inspect and render do not need it",
    arguments: [["check", "-"], ["inspect", "-"], ["render", "-", "-o", "-"]])
  func others(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let outcome = try ThrumProcess.run(
      arguments, input: Array(tap.utf8), environment: environment(in: folder))
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
  }
}
