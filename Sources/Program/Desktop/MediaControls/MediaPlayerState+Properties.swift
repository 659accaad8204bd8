import MusicModel
import Players

extension MediaPlayerState {
    /// The properties of MPRIS's player that it is told when they change; the position is not among them.
    ///
    /// - Source: freedesktop.org's MPRIS v2.2 specification, `org.mpris.MediaPlayer2.Player`.
    var properties: [String: BusVariant] {
        [
            "PlaybackStatus": .text(transport == .play ? "Playing" : transport == .pause ? "Paused" : "Stopped"),
            "LoopStatus": .text(!isRepeating ? "None" : isSingle ? "Track" : "Playlist"),
            "Shuffle": .flag(isRandom),
            "Volume": .double(Double(volume) / 100),
            "Rate": .double(speed),
            "Metadata": .dictionary(song?.metadata ?? ["mpris:trackid": .path(Self.noTrack)]),
            "CanGoNext": .flag(hasNext),
            "CanGoPrevious": .flag(song != nil),
            "CanPlay": .flag(hasSongs),
            "CanPause": .flag(song != nil),
            "CanSeek": .flag(song?.length != nil),
        ]
    }

    /// The path that MPRIS keeps for "no song".
    private static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
}

extension MediaSong {
    /// The object that stands for the entry; a song that is played twice in a row has two.
    var trackID: String { "/org/segue/queue/\(entry)" }

    /// The song in the words of MPRIS.
    ///
    /// - Source: freedesktop.org's MPRIS v2 metadata guidelines.
    var metadata: [String: BusVariant] {
        var found: [String: BusVariant] = [
            "mpris:trackid": .path(trackID), "xesam:title": .text(title),
        ]
        found["xesam:url"] = url.map { .text($0) }
        found["mpris:length"] = length.map { .int64($0.wholeMicroseconds) }
        found["mpris:artUrl"] = picture.map { .text("file://" + $0) }
        found["xesam:album"] = values(.album).first.map { .text($0) }
        for (name, tag) in Self.lists {
            let values = values(tag)
            if !values.isEmpty { found[name] = .texts(values) }
        }
        found["xesam:trackNumber"] = number(.track).map { .int32($0) }
        found["xesam:discNumber"] = number(.disc).map { .int32($0) }
        found["xesam:contentCreated"] = values(.date).first.map { .text($0) }
        found["xesam:userRating"] = rating.map { .double(Double($0) / 10) }
        return found
    }

    private static let lists: [(String, Tag)] = [
        ("xesam:artist", .artist), ("xesam:albumArtist", .albumArtist), ("xesam:genre", .genre),
        ("xesam:composer", .composer), ("xesam:comment", .comment),
    ]

    /// The digits that a number such as `3/12` begins with.
    private func number(_ tag: Tag) -> Int32? {
        values(tag).first.flatMap { Int32($0.prefix { $0.isASCII && $0.isNumber }) }
    }
}

extension Duration {
    /// In microseconds, as MPRIS counts; `Int64.max` for what is longer.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isTooLong else { return seconds < 0 ? .min : .max }
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflows ? .max : sum
    }
}
