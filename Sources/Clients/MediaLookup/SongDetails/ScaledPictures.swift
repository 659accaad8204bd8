import AudioFiles
import Coordination
import MediaCache
import MusicModel
import Subsonic

extension ScaledPictureCache {
    /// A picture from the cache, or one that `read` finds now, of `size` bytes at most, and that is made smaller where
    /// that can be done. A thread that `read` starts keeps what it is given.
    /// - Throws: what `read` throws, `MemoryShortage`, and `CancellationError`.
    @concurrent
    func picture(
        _ name: String, edge: Int, size: Int,
        read: @Sendable (_ room: MemoryBudget.Reservation) async throws -> CoverPicture?
    ) async throws -> CoverPicture? {
        try await picture(name, edge: edge) { memory in
            guard let whole = try await memory.use(size, read) else { return nil }
            // The header is found by a look at the whole file.
            guard let scaler = try await onThread({ PictureScaler(whole.bytes, edge: edge) }) else { return whole }
            // A decoder can't be interrupted: its memory is in use until it ends, whether or not the client waits.
            let small = Task.detached {
                try await memory.use(scaler.memory) { _ in try await onThread { scaler.scaled() } }
            }
            return try await small.value.map { CoverPicture(bytes: $0.bytes, contentType: $0.mimeType) } ?? whole
        }
    }
}
