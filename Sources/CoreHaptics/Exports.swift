// Programs written for a phone use these two with `import CoreHaptics` alone: `@Observable`, `Bundle`,
// `TimeInterval`.
@_exported public import Foundation
@_exported public import Observation
