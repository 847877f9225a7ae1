import ThrumLatency

extension MeasuredRun {
  /// The report for a script, and for `--compare`.
  var json: JSONValue {
    var object: [(String, JSONValue)] = [
      ("mode", .string(mode.rawValue)), ("thrum", .string(version)), ("date", .string(Machine.date)),
      ("device", .string(output.name)),
    ]
    object += output.members
    object += [
      ("actuator", .optional(profile)), ("scheduling", .string(scheduling)),
      ("machine", .string(Machine.words)), ("preemption", .optional(Machine.preemption)),
      ("seed", .count(seed)), ("wanted", .count(wanted)), ("count", .count(milliseconds.count)),
      ("lost", .object(lost.filter { $0.count > 0 }.map { ($0.reason, .count($0.count)) })),
    ]
    object += members.all
    object.append(("percentiles", .object(Percentiles.reported.map { ($0.name, figure($0.percent)) })))
    for part in parts {
      let percentiles = Percentiles(part.frames)
      object.append(
        (
          part.name,
          .object([
            ("meaning", .string(part.meaning)), ("medianFrames", .number(percentiles.median)),
            ("leastFrames", .number(percentiles.value(atPercent: 0))),
            ("mostFrames", .number(percentiles.value(atPercent: 100))),
            ("commonErrorFrames", .number(part.commonError)), ("frames", .array(part.frames.map(rounded))),
          ])
        ))
    }
    object.append(("thresholds", .array(PerceptionThreshold.all.map(threshold))))
    object.append(("caveat", .string(mode.caveat)))
    object.append(("milliseconds", .array(milliseconds.map { .number(($0 * 1e6).rounded() / 1e6) })))
    let isWhole = mode == .software || mode == .key
    object.append(
      (
        "frames",
        .array(
          milliseconds.map { value in
            let frames = value * framesPerMillisecond
            return isWhole ? .integer(Int64(frames.rounded())) : rounded(frames)
          })
      ))
    for column in columns { object.append((column.name, .array(column.values.map(rounded)))) }
    return .object(object)
  }

  /// A percentile; null where there are too few trials for it.
  private func figure(_ percent: Double) -> JSONValue {
    let percentiles = percentiles
    guard percentiles.supports(percent: percent) else { return .null }
    let value = percentiles.value(atPercent: percent)
    let interval = percentiles.interval(atPercent: percent)
    let isWhole = mode == .software || mode == .key
    let frames = value * framesPerMillisecond
    return .object([
      ("frames", isWhole ? .integer(Int64(frames.rounded())) : rounded(frames)), ("ms", .number(value)),
      ("lowMs", .optional(interval?.lowerBound)),
      ("highMs", .optional(interval?.upperBound)),
    ])
  }

  private func threshold(_ threshold: PerceptionThreshold) -> JSONValue {
    .object([
      ("ms", .number(threshold.milliseconds)), ("meaning", .string(threshold.meaning)),
      ("source", .string(threshold.source)),
      ("trials", .optional(threshold.standing(of: percentiles)?.rawValue)),
    ])
  }

  private func rounded(_ value: Double) -> JSONValue { .number((value * 1e5).rounded() / 1e5) }
}
