package import MusicModel
package import Playback
package import ServerLoop

/// Has pictures, lyrics and bookmarks of what plays and comes next fetched before a client asks for them.
@ServerActor
package final class UpcomingSongs: PlayerObserver {
    /// How what belongs to songs is fetched ahead.
    package struct Fetching: Sendable {
        /// Fetches the pictures of songs, nearest first.
        package var pictures: @Sendable ([SongID]) async -> Void
        /// Fetches the lyrics of the song that plays.
        package var lyrics: @Sendable (SongID) async -> Void
        /// Called when other songs are current or next.
        package var songsChanged: @Sendable () -> Void

        /// Collects the ways.
        package init(
            pictures: @escaping @Sendable ([SongID]) async -> Void, lyrics: @escaping @Sendable (SongID) async -> Void,
            songsChanged: @escaping @Sendable () -> Void
        ) {
            self.pictures = pictures
            self.lyrics = lyrics
            self.songsChanged = songsChanged
        }
    }

    private struct Upcoming: Hashable {
        var songs: [SongID]
        var isPlaying: Bool
    }

    private static let count = 4

    private let fetching: Fetching
    private let burst: Duration
    private var lists: [ObjectIdentifier: Upcoming] = [:]
    private var running: Task<Void, Never>?
    private var waiting: [ObjectIdentifier: Player] = [:]

    /// Makes it; changes are gathered for `burst`, as a client that edits the queue changes what comes next each time.
    package init(_ fetching: Fetching, burst: Duration = .milliseconds(300)) {
        self.fetching = fetching
        self.burst = burst
    }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        if waiting.isEmpty { ServerActor.after(burst) { self.refreshWaiting() } }
        waiting[ObjectIdentifier(partition)] = partition.player
    }

    package func closed(_ partition: Partition) {
        lists[ObjectIdentifier(partition)] = nil
        waiting[ObjectIdentifier(partition)] = nil
    }

    private func refreshWaiting() {
        let players = waiting
        waiting = [:]
        for (key, player) in players { refresh(of: player, key) }
    }

    private func refresh(of player: Player, _ key: ObjectIdentifier) {
        let upcoming = Upcoming(songs: player.upcoming(Self.count), isPlaying: player.isPlaying)
        guard upcoming != lists[key], !upcoming.songs.isEmpty else { return }
        lists[key] = upcoming
        fetching.songsChanged()
        // Nearest first over all partitions.
        let all = (0..<Self.count).flatMap { index in
            lists.values.compactMap { index < $0.songs.count ? $0.songs[index] : nil }
        }
        running?.cancel()
        running = Task { [fetching] in
            await fetching.pictures(all)
            guard upcoming.isPlaying, let song = upcoming.songs.first, !Task.isCancelled else { return }
            await fetching.lyrics(song)
        }
    }
}

/// Tells what plays and comes next, whichever partition changed last.
@ServerActor
package final class CurrentSong: PlayerObserver {
    private let count: Int
    private let tell: @Sendable ([SongID]) -> Void
    private var last: [SongID] = []

    /// Calls `tell` with every song that begins and those that follow it, at most `count` in all.
    package init(_ count: Int, _ tell: @escaping @Sendable ([SongID]) -> Void) {
        self.count = count
        self.tell = tell
    }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        guard !subsystems.isDisjoint(with: [.player, .queue]), partition.player.isPlaying,
            case .song? = partition.player.current?.entry.item
        else { return }
        let songs = partition.player.upcoming(count)
        guard songs != last else { return }
        last = songs
        tell(songs)
    }
}
