import MusicModel
import ServerLoop

/// Follows at which speed long songs are heard, as other songs are to have their own.
struct SongSpeeds {
    fileprivate var entry: QueueEntryID?
    fileprivate var song: SongID?
    /// The speed of other songs, while a long one has its own; nil where all have the same.
    var other: Double?
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
