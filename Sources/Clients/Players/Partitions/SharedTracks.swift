import LibraryIndex
import MusicModel
import Playback
import Synchronization
import UserLibrary

/// The songs' bytes as several partitions use them: what each of them plays next is fetched ahead for all.
final class SharedTracks: Sendable {
    fileprivate let tracks: any TrackProvider
    fileprivate let library: Library
    private let ahead = Mutex<[Int: [SongID]]>([:])

    init(_ tracks: any TrackProvider, library: Library) {
        self.tracks = tracks
        self.library = library
    }

    func provider(_ partition: Int) -> any TrackProvider { PartitionTracks(shared: self, partition: partition) }

    /// Names all partitions' next songs: the next one of each, then the one after it of each, and so on.
    fileprivate func prefetch(_ songs: [SongID], for partition: Int) {
        let lists = ahead.withLock { ahead in
            ahead[partition] = songs.isEmpty ? nil : songs
            return ahead.sorted { $0.key < $1.key }.map(\.value)
        }
        var merged: [SongID] = []
        for index in 0..<(lists.map(\.count).max() ?? 0) {
            for list in lists where index < list.count && !merged.contains(list[index]) { merged.append(list[index]) }
        }
        tracks.prefetch(merged)
    }
}

private final class PartitionTracks: TrackProvider {
    private let shared: SharedTracks
    private let partition: Int

    init(shared: SharedTracks, partition: Int) { (self.shared, self.partition) = (shared, partition) }
    func open(_ song: SongID) async throws -> TrackFile { try await shared.tracks.open(song) }
    func openConverted(_ song: SongID) async throws -> TrackFile { try await shared.tracks.openConverted(song) }
    func path(of song: SongID) async -> String? { (try? await shared.library.index.songs([song]))?.first??.uri }
    func prefetch(_ songs: [SongID]) { shared.prefetch(songs, for: partition) }

    func tags(of song: SongID) async -> [TagValue] {
        (try? await shared.library.index.songs([song], alsoGone: true))?.first??.tags ?? []
    }
}
