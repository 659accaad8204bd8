package import Glibc

/// Times of files, which a file system may have wrong by any number of years.
package enum FileTime {
    /// The seconds between 1970 and the end of the year 9999, the last that clients and the log can write down.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799

    /// A file's time in Unix seconds, moved into `range`.
    package static func seconds(_ time: timespec) -> Int64 { clamped(Int64(time.tv_sec)) }

    /// Unix seconds from anywhere, moved into `range`.
    package static func clamped(_ seconds: Int64) -> Int64 { min(max(seconds, range.lowerBound), range.upperBound) }
}
