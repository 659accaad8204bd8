/// Dates as people write them into tags.
package enum DateText {
    private static let years = 1000...2999

    /// The year of a date: its first number of four digits, or the beginning of one of eight, as in `25.05.1999`; or
    /// nil.
    package static func year(of text: String) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        for run in text.utf8.prefix(maxLength).split(whereSeparator: { !digits.contains($0) }) {
            guard run.count == 4 || run.count == 8 else { continue }
            func number(_ part: Substring.UTF8View) -> Int { part.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } }
            let year = number(run.prefix(4))
            guard years.contains(year) else { continue }
            if run.count == 4 { return year }
            let (month, day) = (number(run.dropFirst(4).prefix(2)), number(run.suffix(2)))
            if (1...12).contains(month), (1...31).contains(day) { return year }
        }
        return nil
    }

    private static let maxLength = 100
}
