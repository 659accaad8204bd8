import AudioFiles
import Coordination
import Glibc
import MPDCommands
import MPDProtocol
package import MusicModel

/// Reads songs outside of the library for clients of this machine; each client sees what its user may read.
/// - Source: MPD v0.24.13 src/client/File.cxx: the server's own user may name every file, others those that belong to
///   them and those that everyone may read.
package final class OutsideSongs: OutsideSongReading {
    /// A file that hangs takes a thread until its time is over.
    private let reading = ConcurrencyLimit(2)

    /// Makes a reader.
    package init() {}

    @concurrent
    package func song(file path: String, for user: UInt32?) async throws -> Song {
        try await read(path, for: user) { path, modified in
            let file = try AudioFileReader.read(path: path)
            return Song(
                uri: path, tags: file.tags, duration: file.duration, lastModified: modified, format: file.format,
                replayGain: file.replayGain)
        }
    }

    @concurrent
    package func picture(file path: String, for user: UInt32?) async throws -> (bytes: [UInt8], mimeType: String?)? {
        try await read(path, for: user) { path, _ in
            try AudioFileReader.embeddedPicture(path: path).map { ($0.bytes, $0.mimeType) }
        }
    }

    @concurrent
    package func allow(path: String, for user: UInt32?) async throws {
        try await onThread(reading: path) { _ = try Self.status(of: path, for: user) }
    }

    @concurrent
    package func cueSheet(file path: String) async throws -> CueSheet? {
        try await reading.acquire()
        defer { reading.release() }
        return try await onThread(reading: path) {
            guard let status = DiskPath(path).status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
            do { return try AudioFileReader.read(path: path).cueSheet } catch is AudioFileError { return nil }
        }
    }

    private func read<Value: Sendable>(
        _ path: String, for user: UInt32?,
        _ body: @escaping @Sendable (_ path: String, _ modified: Int64) throws -> Value
    ) async throws -> Value {
        try await reading.acquire()
        defer { reading.release() }
        return try await onThread(reading: path) {
            let modified = try Self.check(path, for: user)
            do { return try body(path, modified) } catch is AudioFileError { throw AckError(.noExist, "No such song") }
        }
    }

    private static func check(_ path: String, for user: UInt32?) throws(AckError) -> Int64 {
        let status = try status(of: path, for: user)
        // Devices and pipes have no end, and reading some of them does something.
        guard status.st_mode & S_IFMT == S_IFREG else { throw AckError(.noExist, "No such song") }
        return FileTime.seconds(status.st_mtim)
    }

    private static func status(of path: String, for user: UInt32?) throws(AckError) -> stat {
        guard let status = DiskPath(path).status()
        else { throw AckError(.system, "Failed to access \(path): \(String(cString: strerror(errno)))") }
        let isOwn = user.map { $0 == geteuid() || $0 == status.st_uid } ?? false
        guard isOwn || status.st_mode & 0o444 == 0o444
        else { throw AckError(.permission, "Access to this local file denied due to file permissions") }
        return status
    }
}
