import LibraryIndex
import MusicModel
import Playback
import Synchronization
import UserLibrary

/// The songs' bytes as several partitions use them: what each of them plays next is fetched ahead for all.
final class SharedTracks: Sendable {
    private let tracks: any TrackProvider
    private let library: Library
    private let ahead = Mutex<[Int: [SongID]]>([:])

    init(_ tracks: any TrackProvider, library: Library) {
        self.tracks = tracks
        self.library = library
    }

    func provider(_ partition: Int) -> any TrackProvider { PartitionTracks(tracks: self, partition: partition) }

    fileprivate func open(_ song: SongID) async throws -> TrackFile { try await tracks.open(song) }

    fileprivate func openConverted(_ song: SongID) async throws -> TrackFile { try await tracks.openConverted(song) }

    fileprivate func path(of song: SongID) async -> String? {
        (try? await library.index.songs([song]))?.first??.uri
    }

    fileprivate func tags(of song: SongID) async -> [TagValue] {
        (try? await library.index.songs([song], alsoGone: true))?.first??.tags ?? []
    }

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
    private let tracks: SharedTracks
    private let partition: Int

    init(tracks: SharedTracks, partition: Int) {
        self.tracks = tracks
        self.partition = partition
    }

    func open(_ song: SongID) async throws -> TrackFile { try await tracks.open(song) }

    func openConverted(_ song: SongID) async throws -> TrackFile { try await tracks.openConverted(song) }

    func path(of song: SongID) async -> String? { await tracks.path(of: song) }

    func prefetch(_ songs: [SongID]) { tracks.prefetch(songs, for: partition) }

    func tags(of song: SongID) async -> [TagValue] { await tracks.tags(of: song) }
}
