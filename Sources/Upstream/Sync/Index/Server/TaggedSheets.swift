import Foundation
import LibraryIndex
import Logging
import MusicModel
import Subsonic

/// The cue sheets that a Navidrome found in the tags or lyrics of songs, by the songs' ids (decision 57).
///
/// Only its own API tells them in lists, and it can list the longest songs first: one request finds those of most
/// libraries.
struct TaggedSheets: Sendable {
    /// A sheet in shorter songs is not looked for.
    static let minDiscDuration = Duration.seconds(15 * 60)
    private static let pageSize = 250
    private static let maxPages = 40
    /// A CD has 99 tracks.
    private static let maxTracks = 999
    private static let maxSize = 8 << 20
    private static let maxWarnings = 20

    private var texts: [String: String] = [:]
    private var sheets: [String: DiscSheet] = [:]
    private var size = 0

    init() {}

    /// Has the sheets that were kept; none where the text is of another kind.
    init(kept: String?) {
        let texts = kept.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } ?? [:]
        for (id, text) in texts { _ = add(text, of: id) }
    }

    /// A text to keep them by, which is the same for the same sheets; nil without any.
    var kept: String? {
        guard !texts.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(texts)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func read(from session: NavidromeSession, logger: Logger) async throws -> TaggedSheets {
        var found = TaggedSheets()
        var warnings = 0
        for page in 0..<maxPages {
            let songs = try await list(page, of: session)
            for song in songs.items where song.duration >= minDiscDuration {
                guard let problem = found.add(song), warnings < maxWarnings else { continue }
                warnings += 1
                warn(of: song, problem, logger)
            }
            guard songs.received == pageSize, let last = songs.items.last, last.duration >= minDiscDuration else {
                return found
            }
        }
        logger.info("only the \(maxPages * pageSize) longest songs were searched for cue sheets in tags")
        return found
    }

    /// Takes the sheets of songs of which something changed in place of those that they had.
    mutating func replace(_ songs: [NavidromeSong], logger: Logger) {
        for song in songs {
            if let text = texts.removeValue(forKey: song.id) { size -= text.utf8.count }
            sheets[song.id] = nil
            guard !song.isMissing, song.duration >= Self.minDiscDuration, let problem = add(song) else { continue }
            Self.warn(of: song, problem, logger)
        }
    }

    private static func warn(of song: NavidromeSong, _ problem: String, _ logger: Logger) {
        logger.warning("the cue sheet in a tag of \"\(song.title.prefix(200))\" is not used: \(problem)")
    }

    private static func list(_ page: Int, of session: NavidromeSession) async throws -> SubsonicPage<NavidromeSong> {
        let list = { try await session.longestSongs(from: page * pageSize, count: pageSize) }
        return page == 0 ? try await session.afterSignIn(list) : try await list()
    }

    /// Takes a sheet from the texts of a song; returns the problem with one that is of no use.
    private mutating func add(_ song: NavidromeSong) -> String? {
        var problem: String?
        for text in song.texts {
            switch add(text, of: song.id) {
            case .taken: return nil
            case .unfit(let reason): problem = reason
            case .noSheet: continue
            }
        }
        return problem
    }

    private enum Verdict {
        case taken, noSheet
        case unfit(String)
    }

    private mutating func add(_ text: String, of id: String) -> Verdict {
        let cue = CueSheet(text)
        guard !cue.tracks.isEmpty else { return .noSheet }
        if Self.isCutOff(text) {
            return .unfit("Navidrome truncated it at \(text.utf8.count) bytes; see its Tags.NAME.MaxLength")
        }
        if let problem = cue.problems.first { return .unfit(problem) }
        guard cue.files.count == 1, cue.tracks.count <= Self.maxTracks else {
            return .unfit("it has \(cue.files.count) files and \(cue.tracks.count) tracks")
        }
        // Pages may overlap.
        guard texts[id] == nil else { return .taken }
        guard size.addingClamped(text.utf8.count) <= Self.maxSize else { return .unfit("there are too many") }
        var hash = ContentHash()
        hash.combine(text)
        let stamp = Int64(bitPattern: hash.value)
        guard let sheet = DiscSheet(cue, file: 0, name: nil, stamp: stamp) else { return .noSheet }
        size += text.utf8.count
        texts[id] = text
        sheets[id] = sheet
        return .taken
    }

    /// True if a text ends within a letter, or where Navidrome may have been told to cut tags off: at 1,024 bytes
    /// unless it is told otherwise.
    private static func isCutOff(_ text: String) -> Bool {
        let size = text.utf8.count
        return size > 0 && (size % 1024 == 0 || size % 1000 == 0) || text.unicodeScalars.last == "\u{FFFD}"
    }

    func tracks(of song: IndexedSong, id: String) -> [IndexedSong]? { sheets[id]?.tracks(of: song, id: id) }
}
