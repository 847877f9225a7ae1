import Glibc

/// Who plays on the machine's cards, as the kernel tells.
enum CardHolders {
  /// Names the processes that hold a playback stream of the card a PCM's name speaks of, or of any card where
  /// it speaks of none; empty where that cannot be found out.
  /// - Parameters:
  ///   - device: A PCM's name, such as `hw:CARD=Buzzer,DEV=0`.
  ///   - root: The folder that `/proc` is under; for tests.
  static func read(device: String, root: String = "") -> [String] {
    let proc = root + "/proc/asound"
    let card = cardName(in: device)
    var holders: [String] = []
    for folder in Folder.names(of: proc) where folder.hasPrefix("card") && Int(folder.dropFirst(4)) != nil {
      let id = TextFile.read(proc + "/" + folder + "/id")?.split(separator: "\n").first.map(String.init)
      if let card, card != id, "card" + card != folder { continue }
      for stream in Folder.names(of: proc + "/" + folder)
      where stream.hasPrefix("pcm") && stream.hasSuffix("p") {
        for substream in Folder.names(of: proc + "/" + folder + "/" + stream) where substream.hasPrefix("sub")
        {
          let status = TextFile.read(proc + "/" + folder + "/" + stream + "/" + substream + "/status") ?? ""
          guard let process = owner(in: status) else { continue }
          let name =
            TextFile.read(root + "/proc/" + process + "/comm")?.split(separator: "\n").first ?? "process"
          let words = "\(name) (\(process))"
          if !holders.contains(words) { holders.append(words) }
        }
      }
    }
    return holders
  }

  // "owner_pid   : 1234", in a stream that is open.
  private static func owner(in status: String) -> String? {
    for line in status.split(separator: "\n") where line.hasPrefix("owner_pid") {
      let number = line.split(separator: ":").last?.filter { $0.isNumber } ?? ""
      return number.isEmpty ? nil : number
    }
    return nil
  }

  /// The card that a PCM's name speaks of, by id or number: `CARD=` anywhere, or what follows `hw:` or
  /// `plughw:`.
  static func cardName(in device: String) -> String? {
    guard let colon = device.firstIndex(of: ":") else { return nil }
    let arguments = device[device.index(after: colon)...].split(separator: ",")
    for argument in arguments where argument.hasPrefix("CARD=") { return String(argument.dropFirst(5)) }
    let name = device[..<colon]
    guard name == "hw" || name == "plughw", let first = arguments.first, !first.contains("=") else {
      return nil
    }
    return String(first)
  }
}

/// Reads the names in a folder.
enum Folder {
  /// The names, sorted; empty where the folder cannot be read.
  static func names(of path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// Reads small files of the kernel's.
enum TextFile {
  /// The first 64 KiB as text; nil where the file cannot be read.
  static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count)
      }
      if got < 0 && errno == EINTR { continue }
      if got < 0 { return nil }
      if got == 0 { break }
      count += got
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
