import Foundation
import LibraryIndex
import MusicModel
import UserLibrary

/// Brings what an MPD keeps into a library.
///
/// Segue's own entries are never changed, so that a second run adds nothing.
/// - Isolation: any; no server may use the library meanwhile.
struct MPDTakeover {
    private let mpd: MPDInstallation
    private let library: Library
    private let recognition: SongRecognition
    private var folder: ImportFolder
    private let uploadsRatings: Bool
    private var report = ImportReport()
    private var found: [String: SongID?] = [:]

    /// Songs that were not found are written into `folder`; ratings and stars of the server's songs are taken over only
    /// where they may go to the server.
    init(_ mpd: MPDInstallation, into library: Library, folder: String, uploadsRatings: Bool) async throws {
        (self.mpd, self.library, self.uploadsRatings) = (mpd, library, uploadsRatings)
        self.folder = ImportFolder(folder)
        recognition = SongRecognition(try await Self.candidates(library))
    }

    /// Takes everything over but the mounts, which have to be there before the library is filled.
    mutating func run(isDryRun: Bool) async throws -> ImportReport {
        try await takeQueue(isDryRun)
        try await takePlaylists(isDryRun)
        try await takeStickers(isDryRun)
        return report
    }

    private static func candidates(_ library: Library) async throws -> [SongRecognition.Candidate] {
        // MPD's playlists may name a file that a cue sheet hides.
        let ids = try await library.index.findQueueable(SongQuery(.all)).map(\.id) + library.index.hiddenSongs()
        let wanted: Set<Tag> = [.artist, .album, .title, .musicBrainzTrackID]
        var candidates: [SongRecognition.Candidate] = []
        for start in stride(from: 0, to: ids.count, by: 5_000) {
            let part = ids[start..<min(start + 5_000, ids.count)]
            for case (let id, let song?) in zip(part, try await library.index.songs(Array(part))) {
                let tags = song.tags.filter { wanted.contains($0.tag) }
                candidates.append(.init(id: id, uri: song.uri, tags: tags, duration: song.duration))
            }
        }
        return candidates
    }

    // MARK: Songs

    /// The item that an entry of MPD's becomes; nil for a song that was not found.
    private mutating func item(_ uri: String, tags: [TagValue], title: String? = nil) -> QueueItem? {
        if uri.contains("://"), !uri.hasPrefix("file://") {
            return .stream(url: uri, tags: tags.isEmpty ? title.map { [TagValue(.title, $0)] } ?? [] : tags)
        }
        return song(relative(uri), tags: tags).map { .song($0) }
    }

    private mutating func song(_ path: String, tags: [TagValue] = []) -> SongID? {
        if let known = found[path] { return known }
        let known = mpd.catalog.songs[path]
        let match = recognition.song(path, tags: known?.tags ?? tags, duration: known?.duration)
        found[path] = .some(match?.id)
        if let match { report.ways[match.way, default: 0] += 1 } else { report.missing.insert(path) }
        return match?.id
    }

    private func relative(_ uri: String) -> String {
        let path = uri.hasPrefix("file://") ? String(uri.dropFirst(7)).removingPercentEncoding ?? uri : uri
        guard path.isAbsolutePath, let folder = mpd.settings["music_directory"] else { return path }
        let root = mpd.paths.absolute(folder, in: "/")
        return path.path(below: root).map { String($0) } ?? path
    }

    // MARK: Queue and options

    private mutating func takeQueue(_ isDryRun: Bool) async throws {
        var player = mpd.state.player
        var queue = SavedQueue()
        var position: Int?
        var missing: [String] = []
        for (index, entry) in mpd.state.queue.enumerated() {
            guard let item = item(entry.uri, tags: entry.tags) else {
                missing.append(entry.uri)
                continue
            }
            if index == player.position { position = queue.entries.count }
            let (range, tags) = try await part(entry, item)
            queue.entries.append(
                .init(
                    id: QueueEntryID(rawValue: UInt32(queue.entries.count + 1)), item: item,
                    priority: entry.priority, range: range, sheetTags: tags))
        }
        if position == nil { (player.state, player.elapsed) = (.stop, .zero) }
        player.position = position
        player.outputs = mpd.state.outputs
        guard try library.savedQueue().entries.isEmpty else {
            return report.queue = "Segue has one already; MPD's was skipped."
        }
        // Without it a later import would write MPD's options over those that were chosen here since.
        guard !folder.hasTakenQueue else { return report.queue = "imported before, with the options; Segue's stay." }
        if !isDryRun { keepMissing(missing, of: .queue) }
        // A disk that isn't there yet must not leave an empty queue for good.
        guard missing.isEmpty || !queue.entries.isEmpty else {
            return report.queue = "none of its \(missing.count) songs was found; it was skipped, with the options."
        }
        report.queue = "\(queue.entries.count) entries."
        guard !isDryRun else { return }
        try await library.saveQueue(queue)
        try await library.savePlayer(player)
        try folder.noteQueueTaken()
    }

    /// The part of a song that an entry of MPD's queue plays, and the tags that a cue sheet gave it; none where these
    /// are the song's own.
    private func part(_ entry: MPDState.Entry, _ item: QueueItem) async throws -> (SongRange?, [TagValue]) {
        guard let range = entry.range, case .song(let id) = item,
            let song = try await library.index.songs([id]).first ?? nil
        else { return (entry.range, []) }
        // MPD counts from the beginning of the file, here a part of a track counts from the track's.
        if let track = song.range { return (range.within(track), []) }
        let own = Set(song.tags)
        return (range, entry.tags.allSatisfy(own.contains) ? [] : entry.tags)
    }

