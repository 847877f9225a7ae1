import CALSA
import CSystemd
import Glibc
import ThrumEngine

/// The system's service that gives real-time scheduling to programs without the right to it: rtkit, over D-Bus.
///
/// Unless it is configured otherwise that is SCHED_RR, which for one thread of a priority is the same as SCHED_FIFO.
/// It wants a limit on the time a thread may run without sleeping (RLIMIT_RTTIME), so that a program that runs away
/// can be stopped, and gives no priority above its own highest, 20 unless configured.
enum RealtimeKit {
  /// Why nothing was given, in a few words.
  struct Refusal: Error, Equatable {
    var words: String
  }

  private static let service = "org.freedesktop.RealtimeKit1"
  private static let path = "/org/freedesktop/RealtimeKit1"
  /// What a call may take, in microseconds: a bus that does not answer must not hold a device up.
  static let usualLimitMicroseconds: UInt64 = 1_000_000

  /// Asks for real-time scheduling for a thread of this process.
  /// - Parameters:
  ///   - thread: The kernel's number of it.
  ///   - priority: What to ask for; lowered to what the service gives at most.
  ///   - address: A bus in place of the system's; for tests.
  ///   - limitMicroseconds: How long each answer is waited for.
  /// - Returns: The priority that was given.
  ///
  /// Threads: the one that is to be real-time, before it is, or control. Real-time: no, waits for the bus.
  static func request(
    thread: Int32, priority: Int32, address: String? = nil, limitMicroseconds: UInt64 = usualLimitMicroseconds
  ) throws(Refusal) -> Int32 {
    let bus = try Bus(address: address, limitMicroseconds: limitMicroseconds)
    let highest = try bus.number("MaxRealtimePriority", "i", Int32(0))
    let longest = try bus.number("RTTimeUSecMax", "x", Int64(0))
    // Holds for the whole process, which a test shares with others.
    if address == nil { try limitRunTime(microseconds: longest) }
    let given = min(priority, highest)
    try bus.makeRealtime(thread: thread, priority: given)
    return given
  }

  /// Asks for the calling thread, in the words of ``RenderThread/scheduling``.
  static let grant: RenderThread.Grant = { priority in
    do throws(Refusal) {
      let given = try request(thread: gettid(), priority: priority)
      guard let obtained else { throw Refusal(words: "it gave \(given), which the kernel does not know of") }
      return ("\(obtained) by rtkit", "")
    } catch {
      return (nil, "rtkit: \(error.words)")
    }
  }

  /// The real-time scheduling that the calling thread has by the kernel's own account; nil where it has none.
  private static var obtained: String? {
    var parameters = sched_param()
    guard sched_getparam(0, &parameters) == 0 else { return nil }
    // Without the bit that says that its children do not inherit it.
    switch sched_getscheduler(0) & 0xFF {
    case SCHED_FIFO: return "SCHED_FIFO \(parameters.sched_priority)"
    case SCHED_RR: return "SCHED_RR \(parameters.sched_priority)"
    default: return nil
    }
  }

  /// Lowers RLIMIT_RTTIME to what the service wants, never raises it.
  private static func limitRunTime(microseconds: Int64) throws(Refusal) {
    let kind = __rlimit_resource_t(__RLIMIT_RTTIME.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { throw Refusal(words: "no limit can be read") }
    let wanted = UInt(max(0, microseconds))
    if limit.rlim_max <= wanted && limit.rlim_cur <= wanted { return }
    limit = rlimit(rlim_cur: min(limit.rlim_cur, wanted), rlim_max: min(limit.rlim_max, wanted))
    guard setrlimit(kind, &limit) == 0 else { throw Refusal(words: "no limit can be set") }
  }

  /// A connection to the system bus.
  private struct Bus: ~Copyable {
    private let bus: OpaquePointer
    private let limitMicroseconds: UInt64

    init(address: String?, limitMicroseconds: UInt64) throws(Refusal) {
      var bus: OpaquePointer?
      let code = address.map { thrum_bus_open_address(&bus, $0) } ?? sd_bus_open_system(&bus)
      guard code >= 0, let bus else {
        sd_bus_unref(bus)
        throw Refusal(words: "no system bus: \(String(cString: strerror(-code)))")
      }
      self.bus = bus
      self.limitMicroseconds = limitMicroseconds
      // Of every call, those for properties included.
      sd_bus_set_method_call_timeout(bus, limitMicroseconds)
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// A property of the service that is a number of the given D-Bus type.
    func number<Value: FixedWidthInteger>(
      _ property: String, _ type: StaticString, _ initial: Value
    ) throws(Refusal) -> Value {
      var value = initial
      var error = sd_bus_error()
      let code = sd_bus_get_property_trivial(
        bus, service, path, service, property, &error, CChar(type.utf8Start.pointee), &value)
      try check(code, &error)
      return value
    }

    func makeRealtime(thread: Int32, priority: Int32) throws(Refusal) {
      var message: OpaquePointer?
      var error = sd_bus_error()
      try check(
        sd_bus_message_new_method_call(bus, &message, service, path, service, "MakeThreadRealtimeWithPID"),
        &error)
      defer { sd_bus_message_unref(message) }
      var (process, thread, priority) = (UInt64(getpid()), UInt64(thread), UInt32(priority))
      let (long, short) = (CChar(UInt8(ascii: "t")), CChar(UInt8(ascii: "u")))
      var code = sd_bus_message_append_basic(message, long, &process)
      if code >= 0 { code = sd_bus_message_append_basic(message, long, &thread) }
      if code >= 0 { code = sd_bus_message_append_basic(message, short, &priority) }
      if code >= 0 { code = sd_bus_call(bus, message, limitMicroseconds, &error, nil) }
      try check(code, &error)
    }

    private func check(_ code: Int32, _ error: inout sd_bus_error) throws(Refusal) {
      defer { sd_bus_error_free(&error) }
      if code >= 0 { return }
      let words = error.message.map { String(cString: $0) } ?? String(cString: strerror(-code))
      throw Refusal(words: words)
    }
  }
}
