import Glibc

/// Reads pattern files by path.
///
/// A path of `-` is standard input, whose patterns have no folder to look for sounds in. Folders, devices and
/// files that are missing, may not be read or are larger than ``AHAPDecoder/maximumBytes`` are each refused
/// with one diagnostic. A pipe is read to its end; one that nobody writes to is refused at once instead of
/// waited for. A file is read once, a part at a time, whatever its size; what comes through a pipe and is long is put
/// into a file of its own in `$TMPDIR` first.
public enum PatternFile {
  /// Reads and decodes a file.
  /// - Parameter path: The file, `-` for standard input.
  /// - Throws: A ``Diagnostic`` of severity error that names the path as given.
  ///
  /// Threads: any; waits for the file. Real-time: no. Next: ``AHAPDecoder/decode(_:file:soundFolder:)``.
  public static func read(path: String) throws(Diagnostic) -> AHAPDecoder.Result {
    guard !path.utf8.contains(0) else { throw FileContents.refusalOfZero(path) }
    return try read(FileName(path))
  }

  /// Reads and decodes a file whose name need not be UTF-8.
  /// - Parameter file: The file, `-` for standard input.
  /// - Throws: A ``Diagnostic`` of severity error that names the file as text.
  ///
  /// Threads: any; waits for the file. Real-time: no.
  public static func read(_ file: FileName) throws(Diagnostic) -> AHAPDecoder.Result {
    let contents = try FileContents(file)
    return try AHAPDecoder.decode(contents.feed, file: file.text, soundFolder: folder(of: file))
  }

  /// Reads a file and lists everything there is to say about it; never throws, so that a run over many files
  /// goes on.
  /// - Parameter path: The file, `-` for standard input.
  ///
  /// Threads: any; waits for the file. Real-time: no.
  public static func check(path: String) -> AHAPDecoder.Report {
    if path.utf8.contains(0) {
      return AHAPDecoder.Report(pattern: nil, diagnostics: [FileContents.refusalOfZero(path)])
    }
    return check(FileName(path))
  }

  /// Reads a file whose name need not be UTF-8 and lists everything there is to say about it; never throws.
  /// - Parameter file: The file, `-` for standard input.
  ///
  /// Threads: any; waits for the file. Real-time: no.
  public static func check(_ file: FileName) -> AHAPDecoder.Report {
    do throws(Diagnostic) {
      let contents = try FileContents(file)
      return AHAPDecoder.check(contents.feed, file: file.text, soundFolder: folder(of: file))
    } catch {
      return AHAPDecoder.Report(pattern: nil, diagnostics: [error])
    }
  }

  /// The folder of a file, nil for standard input.
  private static func folder(of file: FileName) -> FileName? { file == "-" ? nil : file.folder }
}
