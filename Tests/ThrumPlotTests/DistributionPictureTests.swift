import Testing

@testable import ThrumPlot

@Suite("Pictures of distributions")
struct DistributionPictureTests {
  private func picture(_ values: [[Double]], difference: Bool = false) -> DistributionPicture {
    DistributionPicture(
      title: "Latency",
      series: values.enumerated().map { index, values in
        .init(
          name: "run \(index)", values: values,
          marks: [
            .init(name: "p50", value: 10), .init(name: "p99", value: 12), .init(name: "max", value: 12),
          ])
      },
      valueTitle: "latency (ms)",
      thresholds: [
        .init(name: "inside", value: 11), .init(name: "beyond", value: 24), .init(name: "far", value: 50),
      ],
      difference: difference ? .init(name: "difference (ms)", value: -1, interval: -2 ... -0.5) : nil,
      caption: [String(repeating: "word ", count: 60)])
  }

  private let values = (0..<500).map { 8 + 5 * Double($0) / 500 }

  @Test("It fits a column: 420 units across, letters of 10 units or more, and a caption that makes it longer")
  func size() throws {
    let one = picture([values])
    #expect(one.size.width == 420)
    #expect(picture([values], difference: true).size.height > one.size.height + 80)
    var longer = one
    longer.caption += longer.caption
    #expect(longer.size.height > one.size.height)
  }

  @Test(
    "Any values give a picture, the same each time",
    arguments: [
      [[]], [[1]], [[1, 1, 1]], [[.nan, .infinity]], [[1, 2], [2, 3]], [[1], []], [[-3, 1e12]],
    ])
  func anything(values: [[Double]]) throws {
    let picture = picture(values, difference: true)
    let bytes = try picture.bytes(as: .png, scale: 1)
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try picture.bytes(as: .png, scale: 1) == bytes)
    #expect(try picture.bytes(as: .svg).count > 500)
  }

  @Test("The words for who does not see it have the values, the marks and the caption")
  func summary() {
    let summary = picture([values, [1, 2]]).summary
    for words in ["run 0: 500 values", "run 1: 2 values", "p50 10.00", "word word"] {
      #expect(summary.contains(words), "\(summary)")
    }
  }
}
