import CALSA
import Glibc

/// What tells a card from all others, whatever number the kernel gives it: its id, what it is, where it is plugged in.
public struct CardIdentity: Sendable, Equatable {
  /// The id, which ALSA makes unique by the order in which cards appear; what `hw:CARD=` takes.
  public var id: String
  /// The place where it is plugged in, such as `1-2` for a USB port or `0000:00:1f.3` for a card on the bus; nil where
  /// the kernel does not say.
  public var port: String?
  /// Vendor and product, such as `0d8c:0014`; nil where it is no USB device.
  public var product: String?
  /// The serial number; nil where it has none, as most have.
  public var serial: String?
  /// Whether another card of the same product was there at the same time.
  public var hasTwin = false

  /// Whether this is the card that was seen before: the same product, and the same piece of it where two of them can be
  /// told apart. A card without twins may come back at another port.
  public func isSame(as other: CardIdentity) -> Bool {
    if product != other.product { return false }
    if product == nil { return id == other.id }
    if let serial, let theirs = other.serial, serial != theirs { return false }
    return port == other.port || !(hasTwin || other.hasTwin)
  }

  /// The name of a PCM of this card that survives its being numbered anew, even beside a twin of its own.
  /// - Parameter device: The number of the PCM on the card.
  public func name(device: Int) -> String {
    if hasTwin, let port { return "\(CardIdentity.portPrefix)\(port),\(device)" }
    return "hw:CARD=\(id),DEV=\(device)"
  }

  /// How a name begins that says where the card is plugged in.
  public static let portPrefix = "port:"
}

extension CardIdentity {
  /// Reads about all cards there are.
  /// - Parameter root: The folder that `/sys` and `/proc` are under; for tests.
  static func all(root: String = "") -> [CardIdentity] {
    let folder = root + "/sys/class/sound"
    var cards = Folder.names(of: folder).compactMap { name -> CardIdentity? in
      guard name.hasPrefix("card"), Int(name.dropFirst(4)) != nil else { return nil }
      return read(folder + "/" + name)
    }
    for index in cards.indices {
      let product = cards[index].product
      cards[index].hasTwin = product != nil && cards.count { $0.product == product } > 1
    }
    return cards
  }

  /// Reads about one card; nil where there is none of that number.
  static func read(number: Int, root: String = "") -> CardIdentity? {
    guard let id = line(root + "/sys/class/sound/card\(number)/id") else { return nil }
    return all(root: root).first { $0.id == id }
  }

  private static func read(_ folder: String) -> CardIdentity? {
    guard let id = line(folder + "/id") else { return nil }
    var card = CardIdentity(id: id)
    guard let path = realPath(folder + "/device") else { return card }
    let parts = path.split(separator: "/").map(String.init)
    card.port = parts.last
    // A USB card's device is an interface, `1-2:1.0`; the device above it is what is plugged in.
    if let last = parts.last, let colon = last.firstIndex(of: ":"), last.contains("-") {
      card.port = String(last[..<colon])
      let above = "/" + parts.dropLast().joined(separator: "/")
      if let vendor = line(above + "/idVendor"), let product = line(above + "/idProduct") {
        card.product = "\(vendor):\(product)"
      }
      card.serial = line(above + "/serial")
    }
    return card
  }

  /// The PCM that a name stands for at this moment: `port:PORT[,DEVICE]` becomes the name of the card that is plugged in
  /// there, any other name stays.
  /// - Throws: ENODEV where nothing is plugged in there.
  static func resolve(_ name: String, root: String = "") throws(OutputFault) -> String {
    guard name.hasPrefix(portPrefix) else { return name }
    let words = name.dropFirst(portPrefix.count).split(separator: ",", omittingEmptySubsequences: false)
    let device = words.count > 1 ? Int(words[1]) ?? 0 : 0
    guard let card = all(root: root).first(where: { $0.port.map { $0 == words[0] } ?? false }) else {
      throw OutputFault(-ENODEV, .open)
    }
    return "hw:CARD=\(card.id),DEV=\(device)"
  }

  /// A name by number, which may be another card's tomorrow, as the same name by id; any other name stays.
  func pinned(_ name: String) -> String {
    guard let colon = name.firstIndex(of: ":") else { return name }
    let kind = name[..<colon]
    let arguments = name[name.index(after: colon)...].split(separator: ",")
    guard kind == "hw" || kind == "plughw", let first = arguments.first, Int(first) != nil else {
      return name
    }
    let device = arguments.count > 1 ? ",DEV=\(arguments[1])" : ""
    let subdevice = arguments.count > 2 ? ",SUBDEV=\(arguments[2])" : ""
    return "\(kind):CARD=\(id)\(device)\(subdevice)"
  }

  private static func line(_ path: String) -> String? {
    TextFile.read(path)?.split(whereSeparator: \.isNewline).first.map(String.init)
  }

  private static func realPath(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

extension PCM {
  /// The card behind an open PCM; nil for a plug-in that has none.
  static func identity(of handle: OpaquePointer) -> CardIdentity? {
    var information: OpaquePointer?
    guard snd_pcm_info_malloc(&information) >= 0, let information else { return nil }
    defer { snd_pcm_info_free(information) }
    guard snd_pcm_info(handle, information) >= 0 else { return nil }
    let number = snd_pcm_info_get_card(information)
    return number < 0 ? nil : CardIdentity.read(number: Int(number))
  }
}
