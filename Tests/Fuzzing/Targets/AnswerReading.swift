import NIOCore

@testable import Subsonic

/// Reads any bytes as the answer of every call.
enum AnswerReading {
    private enum Kind: CaseIterable {
        case song, album, artist, playlist, scanStatus, station, starred, extensions
    }

    /// Reads the bytes; what is no answer is an error that is passed over, as every outcome but a crash is fine.
    static func readEverything(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            for kind in Kind.allCases { read(bytes, as: kind) }
            _ = AnswerEnvelope.failure(inXML: bytes)
            readLists(bytes)
        }
        var events = EventStreamReader()
        _ = try? events.add(ByteBuffer(bytes: bytes).readableBytesView)
        _ = ContentRange(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads them as the lists of Navidrome's own API.
    private static func readLists(_ bytes: UnsafeRawBufferPointer) {
        _ = try? SubsonicPage(list: bytes, atMost: 100) { reader in try NavidromeSong(&reader) }
        _ = try? SubsonicPage(list: bytes, atMost: 100) { reader in try NavidromeAlbum(&reader) }
        _ = try? SubsonicPage(list: bytes, atMost: 100) { reader in try NavidromeArtist(&reader) }
        _ = try? SubsonicPage(list: bytes, atMost: 100) { reader in try NavidromePlay(&reader) }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer, as kind: Kind) {
        do {
            _ = try AnswerEnvelope(bytes) { reader, _ in try read(kind, &reader) }
        } catch {
            // Most bytes are no answer.
        }
    }

    private static func read(_ kind: Kind, _ reader: inout JSONReader) throws {
        switch kind {
        case .song: _ = try SubsonicSong(&reader)
        case .album: _ = try SubsonicAlbum(&reader)
        case .artist: _ = try SubsonicArtist(&reader)
        case .playlist: _ = try SubsonicPlaylist(&reader)
        case .scanStatus: _ = try ScanStatus(&reader)
        case .station: _ = try RadioStation(&reader)
        case .starred: _ = try StarredItems(&reader)
        case .extensions: _ = try ServerExtensions(&reader)
        }
    }
}
