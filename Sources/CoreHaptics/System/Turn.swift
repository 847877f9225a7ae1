/// What a lock guards that only lets callers take turns.
///
/// It has a size: Swift gives nothing the address of its object, and ThreadSanitizer then takes every use of
/// the lock for a use of the object's first word.
struct Turn: Sendable {
  private var size: UInt8 = 0
}
