import Coordination
import Glibc
import MusicModel
import Playback

extension TrackFile {
    /// Looks at a file on a thread: its disk may hang, and the tasks of all others must go on.
    static func local(_ path: String, suffix: String, part: SongRange? = nil) async throws -> TrackFile {
        try await onThread(reading: path) { try file(at: path, suffix: suffix, part: part) }
    }

    private static func file(at path: String, suffix: String, part: SongRange?) throws -> TrackFile {
        let place = DiskPath(path)
        guard let information = place.status() else { throw unreadable() }
        guard information.st_mode & S_IFMT == S_IFREG
        else { throw TrackError("The path is not a file. Update the library.") }
        let descriptor = place.open(O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0
        else { throw errno == EXDEV ? TrackError("The file is a link that leads out of its storage.") : unreadable() }
        close(descriptor)
        guard information.st_size > 0 else { throw TrackError("The file is empty.") }
        return TrackFile(completePath: path, suffix: suffix, size: Int64(information.st_size), part: part)
    }

    private static func unreadable() -> TrackError {
        TrackError("The file can't be read: \(CacheFolder.reason()). Has it been moved? Update the library.")
    }
}
