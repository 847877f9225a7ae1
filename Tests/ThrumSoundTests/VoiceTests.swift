import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@Suite("What sounds sound like")
struct VoiceTests {
  @Test("The built-in sound has its pitch, its level and a side", arguments: [48_000, 44_100, 8_000])
  func tone(rate: Int) throws {
    for pitch in [-1, -0.3, 0, 0.5, 1] as [Float] {
      let output = try render(Pattern(.tone(for: 1, pitch: pitch, pan: -1)), rate: rate)
      let middle = output.left.slice(rate / 4, rate / 2)
      let hertz = 220 * exp2(Double(pitch))
      #expect(abs(ToneFit(middle, near: hertz, rate: Double(rate)).frequency - hertz) < 0.02)
      #expect(abs(peak(middle) - 0.5) < 0.02)
      #expect(peak(output.right) < 1e-12)
      #expect(output.left[(rate == 8_000 ? 0 : 36) * rate / 48_000] == 0)
    }
  }

  @Test("Panned, the power stays; turned down, the level follows")
  func panAndVolume() throws {
    for pan in [-1, -0.5, 0, 0.25, 1] as [Float] {
      let output = try render(Pattern(.tone(pan: pan)), rate: 8_000)
      let left = rms(output.left, from: 0.1, to: 0.4)
      let right = rms(output.right, from: 0.1, to: 0.4)
      let angle = Double.pi * (1 + Double(pan)) / 4
      #expect(abs(left / (left * left + right * right).squareRoot() - cos(angle)) < 1e-6)
      #expect(abs(right / (left * left + right * right).squareRoot() - sin(angle)) < 1e-6)
    }
    let loud = try render(Pattern(.tone()), rate: 8_000)
    let soft = try render(Pattern(.tone(volume: 0.25)), rate: 8_000)
    #expect(abs(peak(soft.left) / peak(loud.left) - 0.25) < 1e-6)
  }

  @Test("Brightness takes the upper partials away and leaves a full one untouched")
  func brightness() throws {
    let bright = try render(Pattern(.tone(for: 1, pan: -1)))
    let dull = try render(Pattern(.tone(for: 1, pan: -1, brightness: 0)))
    func level(_ signal: [Double], _ hertz: Double) -> Double {
      ToneFit(signal.slice(12_000, 24_000), near: hertz, rate: 48_000).amplitude
    }
    // At brightness 0 the corner is the tone itself: −3 dB there, −24 dB two octaves up.
    #expect(abs(decibels(level(dull.left, 220) / level(bright.left, 220)) + 3) < 0.2)
    #expect(abs(decibels(level(dull.left, 880) / level(bright.left, 880)) + 24.1) < 0.5)
  }

  @Test("A file at the output's rate passes to the bit", arguments: [48_000, 44_100, 8_000])
  func transparent(rate: Int) throws {
    let files = try SoundFiles()
    let signal = testSignal(rate: rate, channels: 2, seconds: 0.2)
    _ = try files.wav(signal, named: "a.wav", rate: rate, channels: 2)
    let pattern = Pattern(.sound("a.wav", at: 0.1, envelope: false))
    let output = try render(pattern, sounds: find(pattern, in: files.folder.path), rate: rate)
    let delay = rate == 48_000 ? 36 : rate == 44_100 ? 33 : 0
    let first = rate / 10 + delay
    for frame in 0..<signal.count / 2 {
      #expect(output.left[first + frame] == Double(signal[2 * frame]))
      #expect(output.right[first + frame] == Double(signal[2 * frame + 1]))
    }
    #expect(output.left.dropFirst(first + signal.count / 2).allSatisfy { $0 == 0 })
    #expect(output.left.prefix(first).allSatisfy { $0 == 0 })
  }

  @Test("An octave up a tone is twice as high and half as long, and nothing folds")
  func pitch() throws {
    let files = try SoundFiles()
    func tone(_ hertz: Double) -> [Float] {
      let step = 2 * Double.pi * hertz / 48_000
      return (0..<24_000).map { frame in Float(0.5 * sin(step * Double(frame))) }
    }
    _ = try files.wav(tone(1000), named: "low.wav")
    _ = try files.wav(tone(15_000), named: "high.wav")
    for pitch in [-1, -0.25, 0.5, 1] as [Float] {
      let pattern = Pattern(.sound("low.wav", envelope: false, pitch: pitch, pan: -1))
      let output = try render(pattern, sounds: find(pattern, in: files.folder.path))
      let factor = exp2(Double(pitch))
      let fit = ToneFit(output.left.slice(4000, 6000), near: 1000 * factor, rate: 48_000)
      #expect(abs(fit.frequency - 1000 * factor) < 0.05)
      #expect(abs(fit.amplitude - 0.5) < 0.001)
      print("pitch \(pitch): rest \(fit.distortion) dB")
      #expect(fit.distortion < -80)
      let last = try #require(output.left.lastIndex { abs($0) > 0.01 })
      #expect(abs(Double(last - 36) - 24_000 / factor) < 20)
    }
    let pattern = Pattern(.sound("high.wav", envelope: false, pitch: 1))
    let output = try render(pattern, sounds: find(pattern, in: files.folder.path))
    // 30 kHz would fold to 18 kHz.
    #expect(decibels(rms(output.left, from: 0.05, to: 0.2, rate: 48_000)) < -60)
  }

