import AudioFiles
import Dispatch
import FoundationEssentials
import Synchronization

/// A few small albums made on the spot, so that `segue demo` needs no music at all.
enum DemoAlbum {
    private struct Track: Sendable {
        var title: String
        var format: DemoEncoder.Format
        var piece: DemoComposer.Piece
        var artists: [String]?
        /// Lines of lyrics, four seconds each.
        var lyrics: [String] = []
    }

    private struct Album: Sendable {
        var title: String
        var artist: String
        var date: (year: Int, month: Int, day: Int)
        /// One: some formats have no room for a second, and would have both in one text.
        var genre: String
        var light: DemoCover.Light
        var tracks: [Track]
    }

    private struct Work: Sendable {
        var album: Album
        var number: Int
        var folder: String
        var cover: [UInt8]
    }

    private static let version = "demo-music-3"

    /// Makes the albums below `directory` as `Artist/Album/Track` unless they are there already, and returns their
    /// folder. Blocks for a few seconds the first time.
    static func make(in directory: String) throws -> String {
        if let failure = GStreamerLibrary.failure {
            throw AudioFileError(message: "GStreamer doesn't work: \(failure)")
        }
        let finished = directory + "/" + version
        let files = FileManager.default
        if files.fileExists(atPath: finished) { return finished }
        let draft = finished + "." + UUID().uuidString
        do {
            try makeFiles(in: draft)
            try files.moveItem(atPath: draft, toPath: finished)
        } catch {
            // The next start makes a draft of another name.
            try? files.removeItem(atPath: draft)
            // Another process may have been quicker.
            if files.fileExists(atPath: finished) { return finished }
            throw (error as? AudioFileError)
                ?? AudioFileError(message: "the folder \(directory) can't be written", cause: error)
        }
        return finished
    }

    private static func makeFiles(in root: String) throws {
        let tracks = try albums.flatMap { album in
            let folder = root + "/" + album.artist + "/" + album.title
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let cover = DemoCover.png(album.light)
            try Data(cover).write(to: URL(fileURLWithPath: folder + "/cover.png"))
            return album.tracks.indices.map { Work(album: album, number: $0 + 1, folder: folder, cover: cover) }
        }
        let failures = Mutex<[AudioFileError]>([])
        DispatchQueue.concurrentPerform(iterations: tracks.count) { index in
            if let failure = make(tracks[index]) { failures.withLock { $0.append(failure) } }
        }
        if let failure = failures.withLock({ $0.first }) { throw failure }
    }

    private static func make(_ work: Work) -> AudioFileError? {
        let (album, number) = (work.album, work.number)
        let track = album.tracks[number - 1]
        let tags = DemoTags(
            title: track.title, artists: track.artists ?? [album.artist], album: album.title, albumArtist: album.artist,
            composer: "Segue", genres: [album.genre], track: number, trackCount: album.tracks.count, disc: 1,
            date: album.date, picture: work.cover)
        let name = (number < 10 ? "0" : "") + "\(number) - \(track.title)"
        let samples = DemoComposer.play(track.piece)
        let usable =
            [track.format, DemoEncoder.flac, DemoEncoder.wav].first(where: DemoEncoder.isAvailable) ?? DemoEncoder.wav
        do {
            let path = work.folder + "/" + name
            try DemoEncoder.encode(samples, as: usable, tags: tags, to: path + "." + usable.suffix)
            if !track.lyrics.isEmpty {
                try Data(timed(track.lyrics).utf8).write(to: URL(fileURLWithPath: path + ".lrc"))
            }
            return nil
        } catch {
            return error as? AudioFileError ?? AudioFileError(message: "the demo album can't be made", cause: error)
        }
    }

    private static func timed(_ lines: [String]) -> String {
        lines.enumerated().map { index, line in
            let seconds = 1 + index * 4
            return "[00:\(seconds < 10 ? "0" : "")\(seconds).00]\(line)\n"
        }.joined()
    }

    private static let ensemble = "The Segue Ensemble"
    private static let duo = "Pluck & Pad"

    private static var albums: [Album] {
        [
            Album(
                title: "First Light", artist: ensemble, date: (2025, 6, 21), genre: "Ambient", light: .dawn,
                tracks: firstLight),
            Album(
                title: "Paper Boats", artist: duo, date: (1998, 3, 2), genre: "Folk", light: .noon,
                tracks: paperBoats),
            Album(
                title: "Night Trains", artist: ensemble, date: (2011, 11, 4), genre: "Electronic", light: .night,
                tracks: nightTrains),
        ]
    }

    private static var firstLight: [Track] {
        [
            // GStreamer writes no track number into WAV, and clients see songs without one first.
            Track(title: "Before Dawn", format: DemoEncoder.wav, piece: .init(72, 57, true, [0, 5, 2, 6], 11)),
            Track(
                title: "First Light", format: DemoEncoder.vorbis, piece: .init(88, 60, false, [0, 4, 5, 3], 5),
                lyrics: [
                    "The hills are grey before the sun", "A window opens, only one",
                    "The kettle sings, the day is young",
                    "First light", "The first light on the hills",
                ]),
            Track(
                title: "Over the Hills", format: DemoEncoder.mp3, piece: .init(96, 62, false, [0, 3, 4, 3], 23),
                artists: [ensemble, duo]),
            Track(title: "Dew", format: DemoEncoder.opus, piece: .init(76, 64, true, [0, 3, 6, 2], 31)),
            Track(title: "Market Square", format: DemoEncoder.m4a, piece: .init(108, 55, false, [0, 5, 1, 4], 47)),
            Track(title: "Noon Bells", format: DemoEncoder.flac, piece: .init(84, 58, false, [0, 2, 3, 4], 53)),
            Track(title: "The Long Way Home", format: DemoEncoder.flac, piece: .init(80, 57, true, [0, 6, 5, 4], 61)),
            Track(
                title: "Evening Star", format: DemoEncoder.flac, piece: .init(70, 60, true, [0, 5, 3, 4], 79),
                artists: [ensemble, duo]),
            Track(title: "Good Night", format: DemoEncoder.mp3, piece: .init(66, 53, false, [0, 3, 0, 4], 97)),
        ]
    }

    private static var paperBoats: [Track] {
        [
            Track(
                title: "Paper Boats", format: DemoEncoder.flac, piece: .init(100, 57, false, [0, 3, 5, 4], 113),
                lyrics: [
                    "Fold the page along the line", "One is yours and one is mine", "Down the gutter, down the lane",
                    "Paper boats sail in the rain",
                ]),
            Track(title: "Lantern", format: DemoEncoder.vorbis, piece: .init(78, 62, true, [0, 5, 3, 4], 127)),
            Track(title: "Ferry", format: DemoEncoder.opus, piece: .init(92, 59, false, [0, 4, 3, 4], 139)),
        ]
    }

    private static var nightTrains: [Track] {
        [
            Track(title: "Platform Nine", format: DemoEncoder.flac, piece: .init(112, 52, true, [0, 6, 3, 4], 149)),
            Track(title: "Sleeper", format: DemoEncoder.mp3, piece: .init(68, 55, true, [0, 3, 5, 2], 163)),
            Track(title: "Border", format: DemoEncoder.vorbis, piece: .init(74, 50, false, [0, 5, 3, 4], 173)),
        ]
    }
}
