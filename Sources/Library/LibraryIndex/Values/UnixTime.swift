import Foundation
import MusicModel

/// The present as the database has it.
package enum UnixTime {
    /// Whole seconds since 1970.
    package static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Whole milliseconds since 1970.
    package static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

extension Duration {
    /// Whole milliseconds, cut off; at the bounds of the type where there are more.
    package var milliseconds: Int64 {
        components.seconds.multipliedClamped(by: 1000).addingClamped(components.attoseconds / 1_000_000_000_000_000)
    }
}