  @Test("The same bytes come out whatever is asked for at a time", arguments: [48_000, 44_100])
  func blocks(rate: Int) throws {
    let files = try SoundFiles()
    _ = try files.wav(
      testSignal(rate: 22_050, channels: 2, seconds: 0.3), named: "a.wav", rate: 22_050, channels: 2)
    let curves: [ParameterCurve] = [
      ParameterCurve(
        id: .audioVolumeControl, time: 0.05, points: [.init(time: 0, value: 1), .init(time: 0.1, value: 0.2)]),
      ParameterCurve(
        id: .audioPitchControl, time: 0.0,
        points: [.init(time: 0, value: -0.5), .init(time: 0.3, value: 0.5)]),
      ParameterCurve(
        id: .audioBrightnessControl, time: 0.1,
        points: [.init(time: 0, value: 0), .init(time: 0.1, value: -0.9)]),
    ]
    let steps = [
      DynamicParameter(id: .audioPanControl, value: 0.7, time: 0.07),
      DynamicParameter(id: .audioVolumeControl, value: 0.9, time: 0.21),
      DynamicParameter(id: .audioReleaseTimeControl, value: 0.3, time: 0.1),
    ]
    let pattern = Pattern(
      .tap(at: 0.013), .tone(at: 0.01, for: 0.2), .sound("a.wav", at: 0.0307),
      .tone(at: 0.0713, for: 0.1, pitch: 0.4),
      .sound("a.wav", at: 0.1, for: 0.15, loop: true, pitch: 0.2), parameters: steps, curves: curves)
    let sounds = try find(pattern, in: files.folder.path)
    let whole = try render(pattern, sounds: sounds, rate: rate)
    #expect(peak(whole.left) > 0.1)
    for block in [1, 7, 64, 480] {
      let other = try render(pattern, sounds: sounds, rate: rate, blockFrames: block)
      #expect(other.signals == whole.signals, "\(block) frames at a time")
    }
  }

  @Test("Steps of the controls do not click", arguments: [48_000, 44_100])
  func steps(rate: Int) throws {
    let files = try SoundFiles()
    let step = 2 * Double.pi * 155 / Double(rate)
    _ = try files.wav(
      (0..<rate).map { frame in Float(sin(step * Double(frame))) }, named: "hum.wav", rate: rate)
    let steps: [(DynamicParameterID, Float)] = [
      (.audioVolumeControl, 0), (.audioPanControl, 1), (.audioPitchControl, 0.5),
      (.audioBrightnessControl, -0.5),
    ]
    for (id, value) in steps {
      let pattern = Pattern(
        .sound("hum.wav", pan: -1), parameters: [DynamicParameter(id: id, value: value, time: 0.5)])
      let output = try render(pattern, sounds: find(pattern, in: files.folder.path), rate: rate)
      let level = highFrequencyLevel(output.left, in: rate * 45 / 100..<rate * 6 / 10, rate: Double(rate))
      print("\(id) at \(rate) Hz: \(level) dB")
      #expect(level <= -70, "\(id)")
    }
  }

  @Test("Many loud sounds stay below the ceiling, and quiet ones pass the limiter untouched")
  func limiter() throws {
    let files = try SoundFiles()
    _ = try files.wav(testSignal(rate: 48_000, channels: 2, seconds: 0.2), named: "a.wav", channels: 2)
    var loud = Pattern()
    for index in 0..<12 { loud.entries.append(.event(.tone(at: Double(index) * 0.013, for: 0.4, pan: -1))) }
    let output = try render(loud, profile: .safe)
    #expect(Float(peak(output.left)) <= 0.98)
    #expect(peak(output.left) > 0.9)
    let pattern = Pattern(.sound("a.wav", envelope: false))
    let sounds = try find(pattern, in: files.folder.path)
    let limited = try render(pattern, sounds: sounds, profile: .safe)
    let plain = try render(pattern, sounds: sounds)
    for frame in 0..<plain.left.count { #expect(limited.left[frame + 48] == plain.left[frame]) }
  }

  @Test("A map decides who carries what")
  func maps() throws {
    let pattern = Pattern(.tap(), .tone(pan: -1))
    let two = try render(pattern, map: ChannelMap([.haptic(0), .soundBoth]))
    let three = try render(pattern)
    #expect(two.signals[0] == three.haptic)
    for frame in two.signals[1].indices {
      #expect(two.signals[1][frame] == Double(Float(three.left[frame] + three.right[frame]) * 0.5))
    }
    let only = try render(pattern, map: ChannelMap([.soundRight, .soundLeft]))
    #expect(only.signals[1] == three.left)
    let silent = try render(pattern, map: ChannelMap([.haptic(0)]))
    // Without a channel for it the sound is not even begun.
    #expect(silent.haptic.count < three.haptic.count)
  }
}