    // MARK: Playlists

    private mutating func takePlaylists(_ isDryRun: Bool) async throws {
        let known = Set(try await library.storedPlaylists().map(\.name))
        for playlist in mpd.playlists {
            var (items, missing): ([QueueItem], [String]) = ([], [])
            for entry in playlist.entries {
                if let item = item(entry.uri, tags: [], title: entry.title) {
                    items.append(item)
                } else {
                    missing.append(entry.uri)
                }
            }
            guard !known.contains(playlist.name) else {
                let isSame = try await library.storedPlaylist(playlist.name) == items
                report.samePlaylists += 1
                if !isSame { report.notes.append("The playlist \(playlist.name) has other songs here; unchanged.") }
                continue
            }
            if !isDryRun { keepMissing(missing, of: .playlist(playlist.name)) }
            // An empty one would be there already when an import finds its songs.
            guard missing.isEmpty || !items.isEmpty else {
                report.notes.append("The playlist \(playlist.name) was skipped: none of its songs was found.")
                continue
            }
            do {
                if !isDryRun { try await library.saveStoredPlaylist(playlist.name, items, mode: .create) }
                report.newPlaylists += 1
            } catch let error as LibraryError where error.code != .unwritable && error.code != .diskFull {
                report.notes.append("The playlist \(playlist.name) was skipped: \(error.message)")
            }
        }
    }

    /// Writes down what was not found; a list that can't be written keeps nothing else from being taken over.
    private mutating func keepMissing(_ lines: [String], of list: ImportFolder.List) {
        if let problem = folder.keep(lines, of: list) { report.notes.append(problem) }
    }

    // MARK: Stickers

    private static let marks: Set<String> = ["rating", "like"]

    private mutating func takeStickers(_ isDryRun: Bool) async throws {
        var missing: [String] = []
        for sticker in mpd.stickers {
            guard let object = Self.object(of: sticker, song: { song($0) }) else {
                missing.append("\(sticker.type)\t\(sticker.uri)\t\(sticker.name)=\(sticker.value)")
                continue
            }
            if try await library.sticker(sticker.name, of: object) != nil {
                report.sameStickers += 1
            } else if try await isHeldBack(sticker, object) {
                report.heldBack += 1
            } else {
                if !isDryRun { try await library.setSticker(sticker.name, of: object, to: sticker.value) }
                report.newStickers += 1
            }
        }
        if !missing.isEmpty {
            report.notes.append("\(missing.count) stickers were skipped: their songs were not found.")
            if !isDryRun { keepMissing(missing, of: .stickers) }
        }
    }

    /// The object that a sticker is on; nil for a song that was not found, and for a type that Segue doesn't have.
    static func object(of sticker: MPDSticker, song: (String) -> SongID?) -> StickerObject? {
        switch sticker.type {
        case "song": song(sticker.uri).map { .song($0) }
        case "playlist": .playlist(sticker.uri)
        case "filter": .filter(sticker.uri)
        default: MPDSongBlock.tags[sticker.type].map { .tag($0, sticker.uri) }
        }
    }

    private func isHeldBack(_ sticker: MPDSticker, _ object: StickerObject) async throws -> Bool {
        guard !uploadsRatings, Self.marks.contains(sticker.name), case .song(let id) = object else { return false }
        if case .navidrome = try await library.index.source(of: id)?.source { return true }
        return false
    }
}

extension SongRange {
    /// MPD writes whole milliseconds.
    private static let precision = Duration.milliseconds(1)

    /// A part of a file as one of a track in it; nil where it is the whole track.
    fileprivate func within(_ track: SongRange) -> SongRange? {
        let first = start - track.start
        let last = end.flatMap { end in
            track.end.map { end >= $0 - Self.precision } ?? false ? nil : max(.zero, end - track.start)
        }
        return SongRange(start: first <= Self.precision ? .zero : first, end: last)
    }
}

/// How a song of MPD's was found in the library.
enum RecognitionWay: String, CaseIterable, Sendable {
    case samePath = "by the same path"
    case endOfPath = "by the end of the path"
    case recording = "by MusicBrainz id"
    case tags = "by artist, album and title"
    case fileName = "by file name and length"
}

/// Finds MPD's songs in a library that may have other paths. Each way counts only where it leads to one song; the first
/// that does decides.
struct SongRecognition: Sendable {
    struct Candidate: Sendable {
        var id: SongID
        var uri: String
        /// Its tags; others than artist, album, title and MusicBrainz's id of the recording don't matter.
        var tags: [TagValue]
        var duration: Duration?
    }

    private static let tolerance = Duration.seconds(2)

    private let candidates: [Candidate]
    private var byPath: [String: Int] = [:]
    private var byEnd: [String: [Int]] = [:]
    private var byRecording: [String: [Int]] = [:]
    private var byTags: [[String]: [Int]] = [:]
    private var byName: [String: [Int]] = [:]

    init(_ candidates: [Candidate]) {
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

    /// The library's song for one of MPD's by its path below the music directory, and by its tags and length as far as
    /// they are known; nil when none or more than one would do.
    func song(_ uri: String, tags: [TagValue], duration: Duration?) -> (id: SongID, way: RecognitionWay)? {
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
            return duration > other ? duration - other <= Self.tolerance : other - duration <= Self.tolerance
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
