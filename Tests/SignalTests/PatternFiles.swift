import TestSupport
import ThrumPattern

/// A pattern of the shared folder: nil, with a printed line, where the folder is absent.
func sharedPattern(_ path: String, for test: String) throws -> Pattern? {
  guard let bytes = try SharedFiles.bytes(path, for: test) else { return nil }
  return try decoded(bytes, file: path)
}

/// The pattern in the bytes of an AHAP file.
func decoded(_ bytes: [UInt8], file: String) throws -> Pattern {
  try bytes.withUnsafeBytes { try AHAPDecoder.decode($0, file: file).pattern }
}
