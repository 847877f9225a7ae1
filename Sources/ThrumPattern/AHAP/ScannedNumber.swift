extension ByteScanner {
  /// Passes over a number and reads it, rounded to the nearest Double (ties to even).
  ///
  /// The grammar is JSON's: `-`, then digits without a leading zero, then optionally a point with digits and
  /// an exponent. What is too large becomes an infinity, what is too small 0.
  @discardableResult
  mutating func number() throws(Fault) -> Double {
    let start = at
    var decimal = Decimal()
    if byte == UInt8(ascii: "-") { at += 1 }
    let isNegative = at > start
    let integer = at
    while byte.isDigit {
      decimal.append(byte)
      at += 1
    }
    guard at > integer else { throw malformedNumber(from: start, "a digit is missing") }
    if at - integer > 1, byte(at: integer) == UInt8(ascii: "0") {
      throw malformedNumber(from: start, "a number has no leading zeros")
    }
    if byte == UInt8(ascii: ".") {
      at += 1
      let fraction = at
      while byte.isDigit {
        decimal.appendFraction(byte)
        at += 1
      }
      guard at > fraction else { throw malformedNumber(from: start, "a digit is missing after the point") }
    }
    if byte | 0x20 == UInt8(ascii: "e") { try decimal.exponent += exponent(from: start) }
    guard !byte.isLetter, byte != UInt8(ascii: "."), byte != UInt8(ascii: "_") else {
      throw malformedNumber(from: start, "write it like 0.5 or 5e-1")
    }
    let magnitude =
      decimal.exactValue ?? Double(String(decoding: bytes(integer..<at), as: UTF8.self)) ?? .infinity
    return isNegative ? -magnitude : magnitude
  }

  /// Passes over an exponent; `e` is looked at.
  private mutating func exponent(from start: Int) throws(Fault) -> Int {
    at += 1
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { at += 1 }
    let first = at
    var exponent = 0
    while byte.isDigit {
      // Past this no Double is finite or not 0, however many digits the number has in a file of a gigabyte.
      if exponent < 1 << 40 { exponent = exponent * 10 + Int(byte & 0x0F) }
      at += 1
    }
    guard at > first else { throw malformedNumber(from: start, "a digit is missing in the exponent") }
    return isNegative ? -exponent : exponent
  }

  private func malformedNumber(from start: Int, _ reason: String) -> Fault {
    guard at < end else { return unexpected("the rest of a number") }
    var tail = at
    while tail < end, byte(at: tail).isLetter || byte(at: tail).isDigit || byte(at: tail) == UInt8(ascii: ".")
    {
      tail += 1
    }
    return .syntax(at: start, "`\(excerpt(start..<max(tail, start + 1)))` is not a number; \(reason)")
  }
}

/// Digits and a power of ten, as far as 64 bits hold them.
private struct Decimal {
  /// The first 19 significant digits.
  var digits: UInt64 = 0
  /// How many they are.
  var count = 0
  /// The power of ten that the digits are to be multiplied with.
  var exponent = 0
  /// Whether a digit that was not kept is not 0.
  var isCut = false

  /// The most digits that always fit.
  private static let capacity = 19

  @inline(__always)
  mutating func append(_ digit: UInt8) {
    if count < Self.capacity {
      digits = digits &* 10 &+ UInt64(digit & 0x0F)
      if digits != 0 { count += 1 }
    } else {
      exponent += 1
      if digit != UInt8(ascii: "0") { isCut = true }
    }
  }

  @inline(__always)
  mutating func appendFraction(_ digit: UInt8) {
    append(digit)
    exponent -= 1
  }

  /// The nearest Double, nil where 128 bits do not settle it.
  var exactValue: Double? {
    if digits == 0 { return 0 }
    // Both numbers are exact in a Double, so the one division or multiplication rounds once.
    if digits <= 1 << 53, !isCut, exponent.magnitude <= 22 {
      return exponent < 0 ? Double(digits) / powersOfTen[-exponent] : Double(digits) * powersOfTen[exponent]
    }
    guard exponent.magnitude < powersOfFive.count else { return nil }
    let low = scaled(digits)
    // The number lies between these two; where both round to one Double, so does it.
    return !isCut || scaled(digits + 1) == low ? low : nil
  }

  /// `digits · 10^exponent`, rounded once. 5^27 is the last power of five of 64 bits, so quotient and product
  /// have 128 bits at most; the powers of two only move the exponent.
  private func scaled(_ digits: UInt64) -> Double {
    let power = powersOfFive[Int(exponent.magnitude)]
    if exponent < 0 {
      let digitsShift = digits.leadingZeroBitCount
      let powerShift = power.leadingZeroBitCount
      let dividend = digits << digitsShift
      let (quotient, remainder) = (power << powerShift).dividingFullWidth((dividend >> 1, dividend << 63))
      return rounded(quotient, isAbove: remainder != 0, exponent: exponent - 63 + powerShift - digitsShift)
    }
    let (high, low) = digits.multipliedFullWidth(by: power)
    if high == 0 { return rounded(low, isAbove: false, exponent: exponent) }
    let shift = high.leadingZeroBitCount
    let top = high << shift | (shift == 0 ? 0 : low >> (64 - shift))
    return rounded(top, isAbove: low << shift != 0, exponent: exponent + 64 - shift)
  }

  /// `value · 2^exponent` to the nearest Double, ties to even; `isAbove` says that the true value is a little
  /// more.
  private func rounded(_ value: UInt64, isAbove: Bool, exponent: Int) -> Double {
    let excess = 64 - value.leadingZeroBitCount - 53
    guard excess > 0 else { return Double(value) * powerOfTwo(exponent) }
    var significand = value >> UInt64(excess)
    let rest = value & (1 << UInt64(excess) - 1)
    let half: UInt64 = 1 << UInt64(excess - 1)
    if rest > half || rest == half && (isAbove || significand & 1 == 1) { significand += 1 }
    return Double(significand) * powerOfTwo(exponent + excess)
  }

  /// 2 to a power within ±200, exactly.
  private func powerOfTwo(_ exponent: Int) -> Double { Double(bitPattern: UInt64(1023 + exponent) << 52) }
}

/// 10^0 to 10^22, the powers of ten that a Double holds exactly.
private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  1e19,
  1e20, 1e21, 1e22,
]

/// 5^0 to 5^27, the powers of five of at most 64 bits.
private let powersOfFive: [UInt64] = [
  1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625, 1_953_125, 9_765_625, 48_828_125, 244_140_625,
  1_220_703_125, 6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125, 3_814_697_265_625,
  19_073_486_328_125, 95_367_431_640_625, 476_837_158_203_125, 2_384_185_791_015_625, 11_920_928_955_078_125,
  59_604_644_775_390_625, 298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
]
