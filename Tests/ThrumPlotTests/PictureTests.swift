import Foundation
import FoundationXML
import Testing

@testable import ThrumPlot

/// A pattern's picture with something of everything in it.
private func example(transients: Int = 3) -> PatternPicture {
  PatternPicture(
    title: "a \"b\" <c> & d", subtitle: ["first line", "second line"],
    samples: (0..<4000).map { Float(0.5 * sin(Double($0) / 8)) }, rate: 8000, patternEnd: 0.4,
    events: (0..<transients).map {
      EventMark(kind: .transient, time: Double($0) * 0.1, intensity: 0.5 + 0.1 * Double($0), sharpness: 0.4)
    } + [
      EventMark(kind: .continuous, time: 0.05, duration: 0.3, intensity: 0.6, sharpness: 0.3),
      EventMark(kind: .sound, time: 0.1, duration: nil, intensity: 1, sharpness: 0),
    ],
    intensityControl: Track(points: [.init(time: 0, value: 0), .init(time: 0.4, value: 1)], initialValue: 1),
    sharpnessControl: Track(points: [.init(time: 0.1, value: -0.5)], initialValue: 0))
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Counts the elements of an SVG and gathers the text of its title.
private final class SVGReader: NSObject, XMLParserDelegate {
  var elements: [String: Int] = [:]
  var title = ""
  private var path: [String] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements[name, default: 0] += 1
    path.append(name)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
  {
    path.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if path.last == "title" { title += string }
  }

  /// Parses, or fails with the parser's words.
  init(_ bytes: [UInt8]) throws {
    super.init()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }
}

@Suite("Pictures")
struct PictureTests {
  @Test("an SVG is well formed, and says in words what it shows")
  func wellFormed() throws {
    let bytes = try example().bytes(as: .svg)
    let reader = try SVGReader(bytes)
    #expect(reader.title == "a \"b\" <c> & d")
    #expect(reader.elements["svg"] == 1)
    #expect(reader.elements["title"] == 1)
    #expect(reader.elements["desc"] == 1)
    let svg = text(bytes)
    #expect(svg.contains("<title>a &quot;b&quot; &lt;c&gt; &amp; d</title>"))
    #expect(
      svg.contains("<desc>first line. second line. 3 transient and 1 continuous event. 1 sound event.</desc>")
    )
    #expect(svg.contains("width=\"1200px\""))
  }

  @Test("each transient adds a stem and a head to both lanes, in the transients' colour")
  func stems() throws {
    func count(_ transients: Int, _ property: String) throws -> Int {
      let svg = text(try example(transients: transients).bytes(as: .svg))
      return svg.components(separatedBy: "\(property):rgb(75.294118%,30.980392%,0%)").count - 1
    }
    for property in ["stroke", "fill"] {
      let three = try count(3, property)
      #expect(try count(4, property) == three + 2)
      #expect(three == 3 * 2 + 1, "the legend has one")
    }
  }

  @Test("a control and the pattern's end are dashed, and are not there without them")
  func dashes() throws {
    var picture = example()
    func dashed() throws -> Int {
      text(try picture.bytes(as: .svg)).components(separatedBy: "stroke-dasharray:5,3").count - 1
    }
    #expect(try dashed() == 3, "one in each lane, one in the legend")
    picture.intensityControl = nil
    picture.sharpnessControl = nil
    #expect(try dashed() == 0)
    let dots = "stroke-dasharray:1.5,3"
    #expect(text(try picture.bytes(as: .svg)).contains(dots))
    picture.patternEnd = 0.5
    #expect(!text(try picture.bytes(as: .svg)).contains(dots), "the signal's end is the picture's end")
  }

  @Test("the same picture is the same file, whatever was drawn before")
  func deterministic() throws {
    let first = try example().bytes(as: .svg)
    let between = try Histogram(title: "between", values: [1, 2], valueTitle: "x").bytes(as: .svg)
    #expect(between != first)
    #expect(try example().bytes(as: .svg) == first)
    #expect(try example().bytes(as: .png, scale: 1) == example().bytes(as: .png, scale: 1))
  }

  @Test("a PNG has the signature and the size it should", arguments: [1.0, 1.5, 2])
  func png(scale: Double) throws {
    let bytes = try example().bytes(as: .png, scale: scale)
    #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(16) == Int(1200 * scale))
    #expect(number(20) == Int((example().size.height * scale).rounded(.up)))
  }

  @Test("other pictures are well formed too")
  func charts() throws {
    let chart = LineChart(
      title: "chart", subtitle: ["s"], acrossTitle: "f (Hz)", upTitle: "level (dB)",
      series: [
        .init(name: "one", x: [1, 10, 100], y: [0, .nan, 2]), .init(name: "two", x: [5, -5], y: [1, 2]),
      ],
      isLogarithmic: true)
    #expect(try SVGReader(chart.bytes(as: .svg)).title == "chart")
    let histogram = Histogram(
      title: "histogram", values: [1, 2, 2, 3, 900, .nan], valueTitle: "latency (frames)")
    let bytes = try histogram.bytes(as: .svg)
    #expect(try SVGReader(bytes).title == "histogram")
    #expect(text(bytes).contains("latency (frames) of 5 values. p50 2. p99 900. max 900."))
  }
}

