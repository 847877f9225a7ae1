import ThrumLatency
import ThrumPattern
import ThrumPlot

extension MeasuredRun {
  /// The histogram, with percentiles, thresholds and settings.
  var picture: DistributionPicture {
    let count = NumberText.count(milliseconds.count, "trial")
    return DistributionPicture(
      title: "\(mode.title), \(count)",
      series: [
        .init(
          name: mode.title, values: milliseconds, marks: percentiles.marks(Percentiles.reported.map(\.name)))
      ],
      valueTitle: mode.axis, thresholds: PerceptionThreshold.marks, caption: settingLines + captionEnd)
  }

  private var captionEnd: [String] {
    let parts = parts.map { part in
      "\(NumberText.fixed(Percentiles(part.frames).median, 2)) frames \(part.meaning)"
    }
    return parts + ["\(Machine.date.prefix(10)), thrum \(version)"]
  }
}

extension Percentiles {
  /// Those of some percentiles that there are values enough for.
  func marks(_ names: [String]) -> [DistributionPicture.Mark] {
    Percentiles.reported.filter { names.contains($0.name) && supports(percent: $0.percent) }.map {
      DistributionPicture.Mark(name: $0.name, value: value(atPercent: $0.percent))
    }
  }
}

extension PerceptionThreshold {
  /// All of them, for a picture.
  static var marks: [DistributionPicture.Mark] {
    all.map { DistributionPicture.Mark(name: "\($0.name) threshold", value: $0.milliseconds) }
  }
}

extension DistributionPicture {
  /// Writes the picture into a file of the type that its name ends in.
  /// - Throws: `CommandError.usage` for another ending; `CommandError.failed`.
  func write(to file: FileName) throws(CommandError) {
    let format = try PictureFormat.named(file)
    try PictureFormat.write(to: file) { () throws(PlotError) in try bytes(as: format) }
  }
}
