import Glibc

/// Points in time as the protocol writes them: `2024-05-17T20:03:59Z`; inside they are Unix seconds.
package enum TimeStamp {
    /// The text of a time in UTC, always 20 characters; years outside 0 to 9999 are clamped.
    package static func text(_ seconds: Int64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20)
        write(seconds) { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Emits that text byte by byte: a listing has one for each directory.
    static func write(_ seconds: Int64, to emit: (UInt8) -> Void) {
        var time = Int(min(max(seconds, -62_167_219_200), 253_402_300_799))
        var date = tm()
        gmtime_r(&time, &date)
        func two(_ value: Int32) {
            emit(UInt8(ascii: "0") + UInt8(value / 10 % 10))
            emit(UInt8(ascii: "0") + UInt8(value % 10))
        }
        two((date.tm_year + 1900) / 100)
        two((date.tm_year + 1900) % 100)
        emit(UInt8(ascii: "-"))
        two(date.tm_mon + 1)
        emit(UInt8(ascii: "-"))
        two(date.tm_mday)
        emit(UInt8(ascii: "T"))
        two(date.tm_hour)
        emit(UInt8(ascii: ":"))
        two(date.tm_min)
        emit(UInt8(ascii: ":"))
        two(date.tm_sec)
        emit(UInt8(ascii: "Z"))
    }

    /// Reads ISO 8601 (a date alone counts from its midnight, a month from its first day) or Unix seconds.
    package static func parse(_ text: String) throws(AckError) -> Int64 {
        var reader = DateReader(text)
        do throws(AckError) {
            return try reader.timeStamp()
        } catch {
            if let seconds = NumberScanner.wholeInteger(text) { return Int64(seconds) }
            throw error
        }
    }
}

/// Reads dates field by field with the leniency of glibc's `strptime`, as MPD does.
private struct DateReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func timeStamp() throws(AckError) -> Int64 {
        guard let year = number(4, 0...9999) else { throw Self.error("Failed to parse date") }
        let hasDashes = skip("-")
        guard let month = number(2, 1...12) else { throw Self.error("Failed to parse date") }
        if hasDashes, index == bytes.count { return midnight(year, month, 1) }
        guard !hasDashes || skip("-"), let day = number(2, 1...31) else { throw Self.error("Failed to parse date") }
        var seconds = midnight(year, month, day)
        if skip("T") { seconds += try timeOfDay() }
        seconds -= try zone()
        guard index == bytes.count else { throw Self.error("Garbage at end of time stamp") }
        return seconds
    }

    private func midnight(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year) - 1900, Int32(month) - 1, Int32(day))
        return Int64(timegm(&date))
    }

    /// `20`, `20:03`, `20:03:59`, `2003` or `200359`.
    private mutating func timeOfDay() throws(AckError) -> Int64 {
        guard let hour = number(2, 0...23) else { throw Self.error("Failed to parse time of day") }
        let hasColons = skip(":")
        guard let minute = number(2, 0...59) else {
            if hasColons { throw Self.error("Failed to parse time of day") }
            return Int64(hour) * 3600
        }
        if hasColons, !skip(":") { return Int64(hour * 3600 + minute * 60) }
        guard let second = number(2, 0...61) else {
            if hasColons { throw Self.error("Failed to parse time of day") }
            return Int64(hour * 3600 + minute * 60)
        }
        return Int64(hour * 3600 + minute * 60 + second)
    }

    /// `Z`, `+02`, `+0200`, `-02:30` or nothing, which is UTC too.
    private mutating func zone() throws(AckError) -> Int64 {
        if skip("Z") { return 0 }
        let isNegative = skip("-")
        guard isNegative || skip("+") else { return 0 }
        guard let hours = exactlyTwoDigits() else { throw Self.error("Failed to parse time zone offset") }
        let hasColon = skip(":")
        var minutes = 0
        if hasColon || (index < bytes.count && bytes[index].isDigit) {
            guard let value = exactlyTwoDigits() else { throw Self.error("Failed to parse time zone offset") }
            minutes = value
        }
        guard hours <= 13 else { throw Self.error("Time offset hours out of range") }
        guard minutes < 60 else { throw Self.error("Time offset minutes out of range") }
        return Int64((isNegative ? -1 : 1) * (hours * 3600 + minutes * 60))
    }

    private mutating func exactlyTwoDigits() -> Int? {
        guard index + 1 < bytes.count, bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
        defer { index += 2 }
        return Int(bytes[index] - UInt8(ascii: "0")) * 10 + Int(bytes[index + 1] - UInt8(ascii: "0"))
    }

    /// A field of at most `width` digits that stops before it would leave `limits`.
    private mutating func number(_ width: Int, _ limits: ClosedRange<Int>) -> Int? {
        while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
        var value = 0
        var digits = 0
        while index < bytes.count, bytes[index].isDigit, digits < width, value * 10 <= limits.upperBound {
            value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            index += 1
            digits += 1
        }
        return digits > 0 && limits.contains(value) ? value : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private static func error(_ message: String) -> AckError { AckError(.argument, message) }
}
