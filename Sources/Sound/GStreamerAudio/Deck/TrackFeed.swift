import CGStreamer
import Glibc
import Playback
import Synchronization

/// Reads a track's bytes for a pipeline, waiting for those that are still to arrive.
///
/// - Isolation: any thread; reads happen on the pipeline's streaming threads and end early when told to.
final class TrackFeed: Sendable {
    private struct State {
        var isFlushing = false
        var isClosed = false
        var failure: String?
        var header = TrackHeader()
    }

    /// How demuxers see the bytes.
    enum Access: Hashable, Sendable {
        /// They may read anywhere, the end included: all bytes are there, or the format can't do without.
        case random
        /// They get the bytes in order, so that none waits for the end.
        case sequential
    }

    /// The outcome of a read.
    enum Outcome: Equatable {
        /// So many bytes were read.
        case bytes(Int)
        /// The track ends here.
        case end
        /// The read was called off.
        case flushed
        /// The bytes can't be had.
        case failed
    }

    let file: TrackFile
    let access: Access
    private let descriptor: Int32
    private let state = Monitor(State())
    private let waited = Atomic<Int64>(0)

    /// Opens the file; throws a `TrackError` if that can't be done.
    ///
    /// - Parameter isWhole: lets demuxers read anywhere even while the track is still arriving.
    init(_ file: TrackFile, asWhole isWhole: Bool = false) throws {
        self.file = file
        access = isWhole ? .random : Self.access(for: file)
        // A named pipe of that name would keep the caller waiting for a writer.
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw TrackError(file.current.failure ?? "the file can't be opened: \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TrackError("it is not a file")
        }
    }

    deinit { close(descriptor) }

    /// Formats whose demuxers want to know the end.
    private static let whole: Set<String> = ["ape", "mpc", "mp+", "tta", "dsf", "dff"]

    private static func access(for file: TrackFile) -> Access {
        file.current.isComplete || whole.contains(file.suffix.lowercased()) ? .random : .sequential
    }

    /// The samples to trim of the decoded sound, once the header was read.
    var trim: TrackTrim? { state.withLock { $0.header.trim } }

    /// Whether the header is Musepack's.
    var isMusepack: Bool { state.withLock { $0.header.isMusepack } }

    /// Reads what the file says about its ends; from then on the pipeline sees the file without that.
    ///
    /// - Isolation: waits for the bytes, so only on the deck's thread.
    func readHeader() {
        if access == .random { awaitLength() }
        let source = HeaderBytes(size: file.current.total) { offset, count in
            var outcome = Outcome.end
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                outcome = self.read(at: offset, into: UnsafeMutableRawBufferPointer(target), isPartial: false)
                if case .bytes(let found) = outcome { filled = found }
            }
            return bytes
        }
        let header = TrackHeader.read(source)
        // A read that failed now fails again in the pipeline, and is told then.
        state.withLock { ($0.header, $0.failure) = (header, nil) }
    }

    /// Waits until it is known where the track ends, which a server that converts it knows last.
    private func awaitLength() {
        while file.current.total == nil, !state.withLock({ $0.isFlushing || $0.isClosed }) {
            if case .failed = file.wait(for: .max, milliseconds: 500) { return }
        }
    }

    /// Why bytes were missing, if they were.
    var failure: String? { state.withLock { $0.failure } }

    /// Formats whose demuxers read the end first when they know where it is.
    private static let curious: Set<String> = ["ogg", "oga", "opus", "spx", ""]

    /// How many bytes there are; nil while that is better not told.
    var size: Int64? {
        let extent = file.current
        let isTold = access == .random || extent.isComplete || !Self.curious.contains(file.suffix.lowercased())
        return isTold ? extent.total : nil
    }

    /// Calls off waiting reads, or lets reads wait again.
    func setFlushing(_ isFlushing: Bool) {
        state.withLock { $0.isFlushing = isFlushing }
        if isFlushing { file.wake() }
    }

    /// Calls off every read for good.
    func stop() {
        state.withLock { $0.isClosed = true }
        file.wake()
    }

    /// Reads at `offset`; fills the whole buffer but at the end of the track, or with `isPartial` whatever is there.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, isPartial: Bool) -> Outcome {
        let wanted = Int64(buffer.count)
        while true {
            if state.withLock({ $0.isFlushing || $0.isClosed }) { return .flushed }
            let needed = isPartial ? offset : offset + max(0, wanted - 1)
            switch file.wait(for: needed, milliseconds: 500) {
            case .available: return fill(buffer, at: offset)
            case .end: return offset < file.current.available ? fill(buffer, at: offset) : .end
            case .timedOut: continue
            case .failed(let message):
                if isPartial == false, offset < file.current.available { return fill(buffer, at: offset) }
                state.withLock { $0.failure = message }
                return .failed
            }
        }
    }

    /// How long the disk has let reads wait, in nanoseconds.
    var timeOfReads: Int64 { waited.load(ordering: .relaxed) }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Outcome {
        let count = Int(min(Int64(buffer.count), file.current.available - offset))
        var done = 0
        let began = Monotonic.now
        defer { waited.wrappingAdd(Monotonic.now - began, ordering: .relaxed) }
        while done < count {
            let got = pread(descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset) + done)
            if got < 0, errno == EINTR { continue }
            if got < 0 {
                state.withLock { $0.failure = "reading the file failed: \(String(cString: strerror(errno)))" }
                return .failed
            }
            if got == 0 { break }
            done += got
        }
        patch(buffer, at: offset, count: done)
        DamagedAPETag.hide(in: UnsafeMutableRawBufferPointer(rebasing: buffer[..<done]))
        return done > 0 ? .bytes(done) : .end
    }

    private func patch(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, count: Int) {
        for patch in state.withLock({ $0.header.patches }) {
            let start = max(offset, patch.offset)
            let end = min(offset + Int64(count), patch.offset + Int64(patch.bytes.count))
            guard start < end else { continue }
            for place in start..<end { buffer[Int(place - offset)] = patch.bytes[Int(place - patch.offset)] }
        }
    }
}
