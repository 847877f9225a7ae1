import Glibc

/// The level of a linear gain, dB.
func decibels(_ gain: Double) -> Double { 20 * log10(gain) }

/// The linear gain of a level in dB.
func linearGain(decibels level: Double) -> Double { pow(10, level / 20) }
