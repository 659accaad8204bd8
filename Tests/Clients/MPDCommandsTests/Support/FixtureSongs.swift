import LibraryIndex
import MusicModel

/// The songs of the transcripts; a real server had the same ones when these were recorded.
enum FixtureSongs {
    static let all: [IndexedSong] = [
        song(
            "Anna Ärger/Blau/01 - Himmel.flac", seconds: 10, modified: 1000000001,
            [
                (.artist, "Anna Ärger"), (.albumArtist, "Anna Ärger"), (.album, "Blau"), (.title, "Himmel"),
                (.track, "1"), (.date, "1999"), (.genre, "Pop"), (.genre, "Rock"), (.disc, "1"),
            ]),
        song(
            "Anna Ärger/Blau/02 - Meer.flac", seconds: 10.5, modified: 1000000002,
            [
                (.artist, "Anna Ärger"), (.artist, "Bob"), (.albumArtist, "Anna Ärger"), (.album, "Blau"),
                (.title, "Meer"), (.track, "2"), (.date, "1999"), (.genre, "Pop"), (.disc, "1"),
            ]),
        song(
            "Anna Ärger/Blau/10 - Zehn.flac", seconds: 11, modified: 1000000003,
            [
                (.artist, "Anna Ärger"), (.albumArtist, "Anna Ärger"), (.album, "Blau"), (.title, "Zehn"),
                (.track, "10"), (.date, "2001-02-03"), (.disc, "1"),
            ]),
        song(
            "Anna Ärger/Gelb/01 - Sonne.flac", seconds: 9.25, modified: 1000000004,
            [
                (.artist, "Anna Ärger"), (.artistSort, "Ärger, Anna"), (.albumArtist, "Anna Ärger"),
                (.albumArtistSort, "Ärger, Anna"), (.album, "Gelb"), (.title, "Sonne"), (.track, "1"),
                (.date, "2005"), (.genre, "Rock"),
            ]),
        song(
            "Bob/Red & \"Blue\"/01 - It's.flac", seconds: 12, modified: 1000000005,
            [
                (.artist, "Bob"), (.album, "Red & \"Blue\""), (.title, "It's"), (.track, "1"), (.genre, "Jazz"),
                (.composer, "Clara"), (.performer, "Dora"),
            ]),
        song("Bob/Red & \"Blue\"/02.flac", seconds: 10, modified: 1000000006, []),
        song(
            "Café/Straße.flac", seconds: 10, modified: 1000000007,
            [
                (.artist, "CAFÉ"), (.album, "Single"), (.title, "ÉCLAIR Straße"), (.genre, "Pop"),
                (.musicBrainzTrackID, "0383dadf-2a4e-4d10-a46a-e9e041da8eb3"),
            ]),
        song(
            "root.flac", seconds: 10, modified: 1000000008,
            [
                (.artist, "Anna Ärger"), (.title, "Root"), (.date, "1998"),
            ]),
    ]

    /// A song as a sync would store it.
    static func song(
        _ path: String, seconds: Double, modified: Int64, _ tags: [(Tag, String)], mount: String = ""
    ) -> IndexedSong {
        IndexedSong(
            mount: mount, sourceID: path, source: .navidrome(id: path), path: path,
            tags: tags.map { TagValue($0.0, $0.1) }, duration: .milliseconds(Int64(seconds * 1000)),
            lastModified: modified, added: nil,
            format: AudioFormat(sampleRate: 44100, sample: .integer(bits: 16), channels: 2), replayGain: ReplayGain(),
            suffix: "flac", size: 1000, coverArtID: nil, hash: UInt64(modified))
    }
}
