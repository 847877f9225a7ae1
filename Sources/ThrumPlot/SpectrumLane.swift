/// The averaged spectrum, on a logarithmic axis of frequency.
struct SpectrumLane {
  let spectrum: Spectrum
  let box: Box
  private let frequencies: ClosedRange<Double>

  /// The lowest frequency shown; nothing below is felt as a vibration.
  private static let lowest = 20.0
  /// The highest frequency shown; nothing above 1 kHz is felt, and the rest shows what should not be there.
  private static let highest = 4000.0
  /// Decibels from the top of the axis to its foot.
  private static let depth = 90.0

  init(picture: PatternPicture, box: Box) {
    spectrum = Spectrum.averaged(samples: picture.samples, rate: picture.rate)
    self.box = box
    let half = picture.rate > 0 && picture.rate.isFinite ? picture.rate / 2 : Self.highest
    frequencies = Self.lowest...max(min(Self.highest, half), Self.lowest * 10)
  }

  func draw(on canvas: Canvas) {
    let columns = columnLevels()
    let peak = columns.map(\.level).max() ?? Spectrum.floor
    let isSilent = peak <= Spectrum.floor
    let top = isSilent ? 0 : (peak / 10).rounded(.up) * 10 + 10
    let panel = Panel(
      box: box, horizontal: frequencies, vertical: top - Self.depth...top, isLogarithmic: true)
    let across = Ticks.frequency(frequencies)
    let up = Ticks.decibels(panel.vertical.range, most: 8)
    panel.drawGround(on: canvas, across: across, up: up, title: "level (dB)")
    if isSilent {
      let middle = Point(x: box.left + box.width / 2, y: box.top + box.height / 2)
      canvas.text("silence", at: middle, size: Style.textSize, Style.quietInk, align: .centre)
    } else {
      canvas.clipped(to: box) { drawLevels(columns, in: panel, on: canvas) }
      labelPeaks(columns, in: panel, on: canvas)
    }
    panel.drawFrame(on: canvas)
    panel.drawAcrossLabels(across, title: "frequency (Hz)", on: canvas)
    canvas.text(
      "Spectrum, averaged over the whole signal; a sine at full scale is 0 dB",
      at: Point(x: box.left, y: box.top - 9), Style.quietInk)
  }

  private struct Column {
    var frequency: Double
    var level: Double
  }

  /// One level for each unit across: the highest bin in it, or the line between bins where they stand further apart.
  private func columnLevels() -> [Column] {
    guard spectrum.levels.count > 1 else { return [] }
    let axis = Axis(range: frequencies, start: box.left, end: box.right, isLogarithmic: true)
    return (0..<Int(box.width)).compactMap { column -> Column? in
      let low = axis.value(at: box.left + Double(column)) / spectrum.binHz
      let high = axis.value(at: box.left + Double(column) + 1) / spectrum.binHz
      // A low rate ends within the axis.
      let limit = Double(spectrum.levels.count - 1)
      guard low <= limit else { return nil }
      let first = Int(low.rounded(.up))
      let end = Int(min(high.rounded(.up), limit + 1))
      if first < end, let best = (first..<end).max(by: { spectrum.levels[$0] < spectrum.levels[$1] }) {
        return Column(frequency: spectrum.frequency(ofBin: best), level: spectrum.levels[best])
      }
      let middle = min((low + high) / 2, limit)
      let below = Int(middle)
      let above = min(below + 1, spectrum.levels.count - 1)
      let fraction = middle - Double(below)
      let level = spectrum.levels[below] * (1 - fraction) + spectrum.levels[above] * fraction
      return Column(frequency: middle * spectrum.binHz, level: level)
    }
  }

  private func drawLevels(_ columns: [Column], in panel: Panel, on canvas: Canvas) {
    let line = columns.map { panel.point($0.frequency, $0.level) }
    guard let first = line.first, let last = line.last else { return }
    let foot = [Point(x: last.x, y: box.bottom), Point(x: first.x, y: box.bottom)]
    canvas.fill(line + foot, Style.signal.opacity(0.12))
    canvas.stroke(line, Style.signal, width: 1.5)
  }

  /// Whether a column is no lower than both its neighbours; the picture's edge is not a peak.
  private func isTop(_ index: Int, of columns: [Column]) -> Bool {
    guard index > 0, index < columns.count - 1 else { return false }
    return columns[index].level >= columns[index - 1].level
      && columns[index].level >= columns[index + 1].level
  }

  /// Names up to four peaks: the highest, and others within 20 dB that rise 10 dB above what lies between.
  private func labelPeaks(_ columns: [Column], in panel: Panel, on canvas: Canvas) {
    var taken: [Int] = []
    let order = columns.indices.sorted {
      (columns[$1].level, $0) < (columns[$0].level, $1)
    }
    guard let strongest = order.first else { return }
    for index in order where taken.count < 4 {
      guard columns[index].level > columns[strongest].level - 20 else { break }
      let isClear = taken.allSatisfy { other in
        let between = columns[min(index, other)...max(index, other)]
        let valley = between.map(\.level).min() ?? 0
        return abs(index - other) >= 58 && valley < columns[index].level - 10
      }
      guard isClear, isTop(index, of: columns) else { continue }
      taken.append(index)
      let point = panel.point(columns[index].frequency, columns[index].level)
      let text = decimal(columns[index].frequency, places: columns[index].frequency < 100 ? 1 : 0) + " Hz"
      let half = canvas.textWidth(text) / 2
      let x = min(max(point.x, box.left + half + 4), box.right - half - 4)
      canvas.disc(point, radius: 2.6, Style.outline)
      canvas.text(text, at: Point(x: x, y: point.y - 8), Style.outline, align: .centre)
    }
  }
}
