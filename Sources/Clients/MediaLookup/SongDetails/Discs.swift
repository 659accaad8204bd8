import AudioFiles
import Coordination
import MPDCommands
import MPDProtocol
package import MusicModel

/// Reads audio CDs, one at a time: two readers would have the drive seek between them.
package final class Discs: DiscReading {
    private let reading = ConcurrencyLimit(1)

    /// Makes a reader.
    package init() {}

    @concurrent
    package func tracks(device: String) async throws -> [Song] {
        try await reading.acquire()
        defer { reading.release() }
        return try await onThread {
            do { return try DiscReader.tracks(device: device) } catch let error as AudioFileError {
                throw AckError(.noExist, error.message)
            }
        }
    }
}
