import MusicModel
import ServerLoop

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
