import Glibc

/// A clock of the system, in nanoseconds.
public enum Clock {
  /// Time on the wall.
  public static var wall: Double { read(CLOCK_MONOTONIC) }

  /// Processor time of the calling thread.
  public static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Processor time of the whole process, user and system.
  public static var process: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Lets other threads run for so long.
  public static func rest(seconds: Double) { usleep(UInt32(seconds * 1e6)) }
}

/// The natural logarithm of a positive number.
func logarithm(_ value: Double) -> Double { log(value) }

/// Bytes of memory that the process has in RAM; 0 where the system does not tell.
public func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let words = text.split(separator: " ")
  guard words.count > 1, let pages = Int(words[1]) else { return 0 }
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
