import Coordination
import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

extension Command {
    /// Sends a part of the cover of a song's folder, with its path as from MPD 0.25 on. The song need not be there,
    /// only its folder counts; a folder's own URI is taken too, also with the slash behind it that Cantata sends.
    static let albumArt = Command("albumart", .read, 2...2, "{URI} {OFFSET}", since: "0.21") { arguments in
        let uri = try arguments.string()
        let offset = try arguments.unsigned()
        return .suspending { context, response in
            let isFolder = uri.utf8.count > 1 && uri.utf8.last == UInt8(ascii: "/") && !LocatedURI.hasScheme(uri)
            let missing = AckError(.noExist, "No file exists")
            let located = try LocatedURI(isFolder ? String(uri.dropLast()) : uri, for: .input, in: context)
            guard case .relative(let path) = located else { throw missing }
            try await response.picture(
                key: "albumart \(path)", offset: offset, showsType: false, missing: missing,
                tooFar: AckError(.argument, "Offset too large"), in: context
            ) {
                guard var found = try await context.cover(of: path, isFolder: isFolder) else { return nil }
                found.file = found.file.flatMap { context.server.localFolders.path(ofFile: $0) }
                return found
            }
        }
    }

    /// Computes a song's acoustic fingerprint, which takes as long as fetching and decoding it. Streams have none here.
    static let getFingerprint = Command(
        "getfingerprint", .read, 1...1, "{URI}", since: "0.22", isAvailable: { $0.parts.fingerprints != nil }
    ) { arguments in
        let uri = try arguments.string()
        return .suspending { context, response in
            guard let fingerprints = context.server.parts.fingerprints else {
                throw AckError(.unknown, "unknown command \"getfingerprint\"")
            }
            guard case .relative(let path) = try LocatedURI(uri, for: .input, in: context) else {
                throw AckError(.system, "Streams have no fingerprints")
            }
            guard let song = try await context.server.library.index.songID(at: path) else {
                throw AckError(.system, "Failed to open \(path.quoted): No such file or directory")
            }
            let limit = context.server.fingerprinting
            try await limit.acquire()
            defer { limit.release() }
            let room = try await context.server.memoryBudget.reserve(32 << 20, for: "a fingerprint")
            defer { room.release() }
            response.line("chromaprint: ", try await fingerprints.fingerprint(of: song))
        }
    }

    /// Shows all tags of a song, whatever the client chose with `tagtypes`, a Navidrome's by the names of taggers
    /// behind MPD's, then a `Lyrics` line for every line of the words. The file's own names are elsewhere.
    static let readComments = Command("readcomments", .read, 1...1, "{URI}", since: "0.18") { arguments in
        let uri = try arguments.string()
        return .suspending { context, response in
            let located = try LocatedURI(uri, for: .input, in: context)
            if case .outside(let file) = located {
                for value in try await context.outsideSong(file, orElse: "Failed to load file").tags {
                    response.line(value.tag, value.value)
                }
            }
            guard case .relative(let path) = located else { return }
            guard let song = try await context.server.library.index.song(at: path) else {
                throw AckError(.noExist, "No such song")
            }
            let (words, provider) = (context.server.parts.lyrics, context.server.parts.comments)
            async let found = words?.lyrics(of: path, isUrgent: true)
            var comments: [(name: String, value: String)] = []
            if let id = song.id, let provider { comments = await provider.comments(of: id) }
            let lyrics = await found
            for value in song.tags { response.line(value.tag, value.value) }
            let told = Set(song.tags.map { "\($0.tag.wireName)=\($0.value)".lowercased() })
            for comment in comments where !told.contains("\(comment.name)=\(comment.value)".lowercased()) {
                response.line("", "\(comment.name): \(comment.value)")
            }
            // MPD leaves out values of several lines; line by line they fit the protocol and its limit.
            for line in lyrics?.lines ?? [] { response.line("Lyrics: ", String(line)) }
        }
    }

    /// Sends a part of a song's words as `readpicture` does; words with times are LRC. MPD has no such command.
    static let readLyrics = Command(
        "readlyrics", .read, 1...2, "{URI} [OFFSET]", isAvailable: { $0.parts.lyrics != nil }
    ) { arguments in
        let uri = try arguments.string()
        let offset = arguments.isEmpty ? 0 : try arguments.unsigned()
        return .suspending { context, response in
            guard case .relative(let path) = try LocatedURI(uri, for: .input, in: context) else { return }
            try await response.picture(key: "readlyrics \(path)", offset: offset, in: context) {
                guard try await context.server.library.index.kind(of: path) == .song else {
                    throw AckError(.noExist, "No such song")
                }
                guard let lyrics = await context.server.parts.lyrics?.lyrics(of: path, isUrgent: false) else {
                    return nil
                }
                return (Array(lyrics.text.utf8), lyrics.isSynced ? "text/x-lrc" : "text/plain", nil)
            }
        }
    }

    /// Sends a part of a song's own picture; nothing at all without one.
    static let readPicture = Command("readpicture", .read, 2...2, "{URI} {OFFSET}", since: "0.22") { arguments in
        let uri = try arguments.string()
        let offset = try arguments.unsigned()
        return .suspending { context, response in
            let located = try LocatedURI(uri, for: .input, in: context)
            var key = "readpicture \(located)"
            switch located {
            case .absolute: return
            // Pictures are kept for a moment, those of outside files for the user who may see them.
            case .outside: key += " \(context.client.localUser.map(String.init) ?? "")"
            case .relative: break
            }
            try await response.picture(key: key, offset: offset, in: context) {
                if case .outside(let file) = located {
                    return try await context.outsidePicture(file).map { ($0.bytes, $0.mimeType, nil) }
                }
                guard case .relative(let path) = located else { return nil }
                guard try await context.server.library.index.kind(of: path) == .song else {
                    throw AckError(.noExist, "No such song")
                }
                return try await context.server.parts.pictures.picture(of: path).map { ($0.bytes, $0.mimeType, nil) }
            }
        }
    }
}

extension CommandContext {
    /// The cover of a folder, or of the folder that a song is in.
    @ServerActor
    fileprivate func cover(of path: String, isFolder: Bool) async throws -> FoundCover? {
        let pictures = server.parts.pictures
        let kind = try await server.library.index.kind(of: path)
        let parent = String(path.pathFolder)
        let folders = isFolder ? [path] : kind == .directory ? [path, parent] : [parent]
        for folder in folders {
            guard let directory = server.localFolders.file(at: folder) else { continue }
            if let found = try await pictures.cover(inFolder: directory) { return found }
        }
        if let found = try await pictures.albumArt(for: path) { return found }
        return kind == nil && !parent.isEmpty ? try await pictures.albumArt(for: parent) : nil
    }
}
