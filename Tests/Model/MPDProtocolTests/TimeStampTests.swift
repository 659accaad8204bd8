import MPDProtocol
import Testing

@Suite("Time stamps")
struct TimeStampTests {
    @Test(
        "what is read",
        arguments: [
            ("2024-05-17T20:03:59Z", 1_715_976_239), ("2024-05-17T20:03:59", 1_715_976_239),
            ("20240517T200359Z", 1_715_976_239), ("2024-05-17T20:03Z", 1_715_976_180),
            ("2024-05-17T2003", 1_715_976_180), ("2024-05-17T20", 1_715_976_000),
            ("2024-05-17T22:03:59+02:00", 1_715_976_239), ("2024-05-17T22:03:59+0200", 1_715_976_239),
            ("2024-05-17T18:33:59-01:30", 1_715_976_239), ("2024-05-17T22:03:59+02", 1_715_976_239),
            ("2024-05-17", 1_715_904_000), ("20240517", 1_715_904_000), ("2024-05", 1_714_521_600),
            ("1970-01-01", 0), ("1969-12-31T23:59:59Z", -1), ("2000-02-29", 951_782_400),
            ("1715976239", 1_715_976_239), ("0", 0), ("1600120100", 1_600_120_100), ("-5", -5),
        ])
    func read(text: String, seconds: Int64) throws {
        #expect(try TimeStamp.parse(text) == seconds)
    }

    @Test(
        "what is refused",
        arguments: [
            ("x", "Failed to parse date"), ("", "Failed to parse date"), ("2024-13-01", "Failed to parse date"),
            ("2024-05-17x", "Garbage at end of time stamp"), ("2024-05-17T", "Failed to parse time of day"),
            ("2024-05-17T20:", "Failed to parse time of day"),
            ("2024-05-17T20:03:59+2", "Failed to parse time zone offset"),
            ("2024-05-17T20:03:59+14:00", "Time offset hours out of range"),
            ("2024-05-17T20:03:59+02:60", "Time offset minutes out of range"),
        ])
    func refused(text: String, message: String) {
        #expect(throws: AckError(.argument, message)) { try TimeStamp.parse(text) }
    }

    @Test("writing and reading again gives the time back", arguments: 0..<100)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
        #expect(try TimeStamp.parse(TimeStamp.text(seconds)) == seconds)
    }

    @Test("times beyond four digits of years stay 20 characters", arguments: [Int64.min, .max, 0])
    func extremes(seconds: Int64) {
        #expect(TimeStamp.text(seconds).count == 20)
    }
}
