import Testing

@testable import ThrumPlot

@Suite("Decimation")
struct ExtremesTests {
  @Test("each column has the extremes of its own samples")
  func columns() {
    let samples: [Float] = [0, 1, -2, 3, .nan, 5, 6, -7]
    let halves = Extremes.columns(of: samples, count: 2)
    #expect(halves == [Extremes(low: -2, high: 3), Extremes(low: -7, high: 6)])
    #expect(Extremes.columns(of: [.nan, 1], count: 2) == [nil, Extremes(low: 1, high: 1)])
    #expect(Extremes.columns(of: [], count: 3) == [nil, nil, nil])
    #expect(Extremes.columns(of: samples, count: 0).isEmpty)
  }

  @Test("a single peak is kept wherever it stands", arguments: [1, 7, 100, 1052])
  func keepsPeaks(count: Int) {
    let length = 100_003
    for position in stride(from: 0, to: length, by: 9_091) {
      var samples = [Float](repeating: 0.1, count: length)
      samples[position] = 0.9
      samples[(position + 50_000) % length] = -0.8
      let columns = Extremes.columns(of: samples, count: count).compactMap { $0 }
      #expect(columns.count == count)
      #expect(columns.map(\.high).max() == 0.9, "\(position)")
      #expect(columns.map(\.low).min() == -0.8, "\(position)")
    }
  }

  @Test("the outline joins the tips of an oscillation and lies on the ground between events")
  func outlines() {
    let samples: [Float] = [0, 0.5, 0, -1, 0, 0.5, 0]
    #expect(outline(of: samples, reach: 1, limit: 100).map(\.position) == [0, 1, 3, 5, 6])
    #expect(outline(of: samples, reach: 1, limit: 100).map(\.magnitude) == [0, 0.5, 1, 0.5, 0])
    #expect(outline(of: samples, reach: 3, limit: 100).map(\.position) == [0, 3, 6])

    var apart = [Float](repeating: 0, count: 1000)
    apart[10] = 1
    apart[900] = 1
    #expect(outline(of: apart, reach: 2, limit: 100).map(\.position) == [0, 2, 8, 10, 12, 898, 900, 999])
    #expect(outline(of: apart, reach: 2, limit: 100).map(\.magnitude) == [0, 0, 0, 1, 0, 0, 1, 0])

    #expect(outline(of: [], reach: 2, limit: 100).isEmpty)
    #expect(outline(of: [.nan], reach: 2, limit: 100).map(\.magnitude) == [0])
    #expect(outline(of: [.infinity, 1], reach: 2, limit: 100).map(\.magnitude) == [0, 1])
  }

  @Test("an outline of many tips keeps the highest")
  func thinsOutline() {
    var samples = (0..<100_000).map { Float($0.isMultiple(of: 4) ? 0.2 : 0) }
    samples[54_321] = 0.9
    let tips = outline(of: samples, reach: 2, limit: 500)
    #expect(tips.count <= 500)
    #expect(tips.map(\.magnitude).max() == 0.9)
    #expect(tips.map(\.position) == tips.map(\.position).sorted())
  }
}

@Suite("Tracks")
struct TrackTests {
  private let track = Track(
    points: [
      .init(time: 2, value: 1), .init(time: 1, value: 0), .init(time: 2, value: 0.25),
      .init(time: .nan, value: 1),
      .init(time: 4, value: 0.75),
    ], initialValue: 0.5)

  @Test(
    "a track holds before and after its points, is straight between them, and steps",
    arguments: [(0.0, 0.5), (0.999, 0.5), (1, 0), (1.5, 0.5), (2, 0.25), (3, 0.5), (4, 0.75), (9, 0.75)])
  func value(time: Double, value: Double) {
    #expect(track.value(at: time) == value)
  }

  @Test("its line has both sides of a step, and the hold before the first point")
  func line() {
    let line = track.line(from: 0, to: 3, limit: 100)
    #expect(line.map(\.time) == [0, 1, 1, 2, 2, 3])
    #expect(line.map(\.value) == [0.5, 0.5, 0, 1, 0.25, 0.5])
    #expect(track.line(from: 5, to: 6, limit: 100).map(\.value) == [0.75, 0.75])
    #expect(track.line(from: 1, to: 1, limit: 100).isEmpty)
    #expect(Track(points: [], initialValue: 1).line(from: 0, to: 2, limit: 4).map(\.value) == [1, 1])
  }

  @Test("a line of many points is thinned and keeps its extremes")
  func thinned() {
    var values = [Float](repeating: 0.5, count: 20_000)
    values[7_777] = 1
    values[15_000] = 0
    let line = Track(values: values, interval: 0.001, initialValue: 0.5).line(from: 0, to: 20, limit: 200)
    #expect(line.count <= 203)
    #expect(line.map(\.value).max() == 1)
    #expect(line.map(\.value).min() == 0)
    #expect(line.map(\.time) == line.map(\.time).sorted())
  }
}
