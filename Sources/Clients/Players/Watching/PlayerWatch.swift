import Coordination
import LibraryIndex
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// Follows players and tells what others shall see of them: the state, and the song with its tags and its rating.
@ServerActor
package final class PlayerWatch: PlayerObserver {
    /// The values that are looked up for a song.
    package struct Lookup: Sendable {
        /// The song of that number; nil when it is gone.
        package var song: @Sendable (SongID) async -> Song?
        /// Its rating from 0 to 10; nil without a rating.
        package var rating: @Sendable (SongID) async -> Int?
        /// The address of the file that it lies in; nil for songs of the server.
        package var address: @Sendable (SongID) async -> String? = { _ in nil }
        /// The file with the picture of its album, for a partition; nil when it has none.
        package var picture: @Sendable (_ uri: String, _ partition: String) async -> String? = { _, _ in nil }
    }

    private final class Followed {
        let partition: Partition
        var song: MediaSong?
        var isPublishPlanned = false
        var lookup: Task<Void, Never>?

        init(_ partition: Partition) { self.partition = partition }
    }

    private let lookup: Lookup
    private let followsAll: Bool
    private var followed: [ObjectIdentifier: Followed] = [:]
    private var report: ((MediaPlayerState?, _ partition: String) -> Void)?

    /// Makes it, for every partition or only the first one; it checks nothing before `begin`.
    package init(_ lookup: Lookup, followsAll: Bool) {
        self.lookup = lookup
        self.followsAll = followsAll
    }

    /// Tells the state of each player by its partition's name, now and after each change; nil for one that is gone.
    package func begin(_ report: @escaping (MediaPlayerState?, _ partition: String) -> Void) {
        self.report = report
        for followed in followed.values { publish(followed) }
    }

    /// Tells nothing any more.
    package func end() { report = nil }

    /// The partition of that name, if it is followed.
    package func partition(named name: String) -> Partition? {
        followed.values.first { $0.partition.name == name }?.partition
    }

    /// The partitions that are followed.
    package var partitions: [Partition] { followed.values.map(\.partition) }

    package func opened(_ partition: Partition) {
        guard followsAll || partition.name == Library.defaultPartition else { return }
        followed[ObjectIdentifier(partition)] = Followed(partition)
        changed(partition, [])
    }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        guard report != nil, let followed = followed[ObjectIdentifier(partition)], !followed.isPublishPlanned else {
            return
        }
        followed.isPublishPlanned = true
        // A command that plays another album edits the queue many times.
        ServerActor.after(.milliseconds(30)) { [weak self] in
            followed.isPublishPlanned = false
            self?.publish(followed)
        }
    }

    package func renamed(_ partition: Partition, from earlier: String) {
        guard let followed = followed[ObjectIdentifier(partition)] else { return }
        followed.lookup?.cancel()
        // The file with the picture, for example, is looked up by the name.
        followed.song = nil
        report?(nil, earlier)
        publish(followed)
    }

    package func closed(_ partition: Partition) {
        guard let gone = followed.removeValue(forKey: ObjectIdentifier(partition)) else { return }
        gone.lookup?.cancel()
        report?(nil, partition.name)
    }

    private func publish(_ followed: Followed) {
        guard let current = followed.partition.player.current?.entry else {
            followed.song = nil
            return tell(followed)
        }
        guard current.id.rawValue != followed.song?.entry || !current.item.isSong else { return tell(followed) }
        let first = MediaSong(entry: current)
        if followed.song?.entry != first.entry || followed.song?.tags != first.tags { followed.song = first }
        tell(followed)
        followed.lookup?.cancel()
        if let id = current.songID {
            followed.lookup = Task { [weak self] in await self?.lookUp(id, for: followed, first) }
        }
    }

    private func lookUp(_ id: SongID, for followed: Followed, _ first: MediaSong) async {
        guard let found = await lookup.song(id) else { return }
        var song = first
        song.uri = found.uri
        song.url = await lookup.address(id)
        // Those of a cue sheet are known already.
        song.tags = first.tags.completed(by: found.tags)
        song.length = first.length ?? found.duration
        song.rating = await lookup.rating(id)
        song.picture = await lookup.picture(found.uri, followed.partition.name)
        guard !Task.isCancelled, followed.song?.entry == song.entry else { return }
        followed.song = song
        tell(followed)
    }

    private func tell(_ followed: Followed) {
        // Results for a partition that has been deleted meanwhile would bring it back.
        guard self.followed[ObjectIdentifier(followed.partition)] === followed else { return }
        let status = followed.partition.player.status
        let state = MediaPlayerState(
            transport: status.state, isRepeating: status.isRepeating, isSingle: status.single != .off,
            isRandom: status.isRandom, volume: status.volume, speed: status.speed, song: followed.song,
            hasNext: status.nextID != nil, hasSongs: status.queueLength > 0, elapsed: status.elapsed ?? .zero,
            moment: .now)
        report?(state, followed.partition.name)
    }
}

extension MediaSong {
    /// Makes a song of what the queue itself knows of an entry.
    package init(entry: QueueEntry) {
        self.init(entry: entry.id.rawValue, uri: "", length: entry.playingTime)
        tags = entry.sheetTags
        if case .stream(let address, let tags) = entry.item {
            (uri, self.tags) = (StreamURL.withoutCredentials(address), tags)
            url = entry.item.outsideFile.map { DiskPath(exactly: $0).url } ?? uri
        }
    }
}

extension PlayerWatch.Lookup {
    /// Looks songs up in the library; what can't be read is left out, and clients that ask for it get the reason.
    package init(_ library: Library) {
        self.init(
            song: { try? await library.index.songs([$0], alsoGone: true).first ?? nil },
            rating: { song in
                (try? await library.sticker("rating", of: .song(song), isolation: nil)).flatMap { $0 }.flatMap {
                    Int($0)
                }
            },
            address: { song in
                switch try? await library.index.source(of: song)?.source {
                case .localFile(let path), .localPart(let path, _): try? await onThread { DiskPath(path).url }
                case .navidrome, .navidromePart, nil: nil
                }
            })
    }
}
