import Coordination
import MusicModel
import Subsonic

/// The details of songs that only Navidrome's own API tells, by the songs' ids: each as one text under a hash of the
/// id, as a library may have a million.
struct PackedDetails: Sendable {
    private static let separator: Character = "\n"
    private var texts: [UInt64: String] = [:]

    subscript(id: String) -> NavidromeDetails? {
        get { texts[Self.key(id)].map(Self.unpacked) }
        set { texts[Self.key(id)] = newValue.map(Self.packed) }
    }

    private static func key(_ id: String) -> UInt64 {
        var hash = FNV1a()
        hash.combine(id)
        return hash.value
    }

    private static func packed(_ details: NavidromeDetails) -> String {
        let length = details.duration.map { String(Int64(($0 / .milliseconds(1)).clamped(to: 0...1e15))) }
        let values = [
            length, details.modified.map(String.init), details.date, details.originalDate, details.releaseDate,
            details.titleSort, details.albumSort, details.artistSort, details.albumArtistSort, details.releaseTrackID,
            details.releaseGroupID,
        ]
        var text = values.map { $0 ?? "" }.joined(separator: String(separator))
        while text.last == separator { text.removeLast() }
        return text
    }

    private static func unpacked(_ text: String) -> NavidromeDetails {
        let values = text.split(separator: separator, omittingEmptySubsequences: false)
        func value(_ index: Int) -> String? {
            index < values.count && !values[index].isEmpty ? String(values[index]) : nil
        }
        var details = NavidromeDetails()
        details.duration = value(0).flatMap { Int64($0) }.map { .milliseconds($0) }
        details.modified = value(1).flatMap { Int64($0) }
        (details.date, details.originalDate, details.releaseDate) = (value(2), value(3), value(4))
        (details.titleSort, details.albumSort) = (value(5), value(6))
        (details.artistSort, details.albumArtistSort) = (value(7), value(8))
        (details.releaseTrackID, details.releaseGroupID) = (value(9), value(10))
        return details
    }
}
