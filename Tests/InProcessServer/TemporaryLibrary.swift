package import Foundation
package import LibraryIndex
import MPDProtocol
import MusicModel
package import UserLibrary

/// An index in a folder of its own, with generated songs that are the same in every run.
package final class TemporaryLibrary: Sendable {
    /// The opened index.
    package let library: Library
    private let folder: URL

    /// Makes an index of so many songs, ten on an album and five albums for each artist.
    package convenience init(songs count: Int) async throws {
        try await self.init(
            songs: count, in: FileManager.default.temporaryDirectory.appending(path: "segue-\(UUID().uuidString)"))
    }

    /// Makes an index in a folder that must not exist.
    package init(songs count: Int, in folder: URL) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        library = try Self.open(folder)
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: (0..<count).map(Self.song)))
    }

    /// Opens an index that was left.
    package init(reopening folder: URL) throws {
        self.folder = folder
        library = try Self.open(folder)
    }

    /// Closes the index and keeps its folder.
    package func closeDatabase() throws { try library.close() }

    /// Closes the index and removes its folder.
    package func close() throws {
        try library.close()
        try FileManager.default.removeItem(at: folder)
    }

    private static func open(_ folder: URL) throws -> Library {
        try Library(path: folder.appending(path: "segue.db").path)
    }

    /// The song of a number, from 0; its source id is `s` and the number.
    package static func song(_ number: Int) -> IndexedSong {
        let (artist, album, track) = (number / 50, number / 10, number % 10 + 1)
        let path = "Artist \(artist)/Album \(album)/\(track) Söng \(number).flac"
        let tags: [TagValue] = [
            TagValue(.artist, "Artist \(artist)"), TagValue(.albumArtist, "Artist \(artist)"),
            TagValue(.album, "Album \(album)"), TagValue(.title, "Söng \(number) of \(words[number % words.count])"),
            TagValue(.track, String(track)), TagValue(.date, String(1960 + album % 60)),
            TagValue(.genre, words[album % words.count]), TagValue(.disc, "1"),
        ]
        return IndexedSong(
            mount: "", sourceID: "s\(number)", source: .navidrome(id: "s\(number)"), path: path, tags: tags,
            duration: .milliseconds(180_000 + number % 60_000), lastModified: 1_600_000_000 + Int64(number),
            added: 1_700_000_000 + Int64(number),
            format: AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2),
            replayGain: ReplayGain(trackGain: -6.5), suffix: "flac", size: 30_000_000, coverArtID: "c\(album)",
            hash: UInt64(number))
    }

    private static let words = ["Rain", "Straße", "Rock", "ÉTÉ", "Jazz", "River", "Folk"]
}
