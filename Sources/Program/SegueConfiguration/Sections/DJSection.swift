import Players
import Discovery
import MPDProtocol
import MusicModel

extension ConfigurationReader {
    /// Reads how the auto-DJ chooses.
    func readDJ(_ section: inout SectionReader) -> DJSettings {
        var dj = DJSettings()
        section.read("switch", .flag, into: &dj.showsSwitch)
        section.read("mode", .choice, into: &dj.mode, page: .afterRestart)
        section.read("ahead", .integer(1...50, unit: "songs"), into: &dj.ahead, page: .afterRestart)
        section.read(
            "repeat_hours", .integer(0...8760, unit: "hours"), into: &dj.rules.repeatHours, page: .afterRestart)
        section.read("artist_gap", .integer(0...50, unit: "songs"), into: &dj.rules.artistGap, page: .afterRestart)
        section.read("lowest_rating", .integer(0...9, unit: "of 10"), into: &dj.rules.lowestRating, page: .afterRestart)
        section.read("adventure", .share, into: &dj.rules.adventure, page: .afterRestart)
        section.read("except", .filter, into: &dj.except)
        section.read("explain", .flag, into: &dj.explains, page: .afterRestart)
        return dj
    }
}

extension ValueKind where Value == Double {
    /// A share from 0 to 1.
    fileprivate static var share: ValueKind {
        ValueKind(expected: "a number from 0 to 1") { node in
            guard let number = node.decimal, (0...1).contains(number) else { return nil }
            return number
        }.shown(as: .number(0...1, unit: "")) { .number($0) }
    }
}

extension ValueKind where Value == SongFilter {
    /// A filter in MPD's language.
    fileprivate static var filter: ValueKind {
        ValueKind(expected: "a filter such as \"(genre == 'Audiobook')\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(AckError) {
                return try SongFilter(parsing: [text], foldsCase: false)
            } catch {
                throw ValueComplaint("is no filter: \(error.message)")
            }
        }
    }
}
