/// Where the parts of a pattern's picture stand, and their order of drawing.
struct PatternLayout {
  static let width = 1200.0
  private static let left = 92.0
  private static let right = 56.0
  private static let waveformHeight = 220.0
  private static let laneHeight = 116.0
  private static let soundHeight = 30.0
  private static let spectrumHeight = 230.0
  private static let gap = 16.0
  private static let lineHeight = 19.0

  let picture: PatternPicture
  private let warning: String?
  private let sounds: [EventMark]
  private let seconds: Double
  private let times: ClosedRange<Double>

  init(_ picture: PatternPicture) {
    self.picture = picture
    let broken = picture.brokenSampleCount
    let undrawn = picture.events.count { !$0.isDrawable }
    var leftOut: [String] = []
    if broken > 0 { leftOut.append(counted(broken, "sample")) }
    if undrawn > 0 { leftOut.append(counted(undrawn, "event")) }
    warning = leftOut.isEmpty ? nil : "Left out, without finite values: " + leftOut.joined(separator: ", ")
    sounds = picture.events.filter { $0.isDrawable && $0.kind == .sound }
    seconds = picture.seconds > 0 ? picture.seconds : 1
    // A little air, so that what happens at time 0 does not stand on the frame.
    times = -0.012 * seconds...1.012 * seconds
  }

  private var headHeight: Double {
    let lines = Double(picture.subtitle.count + (warning == nil ? 0 : 1))
    return 42 + lines * Self.lineHeight + 44
  }

  private var soundSpace: Double {
    (sounds.isEmpty ? 0 : Self.soundHeight + Self.gap)
      + (picture.sound.isEmpty ? 0 : Self.laneHeight + Self.gap)
  }

  var height: Double {
    headHeight + Self.waveformHeight + 2 * (Self.laneHeight + Self.gap) + soundSpace + 38 + 36
      + Self.spectrumHeight + 38 + 14
  }

  func draw(on canvas: Canvas) {
    drawHead(on: canvas)
    let across = Ticks.time(0...seconds, most: 13)
    var top = headHeight
    let waveform = panel(top, Self.waveformHeight, WaveformLane.range(of: picture.samples))
    WaveformLane(
      samples: picture.samples, rate: picture.rate, title: "signal (1 = full scale)", panel: waveform
    ).draw(on: canvas, across: across)
    markEnd(in: waveform, on: canvas)
    top = waveform.box.bottom + Self.gap
    if !picture.sound.isEmpty {
      let heard = panel(top, Self.laneHeight, WaveformLane.range(of: picture.sound))
      WaveformLane(samples: picture.sound, rate: picture.rate, title: "sound", panel: heard)
        .draw(on: canvas, across: across)
      markEnd(in: heard, on: canvas)
      top = heard.box.bottom + Self.gap
    }

    let lanes = EventLane.Value.allCases.map { value in
      let lane = EventLane(
        picture: picture, value: value, panel: panel(top, Self.laneHeight, value.axisRange))
      top = lane.panel.box.bottom + Self.gap
      return lane
    }
    for lane in lanes {
      lane.draw(on: canvas, across: across)
      markEnd(in: lane.panel, on: canvas)
    }
    var last = lanes[lanes.count - 1].panel
    if !sounds.isEmpty {
      last = panel(top, Self.soundHeight, 0...1)
      drawSounds(in: last, on: canvas, across: across)
    }
    let labels = last.drawAcrossLabels(across, title: "time (\(across.unit))", on: canvas)
    let spectrumTop = last.box.bottom + labels + 36
    let box = Box(left: Self.left, top: spectrumTop, width: innerWidth, height: Self.spectrumHeight)
    SpectrumLane(picture: picture, box: box).draw(on: canvas)
  }

  private var innerWidth: Double { Self.width - Self.left - Self.right }

  private func panel(_ top: Double, _ height: Double, _ vertical: ClosedRange<Double>) -> Panel {
    let box = Box(left: Self.left, top: top, width: innerWidth, height: height)
    return Panel(box: box, horizontal: times, vertical: vertical)
  }

  private func drawHead(on canvas: Canvas) {
    let x = 24.0
    let room = Self.width - 2 * x
    let title = canvas.fitted(picture.title, width: room, size: Style.titleSize, bold: true)
    canvas.text(title, at: Point(x: x, y: 38), size: Style.titleSize, bold: true)
    var y = 42.0
    for line in picture.subtitle {
      y += Self.lineHeight
      let text = canvas.fitted(line, width: room, size: Style.textSize)
      canvas.text(text, at: Point(x: x, y: y), size: Style.textSize, Style.quietInk)
    }
    if let warning {
      y += Self.lineHeight
      let text = canvas.fitted(warning, width: room, size: Style.textSize, bold: true)
      canvas.text(text, at: Point(x: x, y: y), size: Style.textSize, Style.warning, bold: true)
    }
    Legend(entries: legendEntries).draw(on: canvas, left: Self.left, baseline: headHeight - 13)
  }

  private var legendEntries: [Legend.Entry] {
    var entries = [
      Legend.Entry(shape: .line(Style.signal), text: "signal"),
      Legend.Entry(shape: .line(Style.outline.opacity(0.55)), text: "outline"),
    ]
    if picture.events.contains(where: { $0.kind == .transient }) {
      entries.append(Legend.Entry(shape: .stem(Style.transient), text: "transient"))
    }
    if picture.events.contains(where: { $0.kind == .continuous }) {
      entries.append(Legend.Entry(shape: .area(Style.continuous), text: "continuous"))
    }
    if !sounds.isEmpty { entries.append(Legend.Entry(shape: .area(Style.sound), text: "sound")) }
    if picture.intensityControl != nil || picture.sharpnessControl != nil {
      entries.append(Legend.Entry(shape: .dashes(Style.control), text: "control"))
    }
    if markedEnd != nil { entries.append(Legend.Entry(shape: .dots(Style.quietInk), text: "pattern's end")) }
    return entries
  }

  /// The pattern's end where it is not the end of the picture anyway.
  private var markedEnd: Double? {
    guard let end = picture.patternEnd, end.isFinite, end > 0, end < seconds * 0.998 else { return nil }
    return end
  }

  private func markEnd(in panel: Panel, on canvas: Canvas) {
    guard let end = markedEnd else { return }
    let x = snapped(panel.horizontal.place(of: end))
    canvas.line(
      Point(x: x, y: panel.box.top), Point(x: x, y: panel.box.bottom), Style.quietInk, dashes: [1.5, 3])
  }

  private func drawSounds(in panel: Panel, on canvas: Canvas, across: Ticks) {
    panel.drawGround(on: canvas, across: across, up: Ticks(marks: [], unit: ""), title: "")
    let baseline = panel.box.top + panel.box.height / 2 + 4.3
    canvas.text("sound", at: Point(x: panel.box.left - 8, y: baseline), align: .right)
    canvas.clipped(to: panel.box) {
      for sound in sounds.prefix(4000) {
        let start = panel.horizontal.boundedPlace(of: sound.time)
        let end = panel.horizontal.boundedPlace(of: sound.time + (sound.duration ?? times.upperBound))
        let height = 4 + 16 * min(max(sound.intensity, 0), 1)
        let bar = Box(
          left: start, top: panel.box.bottom - 5 - height, width: max(end - start, 1.5), height: height)
        canvas.fill(bar, Style.sound.opacity(0.35))
        canvas.stroke(bar, Style.sound, width: 1.2)
      }
    }
    markEnd(in: panel, on: canvas)
    panel.drawFrame(on: canvas)
  }
}
