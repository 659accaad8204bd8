import Coordination
import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

struct PlaylistEntry: Hashable, Sendable {
    /// The item that it plays; for one that is nowhere a stream with the path that the playlist names.
    var item: QueueItem
    /// How long the playlist says that a stream lasts, or all of a file outside of the library.
    var duration: Duration?
    /// The part of the song or of the file that is meant; nil is all of it.
    var range: SongRange?
    /// How loud a file outside of the library is.
    var replayGain = ReplayGain()
    /// True if there is nothing to play.
    var isMissing = false
    /// The tags that a cue sheet has for a song of the library, which go before the song's own.
    var sheetTags: [TagValue] = []
}

extension PlaylistEntry {
    fileprivate func finding(_ song: Song?, at file: String, room: Int) -> PlaylistEntry {
        guard case .stream(_, let tags) = item else { return self }
        var isThere = song != nil
        if let length = song?.duration, let range, range.start >= length { isThere = false }
        guard let song, isThere else { return PlaylistEntry(item: .stream(url: file, tags: []), isMissing: true) }
        var found = self
        found.item = .stream(url: file, tags: tags.completed(by: song.tags.fitting(bytes: room)))
        found.duration = song.duration
        // The next track of the sheet may begin behind the end.
        if let part = range, let end = part.end, let whole = song.duration, end >= whole {
            found.range = SongRange(start: part.start, end: nil)
        }
        if replayGain == ReplayGain() { found.replayGain = song.replayGain }
        found.isMissing = false
        return found
    }

    /// The entry for the queue, with its song among `songs`; nil where there is nothing to play.
    fileprivate func candidate(_ songs: [SongID: QueueableSong]) -> QueueCandidate? {
        guard let id = item.songID else {
            return isMissing ? nil : QueueCandidate(item, range: range, duration: duration, replayGain: replayGain)
        }
        guard let song = songs[id] else { return nil }
        // Sheets with wrong times name parts that are behind the end.
        if let length = song.duration, let range, range.start >= length { return nil }
        return QueueCandidate(
            item, range: range, duration: song.duration, replayGain: song.replayGain, sheetTags: sheetTags)
    }

    /// The file that the playlist names, where that is nowhere in the library.
    fileprivate var missingFile: String? {
        guard isMissing, case .stream(let uri, _) = item else { return nil }
        return uri
    }
}

extension CommandContext {
    /// The entries of a playlist that a client wants to read: a stored one, one of the music folder or of a web server.
    @ServerActor
    func playlistEntries(_ name: String) async throws -> [PlaylistEntry] {
        switch try LocatedURI(name, for: .playlist, in: self) {
        case .absolute(let url): return try await remotePlaylist(url)
        case .outside(let path): return try await outsidePlaylist(path)
        case .relative(let path):
            do {
                if path.hasSlash { throw LibraryError(.noSuchPlaylist, "No such playlist") }
                let items = try await server.library.storedPlaylist(path)
                return await LongList.handle(consume items) { $0.map { PlaylistEntry(item: $0) } }
            } catch let error as LibraryError where error.code == .noSuchPlaylist {
                return try await folderPlaylist(path)
            }
        }
    }

    @ServerActor
    func playlistLength(_ name: String) async throws -> (songs: Int, playtime: Duration) {
        if case .relative(let path) = try LocatedURI(name, for: .playlist, in: self), !path.hasSlash {
            do {
                let length = try await server.library.lengthOfStoredPlaylist(path)
                return (length.songs, length.playtime)
            } catch let error as LibraryError where error.code == .noSuchPlaylist {
                // The music folder may have one.
            }
        }
        let entries = try await playlistEntries(name)
        let count = entries.count
        let ids = await LongList.handle(entries) { $0.compactMap(\.item.songID) }
        let songs = ids.isEmpty ? [:] : try await server.library.index.queueable(ids)
        let playtime = await LongList.handle(consume entries) { entries in
            entries.reduce(Duration.zero) { sum, entry in
                let whole = entry.item.songID.map { songs[$0]?.duration } ?? entry.duration
                return sum + ((entry.range.map { $0.duration(within: whole) } ?? whole) ?? .zero)
            }
        }
        return (count, playtime)
    }

    /// The entries for the queue of a part of such a playlist, and where each stands in the whole.
    @ServerActor
    func playlistCandidates(
        _ name: String, _ range: ArgumentRange
    ) async throws -> (candidates: [QueueCandidate], places: [Int]) {
        if case .relative(let path) = try LocatedURI(name, for: .playlist, in: self), !path.hasSlash {
            do {
                let end = max(range.start, range.end ?? .max)
                let items = try await server.library.queueable(inStoredPlaylist: path, range.start..<end)
                return await LongList.handle(consume items) { items in
                    (
                        items.map { QueueCandidate($0.item, duration: $0.duration, replayGain: $0.replayGain) },
                        items.map(\.place)
                    )
                }
            } catch let error as LibraryError where error.code == .noSuchPlaylist {
                // The music folder may have one.
            }
        }
        let entries = try await playlistEntries(name)
        let ids = await LongList.handle(entries) { range.part(of: $0).compactMap(\.item.songID) }
        let songs = ids.isEmpty ? [:] : try await server.library.index.queueable(ids)
        return await LongList.handle(consume entries) { entries in
            let part = range.part(of: entries)
            let found = part.indices.compactMap { place in part[place].candidate(songs).map { ($0, place) } }
            return (found.map(\.0), found.map(\.1))
        }
    }

