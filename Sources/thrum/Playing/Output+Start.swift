import ThrumEngine

extension Output {
  /// Makes an engine and starts the device.
  /// - Throws: `CommandError.failed`; the output is closed.
  func started() throws(CommandError) -> Engine {
    let engine: Engine
    do throws(EngineError) {
      engine = try makeEngine()
    } catch {
      close()
      throw .failed(error.message)
    }
    do throws(OutputError) {
      try Interruption.withoutSignals { () throws(OutputError) in try start() }
    } catch {
      close()
      throw .failed(error.message)
    }
    return engine
  }
}
