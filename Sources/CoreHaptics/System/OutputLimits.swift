package import ThrumRealtime

/// What an output of this module's has room for.
package enum OutputLimits {
  /// Players that may play at once; those that wait take no place. Each has 27 KB of the render thread's memory, which is
  /// brought in when the output opens: most of the time that `start()` takes.
  static let playerCapacity = 256
  /// Engines that may run at once on one output.
  static let engineCapacity = 64
  /// Commands under way to the render thread, scheduled ones included.
  static let commandCapacity = 8192

  /// The same in the terms of the layer below.
  package static var rendererSettings: RendererSettings {
    var settings = RendererSettings()
    settings.playerCapacity = playerCapacity
    settings.engineCapacity = engineCapacity
    settings.commandCapacity = commandCapacity
    return settings
  }
}
