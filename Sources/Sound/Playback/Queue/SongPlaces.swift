package import MusicModel
package import ServerLoop

/// Where songs start when they don't start at their beginning.
package struct ResumePoints: Hashable, Sendable {
    /// How far each song was heard.
    package var places: [PlaceKey: KeptPlace]
    /// Shorter songs always start at their beginning.
    package var minDuration: Duration

    /// Collects both; without arguments every song starts at its beginning.
    package init(_ places: [PlaceKey: KeptPlace] = [:], minDuration: Duration = .zero) {
        self.places = places
        self.minDuration = minDuration
    }

    /// Where an entry starts, and how fast; nil is its beginning. A part of a song starts where the part does.
    func point(of entry: QueueEntry) -> KeptPlace? {
        if places.isEmpty { return nil }
        guard entry.range == nil, let key = PlaceKey(entry.item), let point = places[key] else { return nil }
        // Of an episode it may be known only once it plays.
        guard let length = entry.playingTime else { return entry.songID == nil ? point : nil }
        return length >= minDuration && point.place < length ? point : nil
    }
}

/// Why it is said where a song is.
package enum PlaceMoment: Hashable, Sendable {
    /// It plays; said about once a second.
    case playing
    case paused
    /// It was stopped or skipped, or broke off there.
    case left
    /// It was heard to its end.
    case ended
}

/// Hears where the songs are that a player plays; parts of songs and audio CDs don't count.
@ServerActor
package protocol PlaceKeeping: AnyObject {
    /// A song is at a position.
    ///
    /// - Parameters:
    ///   - place: where it is, and how fast it plays.
    ///   - length: how long the song lasts, if known; of a station it isn't.
    /// - Isolation: ServerActor; called in the middle of a command, so it may set `Player.resumePoints` but not command
    ///   the player.
    func song(_ song: PlaceKey, isAt place: KeptPlace, of length: Duration?, _ moment: PlaceMoment)
}

/// Follows where the song is that is being heard.
struct PlaceFollower {
    /// The play, its song, how long that lasts, and where it is.
    private(set) var active: (play: UInt64, song: PlaceKey, length: Duration?, place: Duration)?

    /// A play is heard now.
    mutating func begin(_ play: UInt64, _ entry: QueueEntry?, length: Duration?) {
        guard active?.play != play else { return }
        guard let entry, entry.range == nil, let song = PlaceKey(entry.item) else {
            active = nil
            return
        }
        active = (play, song, length, .zero)
    }

    /// A play is at a position; false if it is another one than is followed.
    mutating func move(_ play: UInt64, to place: Duration) -> Bool {
        guard active?.play == play else { return false }
        active?.place = place
        return true
    }

    /// A play turned out to have this length.
    mutating func learn(_ play: UInt64, length: Duration) { if active?.play == play { active?.length = length } }

    /// Nothing is heard any more.
    mutating func end() { active = nil }
}

/// Places in songs.
extension Player {
    /// Prepares again what joins on to the current song, after `resumePoints` were set by another part.
    package func resumePointsChanged() { perform { _ in } }

    /// Says where the song is that is being heard, as if it were paused there.
    package func tellPlace() { tellPlace(.paused) }

    /// Says where the song is; `left` and `ended` end it.
    func tellPlace(_ moment: PlaceMoment) {
        if let reading = engine.progress { _ = places.move(reading.play, to: reading.elapsed) }
        guard let active = places.active else { return }
        if moment == .left || moment == .ended { places.end() }
        let place = KeptPlace(active.place, speed: machine.options.speed)
        placeKeeper?.song(active.song, isAt: place, of: active.length, moment)
    }

    /// Notes what an event says of the song's position, before the machine changes what is current.
    func followPlace(_ event: AudioEngineEvent) {
        switch event {
        case .progress(let play, let elapsed, _): if places.move(play, to: elapsed) { tellPlace(.playing) }
        case .info(let play, _, let length?, _): places.learn(play, length: length)
        case .seeked(let play, _, let elapsed): _ = places.move(play, to: elapsed)
        case .finished(let play) where play == places.active?.play: tellPlace(.ended)
        case .started(let play) where play == machine.prepared?.number: tellPlace(.ended)
        case .failed(let play, _) where play == places.active?.play: tellPlace(.left)
        default: break
        }
    }
}
