// An AHAP file to a WAV file of Float32 by the library, with room for as many voices as the file has events: `thrum render` holds
// 256 at once.
//
//   bench-offline RATE IN.ahap OUT.wav
import Glibc
import ThrumEngine
import ThrumPattern
import ThrumRealtime

let arguments = CommandLine.arguments
guard arguments.count == 4, let rate = Int(arguments[1]), let file = fopen(arguments[3], "w") else {
  print("usage: bench-offline RATE IN.ahap OUT.wav")
  exit(2)
}
// In large pieces: small ones cost more than the arithmetic.
setvbuf(file, nil, _IOFBF, 1 << 18)
do {
  let schedule = ScheduleCompiler.compile(try PatternFile.read(path: arguments[2]).pattern)
  var settings = RendererSettings()
  settings.voiceCapacity = max(256, min(65_536, schedule.eventCount))
  func write(_ bytes: UnsafeRawBufferPointer) {
    if fwrite(bytes.baseAddress, 1, bytes.count, file) != bytes.count {
      print("bench-offline: \(arguments[3]) cannot be written")
      exit(1)
    }
  }
  let empty = try WAVWriter(format: .float, channels: 1, rate: rate, frames: 0)
  empty.header.withUnsafeBytes(write)
  let result = OfflineRender.render(
    schedule, profile: .none, rate: rate, format: .float, settings: settings, into: write)
  let whole = try WAVWriter(format: .float, channels: 1, rate: rate, frames: result.deviceFrames)
  fseek(file, 0, SEEK_SET)
  whole.header.withUnsafeBytes(write)
  guard fclose(file) == 0, result.stolenVoices == 0 else {
    print("bench-offline: not whole: \(result.stolenVoices) voices stolen")
    exit(1)
  }
} catch {
  print("bench-offline: \(error)")
  exit(1)
}
