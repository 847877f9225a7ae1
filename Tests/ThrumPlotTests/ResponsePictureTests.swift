import Foundation
import Testing

@testable import ThrumPlot

@Suite("Pictures of drives and responses")
struct ResponsePictureTests {
  private func picture(_ cases: [[Float]]) -> ResponsePicture {
    ResponsePicture(
      title: "tap", subtitle: ["175 Hz"],
      cases: cases.enumerated().map { index, samples in
        .init(
          name: "case \(index)", figures: "peak \(index)", drive: samples, response: samples.map { $0 * 0.3 },
          envelope: samples.map { abs($0 * 0.3) })
      },
      rate: 48_000, driveTitle: "drive", responseTitle: "acceleration")
  }

  private let tone = (0..<48_000).map { Float(sin(Double($0) * 0.0229)) }

  @Test("A case is a row; more than four are left out")
  func rows() {
    let heights = (1...6).map { picture(Array(repeating: tone, count: $0)).size.height }
    let steps = zip(heights.dropFirst(), heights).map { $0 - $1 }
    #expect(steps == [170, 170, 170, 0, 0])
    #expect(picture([tone]).size.width == 760)
  }

  @Test(
    "Any samples give a picture, the same each time",
    arguments: [[], [[]], [[0]], [[0, 1, -1]], [[.nan, .infinity, -.infinity]], [[1e30], []]] as [[[Float]]])
  func anything(samples: [[Float]]) throws {
    let picture = picture(samples)
    let bytes = try picture.bytes(as: .png, scale: 1)
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try picture.bytes(as: .png, scale: 1) == bytes)
  }

  @Test("A minute of samples is no larger a drawing than a second, and its words have the figures")
  func length() throws {
    let short = try picture([tone]).bytes(as: .svg)
    let long = try picture([Array(repeating: tone, count: 60).flatMap { $0 }]).bytes(as: .svg)
    #expect(long.count < 2 * short.count)
    let words = String(decoding: short, as: UTF8.self)
    #expect(words.contains("case 0: peak 0"))
  }
}
