import ThrumRealtime

/// The dynamic parameters and curves of a pattern, in the order of the render thread and in the memory that it reads.
final class CompiledControls: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: filled by the compiler before anybody else has it, and only read from then on.

  // Safety: allocated here with the room that was asked for, and freed by this object alone.
  let items: UnsafeMutablePointer<ControlItem>
  let points: UnsafeMutablePointer<ControlPoint>
  private(set) var itemCount = 0
  private(set) var pointCount = 0
  private let capacity: (items: Int, points: Int)

  init(itemCapacity: Int, pointCapacity: Int) {
    capacity = (itemCapacity, pointCapacity)
    items = .allocate(capacity: max(1, itemCapacity))
    points = .allocate(capacity: max(1, pointCapacity))
  }

  deinit {
    items.deallocate()
    points.deallocate()
  }

  /// Adds an item, and its points where it is a curve.
  func append(_ item: ControlItem, points: [ControlPoint] = []) {
    precondition(
      itemCount < capacity.items && pointCount + points.count <= capacity.points, "room for a control")
    (items + itemCount).initialize(to: item)
    itemCount += 1
    points.withUnsafeBufferPointer { source in
      if let base = source.baseAddress {
        (self.points + pointCount).initialize(from: base, count: source.count)
      }
    }
    pointCount += points.count
  }

  /// Puts the items in the order of their frames, those of one frame in the order in which they were added.
  func sort() {
    let buffer = UnsafeMutableBufferPointer(start: items, count: itemCount)
    // A pattern is in order as a rule. The standard sort promises no stability, so a place breaks ties.
    if (1..<max(1, itemCount)).allSatisfy({ items[$0 - 1].startFrame <= items[$0].startFrame }) { return }
    let sorted = buffer.enumerated()
      .sorted { ($0.element.startFrame, $0.offset) < ($1.element.startFrame, $1.offset) }
    for (index, item) in sorted.enumerated() { items[index] = item.element }
  }
}
