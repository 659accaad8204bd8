import Coordination
import Glibc
package import MusicModel

/// A song's bytes on disk, complete or still growing while they are downloaded. One writer (the download) advances it;
/// readers (a deck's feeding thread) wait for bytes on threads of their own.
package final class TrackFile: Sendable {
    /// The known extent of the bytes.
    package struct Extent: Hashable, Sendable {
        /// How many bytes, from the start, can be read.
        package var available: Int64
        /// How many there will be, if known.
        package var total: Int64?
        /// True if nothing more comes.
        package var isComplete: Bool
        /// Why nothing more comes although bytes are missing; nil while all is well.
        package var failure: String?
    }

    /// The outcome of waiting for bytes.
    package enum Wait: Hashable, Sendable {
        case available
        /// The file ends at or before the offset.
        case end
        /// The bytes will not come; the text is for a person.
        case failed(String)
        /// The time has passed, or `wake` ended the wait.
        case timedOut
    }

    /// The file's absolute path.
    package let path: String
    /// The file name extension or content type's short form, as a hint for the log (`flac`, `mp3`).
    package let suffix: String
    /// Whether the server made these bytes of the original.
    package let isConverted: Bool
    /// The part of the file that is the song; nil is all of it.
    package let part: SongRange?
    private let growth: Monitor<Growth>
    /// The file that this is a part of, which counts as open as long as its parts are.
    private let whole: TrackFile?

    private struct Growth {
        var extent: Extent
        var calls = 0
    }

    /// Describes a file that is being written.
    package init(path: String, suffix: String, isConverted: Bool = false, available: Int64 = 0, total: Int64? = nil) {
        (self.path, self.suffix, self.isConverted) = (path, suffix, isConverted)
        (part, whole) = (nil, nil)
        growth = Monitor(Growth(extent: Extent(available: available, total: total, isComplete: false, failure: nil)))
    }

    /// Describes a complete file.
    package init(
        completePath path: String, suffix: String, isConverted: Bool = false, size: Int64, part: SongRange? = nil
    ) {
        (self.path, self.suffix, self.isConverted, self.part) = (path, suffix, isConverted, part)
        whole = nil
        growth = Monitor(Growth(extent: Extent(available: size, total: size, isComplete: true, failure: nil)))
    }

    private init(_ part: SongRange, of whole: TrackFile) {
        (path, suffix, isConverted) = (whole.path, whole.suffix, whole.isConverted)
        (self.part, self.whole) = (part, whole)
        growth = whole.growth
    }

    /// A part of the file as a song of its own, which grows with it.
    package func limited(to part: SongRange) -> TrackFile { TrackFile(part, of: self) }

    /// Describes a complete file of this machine.
    /// - Isolation: blocks for a read of the disk.
    package convenience init(regularFile path: String) throws(RegularFile.Problem) {
        let (descriptor, size) = try RegularFile.open(path)
        Glibc.close(descriptor)
        self.init(completePath: path, suffix: path.pathSuffix, size: size)
    }

    /// The extent of the bytes now.
    package var current: Extent { growth.withLock { $0.extent } }

    /// Tells readers how far the file has grown.
    package func advance(to available: Int64, total: Int64?) {
        growth.update {
            $0.extent.available = available
            if let total { $0.extent.total = total }
        }
    }

    /// Tells readers that the file is whole.
    package func complete() {
        growth.update {
            $0.extent.isComplete = true
            $0.extent.total = $0.extent.available
        }
    }

    /// Tells readers that the missing bytes will not come.
    package func fail(_ message: String) { growth.update { $0.extent.failure = message } }
    /// Ends the waits of all readers, so that one that was told to stop notices.
    package func wake() { growth.update { $0.calls &+= 1 } }

    /// Waits until a byte at `offset` can be read, or won't be.
    /// - Isolation: blocks the calling thread for at most `milliseconds`; never call it on an executor's thread.
    package func wait(for offset: Int64, milliseconds: Int) -> Wait {
        var calls: Int?
        return growth.wait(milliseconds: milliseconds) { growth -> Wait? in
            if let answer = Self.answer(growth.extent, offset) { return answer }
            let before = calls ?? growth.calls
            calls = before
            return before == growth.calls ? nil : .timedOut
        } ?? .timedOut
    }

    /// Waits until the file is whole; false when `isCancelled` said meanwhile that it need not be.
    /// - Throws: `TrackError` when bytes will not come, or none have come for a minute.
    /// - Isolation: blocks the calling thread; never call it on an executor's thread.
    package func awaitAll(isCancelled: () -> Bool) throws(TrackError) -> Bool {
        var silentSeconds = 0
        while !current.isComplete {
            let available = current.available
            let outcome = wait(for: available, milliseconds: 1000)
            if isCancelled() { return false }
            if case .failed(let message) = outcome { throw TrackError(message) }
            silentSeconds = current.available > available ? 0 : silentSeconds + 1
            guard silentSeconds < 60 else { throw TrackError("Nothing of it arrives.") }
        }
        return true
    }

    private static func answer(_ extent: Extent, _ offset: Int64) -> Wait? {
        if offset < extent.available { return .available }
        if extent.isComplete { return .end }
        if let failure = extent.failure { return .failed(failure) }
        return nil
    }
}
