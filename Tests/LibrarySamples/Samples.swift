package import LibraryIndex
package import MusicModel

extension MusicIndex {
    /// The URIs that a query finds.
    package func uris(
        _ filter: SongFilter, sort: SongSort? = nil, window: Range<Int>? = nil
    ) async throws -> [String] {
        let cursor = try await find(SongQuery(filter, sort: sort, window: window), mask: .standard)
        return try await cursor.lines().compactMap { $0.value(of: "file") }
    }

    /// The song numbers by URI.
    package func numbers() async throws -> [String: SongID] {
        let ids = try await queueable(below: "").map(\.id)
        let songs = try await songs(ids).compactMap { $0 }
        return Dictionary(uniqueKeysWithValues: zip(songs.map(\.uri), ids))
    }
}

extension AnswerCursor {
    /// The whole answer.
    package func text() async throws -> String {
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole answer by lines.
    package func lines() async throws -> [String] { try await text().split(separator: "\n").map(String.init) }
}

extension String {
    /// What follows `key: `; nil on other lines.
    package func value(of key: String) -> String? { hasPrefix("\(key): ") ? String(dropFirst(key.count + 2)) : nil }
}

/// A song with few words.
package func song(
    _ path: String, id: String? = nil, mount: String = "", duration: Duration? = .seconds(60), modified: Int64? = nil,
    added: Int64? = nil, format: AudioFormat? = nil, hash: UInt64 = 1, cover: String? = nil, _ tags: (Tag, String)...
) -> IndexedSong {
    IndexedSong(
        mount: mount, sourceID: id ?? path, source: .navidrome(id: id ?? path), path: path,
        tags: tags.map { TagValue($0.0, $0.1) }, duration: duration, lastModified: modified, added: added,
        format: format, replayGain: ReplayGain(trackGain: -6.5), suffix: "flac", size: 1000, coverArtID: cover,
        hash: hash)
}

extension SongFilter {
    /// `(TAG OPERATOR 'value')` as `find` has it.
    package static func tag(
        _ tag: Tag, _ comparison: StringTest.Operator, _ value: String, folds: Bool = false, not: Bool = false
    ) -> SongFilter {
        .text(.tag(tag), StringTest(comparison, value, foldsCase: folds, isNegated: not))
    }

    /// `any` as `search` has it.
    package static func any(_ value: String) -> SongFilter {
        .text(.any, StringTest(.contains, value, foldsCase: true))
    }
}
