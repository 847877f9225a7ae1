import Foundation
import Testing
import ThrumPattern

@testable import thrum

/// What a watched file has come to when it has come to rest; the waits between are the tests' own.
@Suite("Coming to rest")
struct FileWatchTests {
  private let folder: TemporaryFolder
  private let path: String
  private let watch: FileWatch

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(tapText, to: "f.ahap")
    watch = try FileWatch(FileName(path))
  }

  /// Saves by a rename, which is told of at once. A file that is written in place is told of when its last descriptor closes,
  /// and a program that another test starts at that moment has a copy of it.
  private func save(_ text: String) throws {
    let other = try TemporaryFolder()
    #expect(rename(try other.write(text, to: "f.ahap"), path) == 0)
  }

  @Test("An editor that has the file away for a moment saves it, and it was never gone")
  func away() throws {
    #expect(rename(path, path + "~") == 0)
    var waits: [Int32] = []
    var failure: (any Error)?
    let change = watch.takeChange { milliseconds in
      waits.append(milliseconds)
      if waits.count > 1 { return false }
      do { try save(tapText) } catch { failure = error }
      return true
    }
    #expect(failure == nil)
    #expect(change == .saved)
    #expect(waits == [FileWatch.absenceMilliseconds, FileWatch.settleMilliseconds])
  }

  @Test("One that stays away is gone, once")
  func gone() throws {
    #expect(rename(path, path + "~") == 0)
    var waits: [Int32] = []
    let change = watch.takeChange { milliseconds in
      waits.append(milliseconds)
      return false
    }
    #expect(change == .removed)
    #expect(waits == [FileWatch.absenceMilliseconds])
    #expect(watch.takeChange { _ in true } == .nothing)
  }

  @Test("Of a save in several steps the last one counts, and what is broken off is not told")
  func steps() throws {
    try save("{")
    var waits: [Int32] = []
    let change = watch.takeChange { milliseconds in
      waits.append(milliseconds)
      // Something in the folder that does not concern the file.
      return waits.count < 3
    }
    #expect(change == .saved)
    #expect(waits == Array(repeating: FileWatch.settleMilliseconds, count: 3))
    try save(tapText)
    #expect(watch.takeChange { _ in nil } == nil)
  }
}
