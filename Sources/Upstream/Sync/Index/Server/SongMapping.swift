import LibraryIndex
import MusicModel
import Subsonic

/// Turns the server's songs into those of the index.
///
/// Tags mean what they mean to MPD on the same files, so that clients see no difference: one line per artist and genre,
/// the track as a plain number, MusicBrainz's recording id as the track id.
struct SongMapping: Sendable {
    /// Moves when songs must be written again because the mapping changed.
    static let version: Int64 = 1
    /// Moves when some songs get more than before: all are compared once more, and the others keep their hashes.
    static let revision = 4

    let mount: String
    let details: CatalogDetails
    var sheets = DiscSheets()

    /// The song, or the tracks that a cue sheet makes of it, behind the song that they hide.
    func songs(_ song: SubsonicSong) -> [IndexedSong] {
        let whole = self.song(song)
        return sheets.tracks(of: whole, id: song.id).map { [Self.hidden(whole)] + $0 } ?? [whole]
    }

    private static func hidden(_ song: IndexedSong) -> IndexedSong {
        var hidden = song
        hidden.isHidden = true
        hidden.hash = SplitHash(song.hash).derived { $0.combine("hidden") }.joined
        return hidden
    }

    func song(_ song: SubsonicSong) -> IndexedSong {
        let suffix = (song.suffix ?? "").lowercased()
        let known = details.songs[song.id]
        let added = song.created.flatMap(TimeText.seconds)
        var indexed = IndexedSong(
            mount: mount, sourceID: song.id, source: .navidrome(id: song.id), path: path(of: song),
            tags: tags(of: song, known),
            duration: known?.duration ?? song.duration.flatMap { $0 > 0 ? .seconds(clamping: $0) : nil },
            lastModified: known?.modified.map(FileTime.clamped) ?? Self.fileTime(inCoverID: song.coverArt) ?? added,
            added: added,
            format: Self.format(of: song, suffix: suffix),
            replayGain: Self.replayGain(of: song.replayGain),
            suffix: suffix, size: song.size, coverArtID: song.coverArt, starred: song.starred != nil,
            rating: song.userRating ?? 0, hash: 0)
        indexed.hash = hash(of: indexed, song, known)
        let marks = ServerSongMarks(song)
        indexed.marks = marks.isEmpty ? nil : marks
        return indexed
    }

    /// In halves where Navidrome's own API tells more.
    private func hash(of indexed: IndexedSong, _ song: SubsonicSong, _ known: NavidromeDetails?) -> UInt64 {
        let whole = Self.hash(of: indexed, seconds: song.duration)
        guard details.ownAPI != .none else { return whole }
        let plain = SongMapping(mount: mount, details: details.plain).song(song).hash
        guard let known else { return SplitHash(plain: plain, details: nil).joined }
        var own = ContentHash()
        own.combine(Int64(bitPattern: whole))
        own.combine(known.duration.map { $0 / .seconds(1) })
        return SplitHash(plain: plain, details: own.value).joined
    }

    /// The loudness values; either mode takes the other one's gain where its own is missing, so one fallback is enough.
    private static func replayGain(of gain: SubsonicReplayGain) -> ReplayGain {
        let isUnknown = gain.trackGain == nil && gain.albumGain == nil
        return ReplayGain(
            trackGain: isUnknown ? gain.fallbackGain : gain.trackGain, trackPeak: gain.trackPeak,
            albumGain: gain.albumGain, albumPeak: gain.albumPeak)
    }

    /// The server's path, or one made from the tags where the server hides it.
    private func path(of song: SubsonicSong) -> String {
        if let path = song.path, !path.isEmpty { return path }
        let folders = [song.displayAlbumArtist ?? song.artist, song.album].map { part($0 ?? "Unknown") }
        let name = part(song.title ?? song.id)
        return (folders + [song.suffix.map { "\(name).\($0)" } ?? name]).joined(separator: "/")
    }

    private func part(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "/" ? "_" : $0 }))
    }

    /// When the file changed: Navidrome appends it to picture ids, in hexadecimal Unix seconds.
    static func fileTime(inCoverID id: String?) -> Int64? {
        guard let id, id.hasPrefix("mf-") || id.hasPrefix("al-") || id.hasPrefix("dc-"),
            let mark = id.utf8.lastIndex(of: UInt8(ascii: "_"))
        else { return nil }
        // Newer ones append 16 digits, a hash of the picture.
        let digits = id[id.index(after: mark)...]
        guard digits.utf8.count < 16, let seconds = Int64(digits, radix: 16), seconds > 0 else { return nil }
        return FileTime.clamped(seconds)
    }

    /// The format as MPD's decoders announce it: what lossy codecs decode to is the decoder's choice, not the file's.
    /// - Source: `format` of MPD 0.23.12 on MP3 (`24`), Vorbis and AAC (`f`), Opus (`16`), FLAC (the file's bits).
    static func format(of song: SubsonicSong, suffix: String) -> AudioFormat? {
        guard let rate = song.samplingRate, rate > 0 else { return nil }
        let fromFile: AudioFormat.Sample = song.bitDepth.map { $0 > 0 ? .integer(bits: $0) : .unknown } ?? .unknown
        let sample: AudioFormat.Sample =
            switch suffix {
            case "mp3", "mp2": .integer(bits: 24)
            case "opus": .integer(bits: 16)
            case "ogg", "oga", "aac", "mpc", "wma": .float
            // AAC and ALAC share the suffix; only the bit rate tells them apart.
            case "m4a", "m4b", "mp4": (song.bitRate ?? 0) > 400 ? fromFile : .float
            case "dsf", "dff": .dsd
            default: fromFile
            }
        // Of DSD, formats count bytes and servers count bits.
        return AudioFormat(
            sampleRate: sample == .dsd ? rate / 8 : rate, sample: sample, channels: song.channelCount ?? 0)
    }

    /// A hash over everything that clients can see, and over what playing and pictures need.
    private static func hash(of song: IndexedSong, seconds: Int?) -> UInt64 {
        var hash = ContentHash()
        hash.combine(version)
        hash.combine(song.path)
        for tag in song.tags {
            hash.combine(Int64(tag.tag.rawValue))
            hash.combine(tag.value)
        }
        hash.combine(seconds.map(Int64.init))
        hash.combine(song.lastModified)
        hash.combine(song.added)
        hash.combine(song.format?.wireText)
        hash.combine(song.replayGain.trackGain)
        hash.combine(song.replayGain.trackPeak)
        hash.combine(song.replayGain.albumGain)
        hash.combine(song.replayGain.albumPeak)
        hash.combine(song.suffix)
        hash.combine(song.size)
        hash.combine(song.coverArtID)
        return hash.value
    }
}
