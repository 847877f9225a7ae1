/// A colour as Cairo takes it.
struct Colour: Equatable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha = 1.0

  /// A colour from its six hexadecimal digits.
  init(_ hex: UInt32, alpha: Double = 1) {
    red = Double(hex >> 16 & 255) / 255
    green = Double(hex >> 8 & 255) / 255
    blue = Double(hex & 255) / 255
    self.alpha = alpha
  }

  /// The same colour, let through.
  func opacity(_ alpha: Double) -> Colour {
    var colour = self
    colour.alpha = alpha
    return colour
  }
}

/// What the pictures look like: one light theme.
///
/// The hues are those of Okabe and Ito, which people with the common colour-vision deficiencies tell apart; what they
/// stand for differs in shape as well (stems, areas, dashes), so that a grey print can be read.
enum Style {
  static let paper = Colour(0xFFFFFF)
  static let panel = Colour(0xFAFBFC)
  static let frame = Colour(0xB4BCC6)
  static let grid = Colour(0xE3E7EC)
  static let minorGrid = Colour(0xEFF1F4)
  static let ink = Colour(0x1B2430)
  static let quietInk = Colour(0x55606E)

  static let signal = Colour(0x0072B2)
  static let outline = Colour(0x10405F)
  static let transient = Colour(0xC04F00)
  static let continuous = Colour(0x008A65)
  static let sound = Colour(0xB0548C)
  static let control = Colour(0x1B2430)
  static let warning = Colour(0xA33C00)
  /// The colours of the series of a chart, in order.
  static let series = [signal, transient, continuous, sound, Colour(0x8A6D00), outline]

  static let titleSize = 21.0
  static let textSize = 13.0
  static let labelSize = 12.0
  static let family = "DejaVu Sans"
}
