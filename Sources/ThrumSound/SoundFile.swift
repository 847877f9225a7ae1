import CSndfile
import Glibc
import Synchronization
import ThrumEngine

/// Reads sound files: whatever libsndfile reads, from a regular file.
enum SoundFile {
  /// A file as it was read.
  struct Contents {
    let samples: SoundSamples
    /// Whether the file ends before its header says it does.
    let isCutShort: Bool
  }

  /// Frames read at a time.
  fileprivate static let blockFrames = 4096
  /// The most channels that are read; more is a broken header.
  private static let mostChannels = 64
  /// The largest sample that is taken for one, full scale being 1. Float files of integers reach 2³¹; what is near the
  /// end of Float32 would be no number any more where channels and voices are summed.
  fileprivate static let largestSample: Float = 0x1p32
  /// Rates between which soxr converts to what a card runs at.
  private static let rates = 1000...768_000

  /// Reads a file whole.
  /// - Parameters:
  ///   - path: The file.
  ///   - name: What to call it in an error.
  ///   - memory: Counts what it takes.
  static func read(path: String, name: String, memory: SoundMemory) throws(SoundError) -> Contents {
    let descriptor = try open(path, name: name)
    defer { close(descriptor) }
    var info = SF_INFO()
    let file = try begin(descriptor, &info, name: name)
    defer { sf_close(file) }
    let channels = Int(info.channels)
    guard (1...mostChannels).contains(channels), rates.contains(Int(info.samplerate)) else {
      throw SoundError(
        .invalidAudioResource,
        "\(name) has \(channels) channels at \(info.samplerate) Hz; 1 to \(mostChannels) channels at "
          + "\(rates.lowerBound) to \(rates.upperBound) Hz can be played")
    }
    let reading = Reading(file: file, channels: channels, name: name, memory: memory)
    let block = try reading.all(expectedFrames: Int(max(0, info.frames)))
    let samples = SoundSamples(
      takingOver: block.samples, rate: Int(info.samplerate), channels: channels, account: block.share)
    return Contents(samples: samples, isCutShort: isCutShort(file))
  }

  /// libsndfile has one place for why it refused a file, whichever thread asks.
  private static let refusals = Mutex(())

  /// Has libsndfile look at an opened file.
  private static func begin(
    _ descriptor: Int32, _ info: inout SF_INFO, name: String
  ) throws(SoundError) -> OpaquePointer {
    let (file, refusal) = refusals.withLock { _ in
      let file = thrum_sndfile_open(descriptor, &info)
      return (file, file == nil ? reason(nil) : "")
    }
    guard let file else { throw SoundError(.invalidAudioResource, "\(name) cannot be read: \(refusal)") }
    return file
  }

  /// Opens a regular file; anything else may never answer.
  private static func open(_ path: String, name: String) throws(SoundError) -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      let isAbsent = number == ENOENT || number == ENOTDIR
      throw SoundError(
        isAbsent ? .fileNotFound : .invalidAudioResource,
        "\(name) \(isAbsent ? "is not there" : "cannot be opened: \(systemMessage(number))")")
    }
    var status = stat()
    if fstat(descriptor, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFREG {
        if status.st_size > 0 { return descriptor }
        close(descriptor)
        throw SoundError(.invalidAudioResource, "\(name) is empty; a sound file is needed")
      }
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a file"
      close(descriptor)
      throw SoundError(.invalidAudioResource, "\(name) is \(kind); a sound file is needed")
    }
    let number = errno
    close(descriptor)
    throw SoundError(.invalidAudioResource, "\(name) cannot be read: \(systemMessage(number))")
  }

  /// libsndfile's last message, without its full stop.
  fileprivate static func reason(_ file: OpaquePointer?) -> String {
    var text = String(cString: sf_strerror(file))
    while text.hasSuffix(".") || text.hasSuffix("\n") { text.removeLast() }
    if text.hasPrefix("Error : ") { text.removeFirst(8) }
    return text
  }

  /// Whether libsndfile corrected the length of the samples that the header states. A header that leaves it open, as
  /// programs that write into a pipe do, is none that is wrong.
  private static func isCutShort(_ file: OpaquePointer) -> Bool {
    var log = [CChar](repeating: 0, count: 16_384)
    let length = Int(thrum_sndfile_log(file, &log, Int32(log.count)))
    guard length > 0 else { return false }
    let text = String(
      decoding: log.prefix(min(length, log.count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: "\n").contains { line in
      guard line.contains("(should be "), line.contains("data") || line.contains("SSND") else { return false }
      return !line.contains(": 0 (") && !line.contains("4294967295")
    }
  }

  private static func systemMessage(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "it may not be read; check its permissions"
    case ELOOP: "too many symbolic links"
    case ENAMETOOLONG: "the name is too long"
    case EMFILE, ENFILE: "too many files are open"
    default: "system error \(number)"
    }
  }
}

/// The reading of one opened file.
private struct Reading {
  let file: OpaquePointer
  let channels: Int
  let name: String
  let memory: SoundMemory

  /// Samples and the share of the memory they take.
  struct Block {
    var samples: UnsafeMutableBufferPointer<Float>
    var share: SoundMemory.Share
  }

  /// All frames there are, which may be fewer than the header says.
  func all(expectedFrames: Int) throws(SoundError) -> Block {
    guard expectedFrames > 0 else {
      throw SoundError(.invalidAudioResource, "\(name) holds no sound; its length is 0")
    }
    // A header may state anything: it must fit, and the system gives the memory page by page as frames arrive.
    let (stated, overflows) = expectedFrames.multipliedReportingOverflow(by: channels * 4)
    if overflows || stated > memory.capacity {
      throw memory.refusal(of: name, bytes: overflows ? .max : stated)
    }
    guard let share = memory.share(ofBytes: stated) else { throw memory.refusal(of: name, bytes: stated) }
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: expectedFrames * channels)
    var frames = 0
    while frames < expectedFrames, let base = samples.baseAddress {
      let wanted = min(SoundFile.blockFrames, expectedFrames - frames)
      let got = Int(sf_readf_float(file, base + frames * channels, sf_count_t(wanted)))
      guard got > 0 else { break }
      frames += min(got, wanted)
    }
    if let problem = problem(in: samples, frames: frames, expected: expectedFrames) {
      samples.deallocate()
      throw problem
    }
    return frames == expectedFrames
      ? Block(samples: samples, share: share) : shortened(samples, frames: frames, share)
  }

  private func problem(in samples: UnsafeMutableBufferPointer<Float>, frames: Int, expected: Int)
    -> SoundError?
  {
    if frames == 0 {
      let reason = sf_error(file) == 0 ? "it ends before its first frame" : SoundFile.reason(file)
      return SoundError(.invalidAudioResource, "\(name) holds no sound: \(reason)")
    }
    let bad = samples[..<(frames * channels)].firstIndex { !(abs($0) <= SoundFile.largestSample) }
    guard let bad else { return nil }
    let kind = samples[bad].isFinite ? "far beyond full scale" : "not a number"
    return SoundError(
      .invalidAudioResource,
      "\(name) holds a sample that is \(kind), in frame \(bad / channels); write the file anew")
  }

  /// Only what was read.
  private func shortened(
    _ samples: UnsafeMutableBufferPointer<Float>, frames: Int, _ share: SoundMemory.Share
  ) -> Block {
    let kept = UnsafeMutableBufferPointer<Float>.allocate(capacity: frames * channels)
    for index in kept.indices { kept.initializeElement(at: index, to: samples[index]) }
    samples.deallocate()
    return Block(samples: kept, share: memory.share(ofBytes: kept.count * 4) ?? share)
  }
}
