/// What the render thread sees of a compiled pattern: pointers into memory that the control side owns.
///
/// Events are ordered by start frame, and by place in the file within a frame; they come in pages of
/// ``pageEvents``. A page that is nil has not been delivered yet: a short pattern has all its pages from the start,
/// a long one is fed page by page. Items are ordered like events. Nothing here changes while a player holds it,
/// except that the render thread itself fills and clears entries of the page table.
public struct ScheduleView: @unchecked Sendable, BitwiseCopyable {
  // Safety of `@unchecked Sendable`: the owner keeps the memory alive from `addPlayer` until the renderer hands the
  // view back by the release queue, and in between only the render thread touches it.

  /// The page table, `pageCount` entries.
  public var pages: UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>
  /// The number of entries in the page table.
  public var pageCount: Int
  /// Events in all pages together; every page but the last is full.
  public var eventCount: Int
  /// Dynamic parameters and curves, `itemCount` of them.
  public var items: UnsafePointer<ControlItem>
  /// The number of items.
  public var itemCount: Int
  /// The points of all curves; an item names its range.
  public var points: UnsafePointer<ControlPoint>
  /// The pattern's length in frames, which is also where it loops by default.
  public var durationFrames: Int64
  /// The sounds that events name, at the output's rate; nil where the schedule has none.
  public var sounds: UnsafePointer<SoundView>?
  /// Whether pages are handed back once they have been played, and delivered again on request.
  public var isStreamed: Bool

  /// Events in a full page: 4,096.
  public static var pageEvents: Int {
    @_noLocks @_noAllocation get { 4096 }
  }

  /// Describes memory that the caller owns.
  public init(
    pages: UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>, pageCount: Int, eventCount: Int,
    items: UnsafePointer<ControlItem>, itemCount: Int, points: UnsafePointer<ControlPoint>,
    durationFrames: Int64, isStreamed: Bool = false
  ) {
    self.pages = pages
    self.pageCount = pageCount
    self.eventCount = eventCount
    self.items = items
    self.itemCount = itemCount
    self.points = points
    self.durationFrames = durationFrames
    self.isStreamed = isStreamed
  }
}
