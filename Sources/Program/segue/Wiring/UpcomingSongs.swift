import MusicModel
import NIOCore
import Playback
import ServerLoop

/// Sees to it that pictures, words and bookmarks of what plays and comes next are here before anybody asks.
///
/// - Isolation: ServerActor; the fetching itself runs elsewhere.
@ServerActor
final class UpcomingSongs {
    private struct Upcoming: Hashable {
        var songs: [SongID]
        var isPlaying: Bool
    }

    /// How many songs are looked after, the current one included.
    private static let count = 4
    /// How long changes are gathered: a client that edits the queue changes what comes next with each command.
    private static let burst = TimeAmount.milliseconds(300)

    private let pictures: LibraryPictures
    private let lyrics: LibraryLyrics
    private let songsChanged: @Sendable () -> Void
    private var lists: [ObjectIdentifier: Upcoming] = [:]
    private var fetching: Task<Void, Never>?
    /// The players that changed since the last look.
    private var changed: [ObjectIdentifier: Player] = [:]

    /// Makes it; `songsChanged` is called when other songs are current or next.
    init(pictures: LibraryPictures, lyrics: LibraryLyrics, songsChanged: @escaping @Sendable () -> Void) {
        self.pictures = pictures
        self.lyrics = lyrics
        self.songsChanged = songsChanged
    }

    /// A player or its queue changed.
    func look(at player: Player) {
        if changed.isEmpty {
            ServerActor.eventLoop.scheduleTask(in: Self.burst) {
                ServerActor.assumeIsolated { self.lookAtChanged() }
            }
        }
        changed[ObjectIdentifier(player)] = player
    }

    private func lookAtChanged() {
        let players = changed.values
        changed = [:]
        for player in players { lookNow(at: player) }
    }

    private func lookNow(at player: Player) {
        let key = ObjectIdentifier(player)
        let upcoming = Upcoming(songs: player.upcoming(Self.count), isPlaying: player.isPlaying)
        guard upcoming != lists[key], !upcoming.songs.isEmpty else { return }
        lists[key] = upcoming
        songsChanged()
        // Nearest first over all partitions.
        let all = (0..<Self.count).flatMap { place in
            lists.values.compactMap { place < $0.songs.count ? $0.songs[place] : nil }
        }
        fetching?.cancel()
        fetching = Task { [pictures, lyrics] in
            await pictures.prefetch(all)
            guard upcoming.isPlaying, let song = upcoming.songs.first, !Task.isCancelled else { return }
            await lyrics.prefetch(song)
        }
    }

    /// A player is gone.
    func forget(_ player: Player) {
        lists[ObjectIdentifier(player)] = nil
        changed[ObjectIdentifier(player)] = nil
    }
}