    private static var missing: AckError { AckError(.noExist, "No such playlist") }

    @ServerActor
    private func folderPlaylist(_ path: String) async throws -> [PlaylistEntry] {
        if let tracks = try await server.library.index.songs(ofCueSheet: path), !tracks.isEmpty {
            return tracks.map { PlaylistEntry(item: .song($0)) }
        }
        guard let file = server.localFolders.file(at: path) else { throw Self.missing }
        let entries = try await entries(of: file, ofLibrary: true, resolver(below: String(path.pathFolder)))
        if PlaylistFile.Format(path: path) != nil { await tellMissing(of: entries, in: path) }
        return entries
    }

    /// The entries of a file that is a playlist, or has a cue sheet within it.
    @ServerActor
    private func entries(
        of file: String, ofLibrary: Bool, _ resolver: PlaylistResolver
    ) async throws -> [PlaylistEntry] {
        if let format = PlaylistFile.Format(path: file) {
            guard let bytes = try await server.parts.outsideFiles?.playlist(file: file, ofLibrary: ofLibrary) else {
                throw Self.missing
            }
            return try await resolver.entries(of: bytes, format)
        }
        guard PlaylistFile.mayHoldSheet(file), let sheet = try await server.parts.outsideSongs?.cueSheet(file: file)
        else { throw Self.missing }
        return try await resolver.entries(of: sheet, within: file)
    }

    /// Tells those who run the server which files of a playlist are missing; clients see what MPD shows them.
    @ServerActor
    private func tellMissing(of entries: [PlaylistEntry], in playlist: String) async {
        let names = await LongList.handle(entries) { $0.compactMap(\.missingFile) }
        if !names.isEmpty { server.parts.outsideFiles?.note(missing: names, of: playlist) }
    }

    /// Reads a playlist of this machine for a client on it, which may play the files next to it.
    @ServerActor
    private func outsidePlaylist(_ path: String) async throws -> [PlaylistEntry] {
        guard PlaylistFile.Format(path: path) != nil || PlaylistFile.mayHoldSheet(path) else { throw Self.missing }
        try await allowOutside(path, orElse: Self.missing)
        let resolver = resolver(below: String(path.pathFolder), readsOutside: true)
        let entries = try await entries(of: path, ofLibrary: false, resolver)
        // A cue sheet names one file again and again.
        let names = await LongList.handle(entries) { Set($0.compactMap(\.missingFile)).sorted() }
        var found: [String: (file: String, song: Song?)] = [:]
        var slice = TimeSlice()
        for name in names {
            if slice.isOver {
                try await Task.sleep(for: TimeSlice.pause)
                slice = TimeSlice()
            }
            try Task.checkCancellation()
            for reading in WrittenPath.readings(of: name) where found[name]?.song == nil {
                guard case .outside(let file)? = try? LocatedURI(reading, for: .input, in: self) else { continue }
                let song = try? await outsideSong(file)
                if song != nil || found[name] == nil { found[name] = (file, song) }
            }
        }
        let files = found
        let complete = await LongList.handle(consume entries) { entries in
            let room = CueSheet.maxBytesOfTags / max(1, entries.count)
            return entries.map { entry in
                guard let (file, song) = entry.missingFile.flatMap({ files[$0] }) else { return entry }
                return entry.finding(song, at: file, room: room)
            }
        }
        await tellMissing(of: complete, in: path)
        return complete
    }

    /// Reads a playlist of a web server, which needs more than permission to read: it has this machine send requests.
    @ServerActor
    private func remotePlaylist(_ url: String) async throws -> [PlaylistEntry] {
        guard LocatedURI.isSupportedStream(url) else { throw AckError(.unknown, "Unrecognized URI") }
        guard client.permission.contains(.add) else {
            throw AckError(.permission, "you don't have permission to load playlists of web servers")
        }
        let answer = try await server.parts.outsideFiles?.playlist(url: url) { type, url in
            PlaylistFile.Format(mimeType: type, url: url)?.maxSize
        }
        guard let answer, let format = PlaylistFile.Format(mimeType: answer.mimeType, url: answer.url) else {
            throw Self.missing
        }
        // Its text, and a part of it again in pieces; a cue sheet may give each track the tags of the whole disc.
        let tags = format == .cue ? CueSheet.maxBytesOfTags : 0
        let room = try await server.memoryBudget.reserve(
            answer.bytes.count.multipliedClamped(by: 3).addingClamped(tags), for: "a playlist of a web server")
        defer { room.release() }
        let path = answer.url.prefix { $0 != "?" && $0 != "#" }
        let base = String(path.hasSlash ? path.pathFolder : path)
        return try await resolver(below: base).entries(of: answer.bytes, format)
    }

