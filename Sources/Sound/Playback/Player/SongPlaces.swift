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
        (self.places, self.minDuration) = (places, minDuration)
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
    /// A song of a length, if that is known, is at a position.
    /// - Isolation: called in the middle of a command, so it may set `Player.resumePoints` but not command the player.
    func song(_ song: PlaceKey, isAt place: KeptPlace, of length: Duration?, _ moment: PlaceMoment)
}

extension Player {
    /// Gives a song that continues where it stopped the speed that it had there; another one gets back the speed from
    /// before, unless it is the next one on the album.
    func followSpeed() {
        guard let loaded = machine.loaded, loaded.entry != speeds.entry, let entry = machine.entry(loaded.entry)
        else { return }
        let previous = speeds.song
        (speeds.entry, speeds.song) = (loaded.entry, entry.songID)
        var wanted = machine.options.speed
        if let own = machine.resumePoints.point(of: entry)?.speed, Self.speeds.contains(own) {
            speeds.other = speeds.other ?? wanted
            wanted = own
        } else if let other = speeds.other {
            if let previous, let song = entry.songID, settings.transitions.joins?(previous, song) == true { return }
            speeds.other = nil
            wanted = other
        }
        if wanted != machine.options.speed { perform { $0.setOption(\.speed, wanted) } }
    }
}
