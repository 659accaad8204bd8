/// Reads the times that servers write.
package enum TimeText {
    /// Unix seconds of `YYYY-MM-DDThh:mm:ss`, with a fraction, `Z` or an offset; by hand, as every song of a walk has
    /// some.
    package static func seconds(_ text: String) -> Int64? {
        var copy = text
        return copy.withUTF8 { parse($0) }
    }

    /// Unix milliseconds of the same; what stands behind the third digit of the fraction is cut off.
    package static func milliseconds(_ text: String) -> Int64? {
        guard let seconds = seconds(text) else { return nil }
        let rest = text.utf8.dropFirst(19)
        guard rest.first == UInt8(ascii: ".") else { return seconds * 1000 }
        let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(3)
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        return seconds * 1000 + [0, 100, 10, 1][digits.count] * value
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"),
            let year = number(bytes, 0..<4), let month = number(bytes, 5..<7), let day = number(bytes, 8..<10),
            let hour = number(bytes, 11..<13), let minute = number(bytes, 14..<16),
            let second = number(bytes, 17..<19), (1...12).contains(month), (1...31).contains(day), year > 1
        else { return nil }
        let local = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
        return local - offset(bytes)
    }

    /// Seconds that local time is ahead of UTC, from `+hh:mm` or `-hh:mm` at the end.
    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
        let start = bytes.count - 6
        guard start >= 19, bytes[start + 3] == UInt8(ascii: ":"),
            let hours = number(bytes, start + 1..<start + 3), let minutes = number(bytes, start + 4..<start + 6)
        else { return 0 }
        let seconds = hours * 3_600 + minutes * 60
        return bytes[start] == UInt8(ascii: "-") ? -seconds : seconds
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    /// Days between 1970-01-01 and a date of the Gregorian calendar.
    /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // A year that begins in March has its leap day at the end.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