@Suite("Pictures of extreme values")
struct ExtremePictureTests {
  @Test("nothing at all still makes a picture")
  func empty() throws {
    try SVGReader(PatternPicture(title: "", samples: [], rate: 8000).bytes(as: .svg)).expectElements()
    try SVGReader(PatternPicture(title: "\u{0}\n\u{7F}", samples: [], rate: .nan).bytes(as: .svg))
      .expectElements()
    try SVGReader(PatternPicture(title: "x", samples: [1], rate: 0).bytes(as: .svg)).expectElements()
    try SVGReader(PatternPicture(title: "x", samples: [1], rate: 1e-300).bytes(as: .svg)).expectElements()
    try SVGReader(PatternPicture(title: "x", samples: [1, 0, 1], rate: 1e300).bytes(as: .svg))
      .expectElements()
    try SVGReader(PatternPicture(title: "x", samples: [1, 0, 1], rate: 50).bytes(as: .svg)).expectElements()
    try SVGReader(LineChart(title: "", acrossTitle: "", upTitle: "", series: []).bytes(as: .svg))
      .expectElements()
    try SVGReader(Histogram(title: "", values: [.nan], valueTitle: "").bytes(as: .svg)).expectElements()
  }

  @Test(
    "one sample of any value makes a picture",
    arguments: [0, 1, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
      as [Float])
  func oneSample(sample: Float) throws {
    let bytes = try PatternPicture(title: "x", samples: [sample], rate: 8000).bytes(as: .svg)
    try SVGReader(bytes).expectElements()
    #expect(!text(bytes).contains("nan") && !text(bytes).contains("inf\""))
  }

  @Test(
    "events of any value make a picture; those without finite values are counted",
    arguments: [-1, 0, 0.5, 2, 1e9, 3.4e38, .nan, .infinity, -.infinity] as [Double])
  func events(value: Double) throws {
    for kind in [EventMark.Kind.transient, .continuous, .sound] {
      var picture = PatternPicture(title: "x", samples: [], rate: 8000, patternEnd: value)
      picture.events = [
        EventMark(kind: kind, time: value, duration: 1, intensity: 0.5, sharpness: 0.5),
        EventMark(kind: kind, time: 0.5, duration: value, intensity: 0.5, sharpness: 0.5),
        EventMark(kind: kind, time: 0.5, duration: nil, intensity: value, sharpness: value),
      ]
      picture.intensityControl = Track(points: [.init(time: value, value: value)], initialValue: 1)
      picture.sharpnessControl = Track(points: [.init(time: 0.1, value: value)], initialValue: 0)
      let svg = try picture.bytes(as: .svg)
      try SVGReader(svg).expectElements()
      #expect(!text(svg).contains("nan"), "\(kind)")
    }
  }

  @Test(
    "100,000 events and 400,000 samples stay bounded",
    arguments: [EventMark.Kind.transient, .continuous, .sound])
  func many(kind: EventMark.Kind) throws {
    var samples = (0..<400_000).map { Float($0 % 71) / 71 - 0.5 }
    samples[200_000] = .nan
    let events = (0..<100_000).map { (number: Int) -> EventMark in
      let intensity = Double(number % 97) / 97
      let sharpness = Double(number % 89) / 89
      return EventMark(
        kind: kind, time: Double(number) * 0.0005, duration: Double(number % 1000) * 0.01,
        intensity: intensity,
        sharpness: sharpness)
    }
    let picture = PatternPicture(
      title: "many", samples: samples, rate: 8000, events: events,
      intensityControl: Track(values: samples, interval: 0.000125, initialValue: 1))
    let bytes = try picture.bytes(as: .svg)
    #expect(bytes.count < 3_000_000, "\(bytes.count) bytes")
    try SVGReader(bytes).expectElements()
  }

  @Test("a title of a hundred thousand letters is cut, not drawn beyond the edge")
  func longTitle() throws {
    let bytes = try PatternPicture(
      title: String(repeating: "wide ", count: 20_000), subtitle: [String(repeating: "漢字", count: 10_000)],
      samples: [],
      rate: 8000
    ).bytes(as: .png, scale: 0.5)
    #expect(bytes.count > 1000)
  }

  @Test("a picture larger than an image may be is refused")
  func tooLarge() {
    let picture = PatternPicture(title: "x", samples: [], rate: 8000)
    #expect(throws: PlotError.sizeOutOfRange(width: 120_000, height: picture.size.height * 100)) {
      try picture.bytes(as: .png, scale: 100)
    }
    for scale in [Double.nan, 0, -1, .infinity] {
      #expect(throws: PlotError.self) { try picture.bytes(as: .png, scale: scale) }
    }
    #expect(
      PlotError.sizeOutOfRange(width: 120_000, height: 100).description
        == "cannot draw a picture of 120000 by 100 pixels: use 1 to 32767 on each side")
  }
}

extension SVGReader {
  fileprivate func expectElements() { #expect(elements["svg"] == 1 && elements["path", default: 0] > 10) }
}
