import Glibc

/// Points in time as the server writes them.
enum FakeTime {
    /// `Sat, 21 Nov 2026 01:08:44 GMT` for Unix seconds.
    static func inHTTP(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = "\(padded(Int64(parts.tm_mday), 2)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int64($0), 2) }.joined(separator: ":")
        return "\(days[Int(parts.tm_wday)]), \(date) \(clock) GMT"
    }

    /// `2026-11-21T01:15:45.646505196Z` for Unix seconds.
    ///
    /// - Source: days to civil date after Howard Hinnant, chrono-Compatible Low-Level Date Algorithms.
    static func iso(_ seconds: Int64, nanoseconds: Int64 = 0) -> String {
        let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        let rest = seconds - days * 86400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let fraction = nanoseconds > 0 ? "." + padded(nanoseconds, 9) : ""
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))\(fraction)Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
