import Testing

@testable import ThrumPlot

@Suite("Cairo, loaded when it is needed")
struct CairoLibraryTests {
  @Test("a library that is not there is named, with the package that has it")
  func missing() throws {
    let error = try #require(throws: PlotError.self) {
      try CairoLibrary.tryLoading("libcairo-of-nobody.so.2")
    }
    #expect(
      error.description
        == "cannot draw the picture: Cairo could not be loaded (libcairo-of-nobody.so.2: cannot open shared object "
        + "file: No such file or directory); install it, with apt-get install libcairo2 on Debian and Ubuntu")
  }

  @Test("a library without the functions is refused with the first that it lacks")
  func another() throws {
    let error = try #require(throws: PlotError.self) { try CairoLibrary.tryLoading("libc.so.6") }
    #expect(error == .noCairo(reason: "libc.so.6 has no cairo_create"))
  }

  @Test("the real one has every function, and many threads may ask at once")
  func present() async throws {
    try CairoLibrary.tryLoading("libcairo.so.2")
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try PatternPicture(title: "x", samples: [0, 0.5, 0], rate: 8000).bytes(as: .svg).count
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(sizes.count == 1)
  }
}
