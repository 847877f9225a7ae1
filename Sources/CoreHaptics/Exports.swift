// Programs written for a phone use these two with `import CoreHaptics` alone: `@Observable`, `Bundle`,
// `TimeInterval`.
@_exported import Foundation
@_exported import Observation
