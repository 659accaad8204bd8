import Foundation

/// The name under which the losing side of a playlist that was edited here and on the server is kept.
package enum ConflictCopy {
    /// The name of a copy made at a time in Unix milliseconds, such as `Evening (conflict 2026-11-23)`.
    static func name(of playlist: String, madeAt milliseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601.year().month().day())
        return "\(playlist)\(mark)\(date))"
    }

    /// The playlist that a copy was made of; nil for a name that is not a copy's.
    package static func original(of name: String) -> String? {
        guard let range = name.ranges(of: mark).last, range.lowerBound > name.startIndex else { return nil }
        let rest = name[range.upperBound...]
        let date = rest.prefix(10)
        let isDate = rest.dropFirst(10).first == ")" && date.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "-") }
        return isDate ? String(name[..<range.lowerBound]) : nil
    }

    private static let mark = " (conflict "
}
