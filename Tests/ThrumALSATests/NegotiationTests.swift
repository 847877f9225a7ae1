import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

/// What is agreed with a device, and what is said where nothing can be: on a card with limits like
/// hardware's.
@Suite struct NegotiationTests {
  private func opened(_ keys: String, _ request: ALSARequest = ALSARequest()) throws -> OutputDescription {
    let card = try TestCard(keys)
    let output = try ALSAOutput.open(name: "card", request: request, configuration: card.configuration)
    defer { output.close() }
    return output.output
  }

  private func refusal(_ keys: String, _ request: ALSARequest = ALSARequest()) throws -> String {
    let card = try TestCard(keys)
    do {
      let output = try ALSAOutput.open(name: "card", request: request, configuration: card.configuration)
      output.close()
      Issue.record("opened \(output.output)")
      return ""
    } catch {
      #expect(error.message.contains("\"card\""))
      #expect(error.message.split(separator: "\n").count <= 3)
      return error.message
    }
  }

  @Test(arguments: [
    ("8000,48000", 8000), ("44100,48000", 48000), ("44100,96000", 44100), ("96000,192000", 96000),
    ("16000,32000", 32000), ("11025,16000", 16000), ("4000..200000", 8000),
  ])
  func theNativeRateIsPreferredThenTheCommonOnes(rates: String, expected: Int) throws {
    #expect(try opened("rates \"\(rates)\"").rate == expected)
  }

  @Test func soundHasTheRateAndTheChannelsThatItNeeds() throws {
    let server = "rates \"4000..200000\" channels \"1..8\""
    let both = try opened(server, .sound)
    #expect(both.rate == 48000 && both.channels == 2)
    #expect(try opened("rates \"8000,44100\" channels \"1..8\"", .sound).rate == 44100)
    #expect(try opened("rates \"8000\" channels \"1\"", .sound).rate == 8000)
    #expect(try opened("channels \"1\"", .sound).channels == 1)
    var mapped = ALSARequest(channels: 3)
    mapped.carriesSound = true
    let beside = try opened(server, mapped)
    #expect(beside.rate == 48000 && beside.channels == 3)
    mapped.rate = 8000
    #expect(try opened(server, mapped).rate == 8000)
  }

  @Test(arguments: ALSARequest.rates)
  func aRateThatIsAskedForIsTaken(rate: Int) throws {
    #expect(try opened("rates \"8000..96000\"", ALSARequest(rate: rate)).rate == rate)
  }

  @Test func aRateTheCardDoesNotHaveIsRefusedWithThoseItHas() throws {
    let message = try refusal("rates \"44100,48000\"", ALSARequest(rate: 96000))
    #expect(message.contains("no rate of 96000"))
    #expect(message.contains("48000, 44100"))
    #expect(try refusal("rates \"192000,384000\"").contains("192000 to 384000"))
    #expect(try refusal("", ALSARequest(rate: 11025)).contains("Thrum has no rate of 11025"))
  }

  @Test(arguments: [
    ("S16_LE,S32_LE", SampleFormat.s32), ("S16_LE,S24_3LE,FLOAT_LE", .s24in3), ("S24_LE,S16_LE", .s24),
    ("FLOAT_LE,S16_LE", .s16), ("FLOAT_LE", .float),
  ])
  func theMostExactFormatIsPreferred(formats: String, expected: SampleFormat) throws {
    #expect(try opened("formats \"\(formats)\"").format == expected)
  }

  @Test(arguments: SampleFormat.allCases)
  func aFormatThatIsAskedForIsTakenOrRefused(format: SampleFormat) throws {
    #expect(try opened("", ALSARequest(format: format)).format == format)
    let other: SampleFormat = format == .s16 ? .s32 : .s16
    let message = try refusal("formats \"\(other.alsaName)\"", ALSARequest(format: format))
    #expect(message.contains("no format \(format.alsaName); it has \(other.alsaName)"))
  }

  @Test(
    arguments: [("1..2", nil, 1), ("2..8", nil, 2), ("1..8", 4, 4), ("2,4,6", 3, 4), ("4..4", 2, 4)]
      as [(String, Int?, Int)])
  func theFewestChannelsAreOpened(channels: String, asked: Int?, expected: Int) throws {
    #expect(try opened("channels \"\(channels)\"", ALSARequest(channels: asked)).channels == expected)
  }

  @Test func moreThanTwoChannelsNeedAMapAndTooFewAreRefused() throws {
    #expect(try refusal("channels \"4..8\"").contains("4 to 8 channels"))
    #expect(try refusal("channels \"4..8\"").contains("--channels"))
    #expect(try refusal("channels \"1..2\"", ALSARequest(channels: 4)).contains("the map names 4"))
  }

  @Test(arguments: [
    (ALSARequest.Period.seconds(0.005), 3, 8000, 40, 120), (.seconds(0.001), 3, 48000, 48, 144),
    (.frames(2730), 3, 8000, 2730, 8190), (.frames(256), 2, 48000, 256, 512),
    (.seconds(0.01), 8, 44100, 441, 3528),
  ])
  func periodAndBufferAreWhatWasAskedFor(
    period: ALSARequest.Period, periods: Int, rate: Int, periodFrames: Int, bufferFrames: Int
  ) throws {
    let output = try opened("", ALSARequest(rate: rate, period: period, periods: periods))
    #expect(output.periodFrames == periodFrames)
    #expect(output.bufferFrames == bufferFrames)
  }

  @Test func aCardWithAFixedPeriodGivesItsOwn() throws {
    // 1,024 frames of S32, four periods.
    let keys =
      "formats \"S32_LE\" channels \"1..1\" period_bytes \"4096..4096\" buffer_bytes \"16384..16384\""
    let output = try opened(keys)
    #expect(output.periodFrames == 1024)
    #expect(output.bufferFrames == 4096)
  }

  @Test(arguments: [(8000, 8), (44100, 45), (48000, 48), (96000, 96)])
  func aMillisecondIsRoundedUpToWholeFrames(rate: Int, frames: Int) throws {
    #expect(try opened("", ALSARequest(rate: rate, period: .seconds(0.001))).periodFrames == frames)
    let shorter = ALSARequest(rate: rate, period: .frames(frames - 1))
    #expect(try refusal("", shorter).contains("the smallest is \(frames) frames"))
  }

  @Test func impossiblePeriodsAreRefused() throws {
    #expect(try refusal("", ALSARequest(period: .seconds(0.0005))).contains("1 ms"))
    #expect(try refusal("", ALSARequest(rate: 48000, period: .frames(40))).contains("1 ms"))
    #expect(try refusal("", ALSARequest(period: .seconds(.nan))).contains("1 ms"))
    #expect(try refusal("", ALSARequest(periods: 1)).contains("2 to 64"))
  }

  @Test func aPlugShowsTheHardwareRateInsteadOfConverting() throws {
    let card = try TestCard("rates \"48000,96000\"")
    let output = try ALSAOutput.open(
      name: "plugged", request: ALSARequest(), configuration: card.configuration)
    #expect(output.output.rate == 48000)
    output.close()
  }

  @Test func bothAccessesAreTaken() throws {
    for (keys, access) in [("access \"mmap\"", PCMAccess.mmap), ("access \"rw\"", .readWrite)] {
      let card = try TestCard(keys)
      let output = try ALSAOutput.open(
        name: "card", request: ALSARequest(), configuration: card.configuration)
      #expect(output.access == access)
      output.close()
    }
  }
}
