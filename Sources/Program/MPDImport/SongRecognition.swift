import Foundation
package import MusicModel

/// How a song of MPD's was found in the library.
package enum RecognitionWay: Int, CaseIterable, Sendable {
    case samePath, endOfPath, recording, tags, fileName

    /// The way in words, for the report.
    package var words: String {
        switch self {
        case .samePath: "by the same path"
        case .endOfPath: "by the end of the path"
        case .recording: "by MusicBrainz id"
        case .tags: "by artist, album and title"
        case .fileName: "by file name and length"
        }
    }
}

/// Finds MPD's songs in a library that may have other paths.
///
/// Each way counts only where it leads to one song; the first that does decides.
package struct SongRecognition: Sendable {
    /// A song of the library.
    package struct Candidate: Sendable {
        /// Its number.
        package var id: SongID
        /// Its path as clients see it.
        package var uri: String
        /// Its tags; others than artist, album, title and MusicBrainz's id of the recording don't matter.
        package var tags: [TagValue]
        /// Its length.
        package var duration: Duration?

        /// Collects what a song can be recognised by.
        package init(id: SongID, uri: String, tags: [TagValue], duration: Duration?) {
            self.id = id
            self.uri = uri
            self.tags = tags
            self.duration = duration
        }
    }

    /// How far apart two lengths of one song may be.
    private static let tolerance = Duration.seconds(2)

    private let candidates: [Candidate]
    private var byPath: [String: Int] = [:]
    private var byEnd: [String: [Int]] = [:]
    private var byRecording: [String: [Int]] = [:]
    private var byTags: [[String]: [Int]] = [:]
    private var byName: [String: [Int]] = [:]

    /// Prepares looking songs up.
    package init(_ candidates: [Candidate]) {
        self.candidates = candidates
        for (index, song) in candidates.enumerated() {
            byPath[song.uri] = index
            let parts = song.uri.pathParts
            if parts.count > 1 { byEnd[parts.suffix(2).joined(separator: "/"), default: []].append(index) }
            if let name = parts.last { byName[Self.fold(String(name)), default: []].append(index) }
            if let recording = Self.recording(song.tags) { byRecording[recording, default: []].append(index) }
            if let key = Self.key(song.tags) { byTags[key, default: []].append(index) }
        }
    }

    /// The library's song for one of MPD's; nil when none or more than one would do.
    ///
    /// - Parameters:
    ///   - uri: its path below MPD's music directory.
    ///   - tags: its tags, as far as they are known.
    ///   - duration: its length, if it is known.
    package func song(_ uri: String, tags: [TagValue], duration: Duration?) -> (id: SongID, way: RecognitionWay)? {
        if let index = byPath[uri] { return (candidates[index].id, .samePath) }
        let ways: [(RecognitionWay, () -> Int?)] = [
            (.endOfPath, { endOfPath(uri) }),
            (.recording, { only(Self.recording(tags).flatMap { byRecording[$0] }, duration) }),
            (.tags, { only(Self.key(tags).flatMap { byTags[$0] }, duration) }),
            (.fileName, { fileName(uri, duration) }),
        ]
        for (way, find) in ways {
            if let index = find() { return (candidates[index].id, way) }
        }
        return nil
    }

    /// The song whose path shares the most parts at its end, two at least.
    private func endOfPath(_ uri: String) -> Int? {
        let parts = uri.pathParts
        guard parts.count > 1, var found = byEnd[parts.suffix(2).joined(separator: "/")] else { return nil }
        var length = 3
        while found.count > 1, length <= parts.count {
            let end = "/" + parts.suffix(length).joined(separator: "/")
            let closer = found.filter { ("/" + candidates[$0].uri).hasSuffix(end) }
            guard !closer.isEmpty else { break }
            found = closer
            length += 1
        }
        return found.count == 1 ? found[0] : nil
    }

    private func fileName(_ uri: String, _ duration: Duration?) -> Int? {
        guard duration != nil, let name = uri.pathParts.last else { return nil }
        return only(byName[Self.fold(String(name))], duration)
    }

    /// The only one of about that length; lengths that are not known fit everything.
    private func only(_ indices: [Int]?, _ duration: Duration?) -> Int? {
        let fitting = (indices ?? []).filter { index in
            guard let duration, let other = candidates[index].duration else { return true }
            return duration > other
                ? duration - other <= Self.tolerance : other - duration <= Self.tolerance
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    private static func recording(_ tags: [TagValue]) -> String? {
        tags.first { $0.tag == .musicBrainzTrackID && !$0.value.isEmpty }?.value.lowercased()
    }

    private static func key(_ tags: [TagValue]) -> [String]? {
        func first(_ tag: Tag) -> String { tags.first { $0.tag == tag }.map { fold($0.value) } ?? "" }
        let title = first(.title)
        return title.isEmpty ? nil : [first(.artist), first(.album), title]
    }

    /// Upper and lower case, accents and spaces at the ends make no difference.
    private static func fold(_ text: String) -> String {
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return folded.trimmingCharacters(in: .whitespaces)
    }
}