    @ServerActor
    private func resolver(below base: String, readsOutside: Bool = false) -> PlaylistResolver {
        PlaylistResolver(
            library: server.library, folders: server.localFolders, base: base, charset: server.facts.legacyCharset,
            readsOutside: readsOutside)
    }
}

/// Finds what the lines of a playlist mean; relative ones lie below `base`.
private struct PlaylistResolver: Sendable {
    let library: Library
    let folders: LocalFolders
    let base: String
    let charset: String
    /// True if files outside of the library are found later, for which all is kept that the playlist says.
    let readsOutside: Bool

    /// Reads a playlist, which may be long, and finds its songs; throws `AckError` 50 for bytes that are none.
    @concurrent
    func entries(of bytes: [UInt8], _ format: PlaylistFile.Format) async throws -> [PlaylistEntry] {
        guard let playlist = PlaylistFile(bytes, format: format, charset: charset) else {
            throw AckError(.noExist, "No such playlist")
        }
        return try await entries(of: playlist.entries, isSheet: format == .cue)
    }

    /// Finds the songs of the cue sheet within a file: its tracks are parts of that file.
    @concurrent
    func entries(of sheet: CueSheet, within file: String) async throws -> [PlaylistEntry] {
        guard let tracks = PlaylistFile.entries(of: sheet, within: String(file.pathName)) else {
            throw AckError(.noExist, "No such playlist")
        }
        return try await entries(of: tracks, isSheet: true)
    }

    private func entries(of list: [PlaylistFile.Entry], isSheet: Bool) async throws -> [PlaylistEntry] {
        let places = list.map { place(of: $0.uri) }
        let songs = try await songs(at: places, list)
        return list.indices.map { index in
            let entry = list[index]
            switch places[index] {
            case .library(let path):
                let tags = isSheet ? entry.tags : []
                return songs[index].map { PlaylistEntry(item: .song($0), range: entry.range, sheetTags: tags) }
                    ?? PlaylistEntry(item: .stream(url: path, tags: []), isMissing: true)
            case .stream(let url):
                return PlaylistEntry(item: .stream(url: url, tags: entry.tags), duration: entry.duration)
            case .nowhere(let uri):
                if let song = songs[index] {
                    return PlaylistEntry(item: .song(song), range: entry.range, sheetTags: isSheet ? entry.tags : [])
                }
                guard readsOutside else { return PlaylistEntry(item: .stream(url: uri, tags: []), isMissing: true) }
                return PlaylistEntry(
                    item: .stream(url: uri, tags: entry.tags), range: entry.range, replayGain: entry.replayGain,
                    isMissing: true)
            }
        }
    }

    /// The songs at locations; where there is none, those of the line's other readings.
    private func songs(at places: [Place], _ list: [PlaylistFile.Entry]) async throws -> [SongID?] {
        func path(_ place: Place?) -> String? { if case .library(let path)? = place { path } else { nil } }
        var songs = try await library.index.songIDs(at: places.map { path($0) ?? "" })
        func read(_ reading: (String) -> String?) async throws {
            let open = songs.indices.compactMap { index -> (index: Int, path: String)? in
                if case .stream = places[index] { return nil }
                guard songs[index] == nil, WrittenPath.hasReadings(list[index].uri) else { return nil }
                return reading(list[index].uri).map { (index, $0) }
            }
            guard !open.isEmpty else { return }
            for (other, song) in zip(open, try await library.index.songIDs(at: open.map(\.path))) {
                songs[other.index] = song
            }
        }
        for number in 1..<WrittenPath.maxReadings {
            try await read { path(WrittenPath.readings(of: $0).dropFirst(number).first.map(place)) }
        }
        for number in 0..<WrittenPath.maxEnds {
            for mount in folders.folders.map({ $0.mount.isEmpty ? "" : $0.mount + "/" }) {
                try await read { WrittenPath.ends(ofForeign: $0).dropFirst(number).first.map { mount + $0 } }
            }
        }
        return songs
    }

    private enum Place {
        case library(String)
        case stream(String)
        case nowhere(String)
    }

    private func place(of uri: String) -> Place {
        let isRelative = !uri.isAbsolutePath && !LocatedURI.hasScheme(uri)
        let whole = (isRelative && !base.isEmpty ? base + "/" + uri : uri).withoutDotSegments
        if LocatedURI.isSupportedStream(whole) { return .stream(whole) }
        let isFileURL = whole.prefix(7).lowercased() == "file://"
        if isFileURL || whole.isAbsolutePath {
            let file = isFileURL ? String(whole.dropFirst(7)) : whole
            return folders.path(ofFile: file).map { .library($0) } ?? .nowhere(whole)
        }
        return LocatedURI.hasScheme(whole) ? .nowhere(whole) : .library(whole)
    }
}
