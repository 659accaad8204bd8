import Coordination
import FoundationEssentials
import Synchronization

/// A small album made on the spot, so that `segue demo` needs no music at all.
package enum DemoAlbum {
    private struct Track: Sendable {
        var title: String
        var format: DemoEncoder.Format
        var piece: DemoComposer.Piece
        var artists = [DemoAlbum.artist]
    }

    private static let artist = "The Segue Ensemble"
    private static let album = "First Light"
    private static let version = "demo-music-1"

    /// Makes the album below `directory` unless it is there already.
    ///
    /// - Returns: the folder to serve, in which the album lies as `Artist/Album/Track`.
    /// - Throws: `AudioFileError` when the folder can't be written or GStreamer lacks even its FLAC and WAV encoders.
    /// - Isolation: blocks, for a few seconds the first time; call it on a thread that may wait.
    package static func make(in directory: String) throws -> String {
        if let failure = GStreamerLibrary.failure {
            throw AudioFileError(message: "GStreamer doesn't work: \(failure)")
        }
        let finished = directory + "/" + version
        let files = FileManager.default
        if files.fileExists(atPath: finished) { return finished }
        let draft = finished + "." + UUID().uuidString
        let folder = draft + "/" + artist + "/" + album
        do {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try makeFiles(in: folder)
            try? files.moveItem(atPath: draft, toPath: finished)
            try? files.removeItem(atPath: draft)
        } catch {
            try? files.removeItem(atPath: draft)
            throw (error as? AudioFileError) ?? AudioFileError(message: "the folder \(directory) can't be written")
        }
        guard files.fileExists(atPath: finished) else {
            throw AudioFileError(message: "the folder \(directory) can't be written")
        }
        return finished
    }

    private static func makeFiles(in folder: String) throws {
        let cover = DemoCover.png()
        try Data(cover).write(to: URL(fileURLWithPath: folder + "/cover.png"))
        let tracks = tracks
        let work = Monitor<(next: Int, done: Int, failure: AudioFileError?)>((0, 0, nil))
        for _ in 0..<2 {
            let isStarted = BlockingThread.start("demo") {
                while let index = work.withLock({ state in
                    defer { state.next += 1 }
                    return state.next < tracks.count ? state.next : nil
                }) {
                    let failure = make(tracks[index], index + 1, of: tracks.count, in: folder, cover: cover)
                    work.update { state in
                        state.done += 1
                        state.failure = state.failure ?? failure
                    }
                }
            }
            guard isStarted else { throw AudioFileError(message: BlockingThread.missing) }
        }
        let outcome = work.wait(milliseconds: 120_000) { $0.done == tracks.count ? Optional.some($0.failure) : nil }
        guard let outcome else { throw AudioFileError(message: "making the demo album took too long") }
        if let outcome { throw outcome }
    }

    private static func make(_ track: Track, _ number: Int, of count: Int, in folder: String, cover: [UInt8])
        -> AudioFileError?
    {
        let tags = DemoTags(
            title: track.title, artists: track.artists, album: album, albumArtist: artist, composer: "Segue",
            genres: ["Ambient", "Demo"], track: number, trackCount: count, disc: 1, date: (2025, 6, 21), picture: cover)
        let name = (number < 10 ? "0" : "") + "\(number) - \(track.title)"
        let samples = DemoComposer.play(track.piece)
        let usable =
            [track.format, DemoEncoder.flac, DemoEncoder.wav].first(where: DemoEncoder.isAvailable) ?? DemoEncoder.wav
        do {
            try DemoEncoder.encode(samples, as: usable, tags: tags, to: folder + "/" + name + "." + usable.suffix)
            return nil
        } catch { return error as? AudioFileError ?? AudioFileError(message: "the demo album can't be made") }
    }

    private static func piece(_ tempo: Double, _ key: Int, _ isMinor: Bool, _ chords: [Int], _ seed: UInt32)
        -> DemoComposer.Piece
    {
        let bars = max(6, Int(24 * tempo / 240))
        return DemoComposer.Piece(tempo: tempo, key: key, isMinor: isMinor, chords: chords, seed: seed, bars: bars)
    }

    private static var tracks: [Track] {
        [
            // GStreamer writes no track number into WAV, and clients see songs without one first.
            Track(title: "Before Dawn", format: DemoEncoder.wav, piece: piece(72, 57, true, [0, 5, 2, 6], 11)),
            Track(title: "First Light", format: DemoEncoder.vorbis, piece: piece(88, 60, false, [0, 4, 5, 3], 5)),
            Track(
                title: "Over the Hills", format: DemoEncoder.mp3, piece: piece(96, 62, false, [0, 3, 4, 3], 23),
                artists: [artist, "Pluck & Pad"]),
            Track(title: "Dew", format: DemoEncoder.opus, piece: piece(76, 64, true, [0, 3, 6, 2], 31)),
            Track(title: "Market Square", format: DemoEncoder.m4a, piece: piece(108, 55, false, [0, 5, 1, 4], 47)),
            Track(title: "Noon Bells", format: DemoEncoder.wavpack, piece: piece(84, 58, false, [0, 2, 3, 4], 53)),
            Track(title: "The Long Way Home", format: DemoEncoder.flac, piece: piece(80, 57, true, [0, 6, 5, 4], 61)),
            Track(
                title: "Evening Star", format: DemoEncoder.flac, piece: piece(70, 60, true, [0, 5, 3, 4], 79),
                artists: [artist, "Pluck & Pad"]),
            Track(title: "Good Night", format: DemoEncoder.mp3, piece: piece(66, 53, false, [0, 3, 0, 4], 97)),
        ]
    }
}
