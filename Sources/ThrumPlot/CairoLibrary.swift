import CCairo

/// Cairo as a library that may be missing: it is loaded when the first canvas is made, so that a program that draws nothing
/// neither waits for it nor needs it.
enum CairoLibrary {
  /// Loads Cairo, unless that was done; every canvas asks for it before its first call.
  ///
  /// Threads: any.
  static func load() throws(PlotError) {
    guard thrum_cairo_load() else { throw .noCairo(reason: String(cString: thrum_cairo_load_error())) }
  }

  /// Loads a library of another name and looks for the functions in it, as ``load()`` does for Cairo's; no canvas uses it.
  static func tryLoading(_ name: String) throws(PlotError) {
    var table = thrum_cairo_table()
    var reason = [CChar](repeating: 0, count: 512)
    guard !thrum_cairo_resolve(name, &table, &reason, reason.count) else { return }
    let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    throw .noCairo(reason: String(decoding: text, as: UTF8.self))
  }
}
