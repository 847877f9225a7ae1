import Glibc

/// `thrum audition` in a terminal of its own, and somebody at its keys.
final class Terminal {
  let pid: pid_t
  private let end: Int32
  private(set) var bytes = 0

  // TIOCSPTLCK, TIOCGPTN and POSIX_SPAWN_SETSID of Linux's and glibc's headers.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430
  private static let newSession: Int16 = 0x80

  /// Starts a program, 80 by 24 characters.
  init(_ arguments: [String], environment: [String]) {
    // What posix_openpt, unlockpt and ptsname do, which Glibc's module leaves out.
    end = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number) = (Int32(0), UInt32(0))
    guard end >= 0, ioctl(end, Self.setLock, &lock) == 0, ioctl(end, Self.getNumber, &number) == 0 else {
      fail("no terminal can be made")
    }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    if ioctl(end, UInt(TIOCSWINSZ), &size) != 0 { fail("the terminal has no size") }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    // A new session whose first terminal this is.
    posix_spawnattr_setflags(&attributes, Self.newSession)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    var started: pid_t = 0
    let code = posix_spawn(&started, arguments[0], &actions, &attributes, &words, &variables)
    for word in words + variables { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    guard code == 0 else { fail("\(arguments[0]) cannot be started: \(String(cString: strerror(code)))") }
    pid = started
    if fcntl(end, F_SETFL, O_NONBLOCK) != 0 { fail("the terminal blocks") }
  }

  /// Presses a key.
  func press(_ key: Character) {
    let letters = Array(String(key).utf8)
    if write(end, letters, letters.count) != letters.count { fail("thrum audition has gone") }
  }

  /// Lets time pass, and reads what is drawn meanwhile.
  func rest(seconds: Double) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let until = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 + seconds
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      clock_gettime(CLOCK_MONOTONIC, &time)
      let left = until - Double(time.tv_sec) - Double(time.tv_nsec) / 1e9
      if left <= 0 { return }
      var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      // What is less than a millisecond is slept, so that presses fall anywhere in a period.
      if left < 0.001 {
        usleep(UInt32(left * 1e6))
        return
      }
      if poll(&entry, 1, Int32(left * 1000)) > 0 {
        let count = read(end, &block, block.count)
        if count > 0 { bytes += count } else { usleep(1000) }
      }
    }
  }

  /// The processor time that the program has taken, nanoseconds.
  var processorNanoseconds: Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      fail("thrum audition has gone")
    }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// How often the render thread has been woken; nil while there is none.
  var renderWakeUps: Int? {
    guard let folder = opendir("/proc/\(pid)/task") else { return nil }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let path = "/proc/\(pid)/task/\(name)/status"
      guard let file = fopen(path, "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      var isRender = false
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let words = text.split { $0 == "\t" || $0 == "\n" || $0 == " " }
        if words.first == "Name:" { isRender = words.last == "thrum-alsa" }
        if isRender, words.first == "voluntary_ctxt_switches:", let count = words.last { return Int(count) }
      }
    }
    return nil
  }

  /// Quits, and waits for the end.
  func quit() {
    press("q")
    var status: Int32 = 0
    for _ in 0..<200 {
      rest(seconds: 0.05)
      if waitpid(pid, &status, WNOHANG) == pid { return }
    }
    kill(pid, SIGKILL)
    fail("thrum audition does not quit")
  }
}
