import Foundation

/// The present as the database has it.
package enum UnixTime {
    /// Whole seconds since 1970.
    package static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Whole milliseconds since 1970.
    package static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
