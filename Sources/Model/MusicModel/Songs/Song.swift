/// Where a song's bytes come from.
package enum SongSource: Hashable, Sendable {
    case navidrome(id: String)
    case localFile(path: String)
    /// A part of such a file, as a cue sheet names it.
    case localPart(path: String, range: SongRange)
    /// A part of a song of the server, as a cue sheet on this machine names it.
    case navidromePart(id: String, range: SongRange)

    /// The server's id of the song, or of the one that it is a part of; nil for a local file.
    package var serverID: String? {
        switch self {
        case .navidrome(let id), .navidromePart(let id, _): id
        case .localFile, .localPart: nil
        }
    }

    /// The part of the file that is the song; nil is all of it.
    package var range: SongRange? {
        switch self {
        case .localPart(_, let range), .navidromePart(_, let range): range
        case .navidrome, .localFile: nil
        }
    }
}

/// ReplayGain values of a song; gains in dB, peaks as a factor of full scale.
package struct ReplayGain: Hashable, Sendable {
    /// Gain that brings the track to the reference loudness.
    package var trackGain: Double?
    /// Largest sample of the track.
    package var trackPeak: Double?
    /// Gain that brings the whole album to the reference loudness.
    package var albumGain: Double?
    /// Largest sample of the album.
    package var albumPeak: Double?

    /// Collects what is known; absent values are nil.
    package init(trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil)
    {
        (self.trackGain, self.trackPeak) = (trackGain, trackPeak)
        (self.albumGain, self.albumPeak) = (albumGain, albumPeak)
    }
}

/// A song with all that clients can see of it.
package struct Song: Hashable, Sendable {
    /// The song's number in the index; nil before it is stored, or for a stream.
    package var id: SongID?
    /// The path or URL that clients use.
    package var uri: String
    /// Every tag value, in the order in which they are written to clients.
    package var tags: [TagValue]
    /// The playing time, if known.
    package var duration: Duration?
    /// When the file changed, in Unix seconds; nil is not shown.
    package var lastModified: Int64?
    /// When the song came into the library, in Unix seconds; nil is not shown.
    package var added: Int64?
    /// The format of the file's samples.
    package var format: AudioFormat?
    /// Loudness values.
    package var replayGain: ReplayGain
    /// The part of a file that is the song; nil is all of it.
    package var range: SongRange?
    /// The path of the song that this one is a track of, as a cue sheet divides it; nil of a whole song.
    package var wholeURI: String?

    /// Makes a song; everything but the URI may be unknown.
    package init(
        id: SongID? = nil, uri: String, tags: [TagValue] = [], duration: Duration? = nil, lastModified: Int64? = nil,
        added: Int64? = nil, format: AudioFormat? = nil, replayGain: ReplayGain = ReplayGain(),
        range: SongRange? = nil, wholeURI: String? = nil
    ) {
        (self.range, self.wholeURI, self.id, self.uri) = (range, wholeURI, id, uri)
        (self.tags, self.duration, self.lastModified, self.added) = (tags, duration, lastModified, added)
        (self.format, self.replayGain) = (format, replayGain)
    }

    /// The first value of `tag`, without fall-backs.
    package func first(_ tag: Tag) -> String? { tags.first { $0.tag == tag }?.value }

    /// The song as an entry of a queue or a playlist has it: with a cue sheet's tags before its own, and its range.
    package func entry(_ range: SongRange?, sheetTags: [TagValue]) -> Song {
        var entry = self
        entry.tags = sheetTags.completed(by: tags)
        if let range {
            entry.range = range
            entry.duration = range.shownDuration(within: duration)
        }
        return entry
    }
}

extension [TagValue] {
    /// These values, and those of the others whose tags are not among them.
    /// - Source: MPD v0.24.13 src/playlist/PlaylistSong.cxx `merge_song_metadata`.
    package func completed(by others: [TagValue]) -> [TagValue] {
        if isEmpty { return others }
        let told = Set(map(\.tag))
        return self + others.filter { !told.contains($0.tag) }
    }
}
