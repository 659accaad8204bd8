import CSound
package import Coordination
import Glibc
import Logging
package import MusicModel
package import Playback
import Synchronization

/// Reads a track's bytes for a pipeline, waiting for those that are still to arrive.
/// - Isolation: any thread; reads happen on the pipeline's streaming threads and end early when told to.
package final class TrackFeed: Sendable {
    private struct State {
        var isFlushing = false
        var isClosed = false
        var failure: String?
        var header = TrackHeader()
        /// How the pipeline sees a file with one-bit sound; nil shows it as it is.
        var view: DSDView?
        var dsd: DSDHeader?
        var nextFrame: Int64 = 0
        var awaited: Int64?
    }

    enum Access: Hashable, Sendable {
        /// They may read anywhere, the end included: all bytes are there, or the format can't do without.
        case random
        /// They get the bytes in order, so that none waits for the end.
        case sequential
    }

    enum Outcome: Equatable {
        case bytes(Int)
        case end
        case flushed
        case failed
    }

    let file: TrackFile
    let access: Access
    /// The part of a chained file that the pipeline sees; nil is all of it.
    package let link: OggLink?
    private let descriptor: Int32
    private let state = Monitor(State())
    /// The reads that the disk has not answered yet.
    private let reads = Atomic(0)

    /// Opens the file, or a part of a chained one; `isWhole` lets demuxers read anywhere even while the track arrives.
    /// - Throws: `TrackError`.
    package init(_ file: TrackFile, asWhole isWhole: Bool = false, link: OggLink? = nil) throws {
        (self.file, self.link) = (file, link)
        access = isWhole ? .random : Self.access(for: file)
        // A named pipe of that name would keep the caller waiting for a writer.
        descriptor = DiskPath(file.path).open(O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw TrackError(file.current.failure ?? "the file can't be opened: \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { throw TrackError("it is not a file") }
    }

    deinit { close(descriptor) }

    private var extent: TrackFile.Extent {
        var extent = file.current
        if let link {
            extent.available = Int64(link.bytes.count)
            (extent.total, extent.isComplete) = (extent.available, true)
        }
        return extent
    }

    private var base: Int64 { link?.bytes.lowerBound ?? 0 }

    /// The parts of a chained file; none of any other.
    /// - Isolation: blocks for some reads.
    package func readLinks() -> [OggLink] { OggLinks.read(storedHeader) }

    /// How long all parts of a chained file are, where the pipeline takes them for one; blocks likewise.
    var lengthOfLinks: Nanoseconds? { OggLinks.length(storedHeader) }

    /// Formats whose demuxers want to know the end.
    private static let whole: Set<String> = ["ape", "mpc", "mp+", "tta", "dsf", "dff"]

    private static func access(for file: TrackFile) -> Access {
        file.current.isComplete || whole.contains(file.suffix.lowercased()) ? .random : .sequential
    }

    /// How long the track is, where the header told what no demuxer knows.
    package var length: Nanoseconds? { state.withLock { $0.header.length } }
    /// The blocks of sound whose positions the pipeline tells otherwise; nil as a rule.
    package var blocks: SoundBlocks? { state.withLock { $0.header.blocks } }
    /// The samples to trim of the decoded sound, once the header was read.
    package var trim: TrackTrim? { state.withLock { $0.header.trim } }
    /// True if the header is Musepack's.
    package var isMusepack: Bool { state.withLock { $0.header.isMusepack } }

    /// Reads what the file says about its ends; from then on the pipeline sees the file without that.
    /// - Parameter takesDoP: whether one-bit sound of a format goes to the outputs bit by bit.
    /// - Throws: `TrackError` if it is sound that can't be played.
    /// - Isolation: waits for the bytes, so only on the deck's thread.
    package func readHeader(takesDoP: (AudioFormat) -> Bool = { _ in false }) throws(TrackError) {
        if access == .random { awaitLength() }
        let source = storedHeader
        var header = TrackHeader.read(source)
        header.end = header.end ?? SoundChunks.end(in: source)
        if let dsd = try readDSD(takesDoP) {
            header.trim = state.withLock { $0.view?.trim } ?? TrackTrim(skip: 0, frames: dsd.length, rate: dsd.rate / 8)
        }
        header.patches += patchesOfTags
        // A read that failed now fails again in the pipeline, and is told then.
        state.withLock { ($0.header, $0.failure) = (header, nil) }
        if file.current.isComplete { readEnd() }
    }

    /// Reads where the song ends, which Vorbis tells on its last page, before a demuxer that reads in order gets that.
    private func readEnd() {
        let header = state.withLock { $0.header }
        let size = extent.available
        guard let vorbis = header.vorbis, header.trim == nil, size > 0 else { return }
        let trim = OggVorbisHeader.trim(of: vorbis, in: HeaderBytes(descriptor, from: base, size: size))
        state.withLock { ($0.header.trim, $0.header.vorbis) = (trim, nil) }
    }

    /// Reads the header of what decoders can't read as it is; from then on the pipeline sees a file that it can read.
    /// - Throws: `TrackError` if it is one-bit sound that can't be played.
    func readForm() throws(TrackError) {
        try readDSD()
        let source = storedHeader
        var header = TrackHeader.readForm(source)
        header.end = header.end ?? SoundChunks.end(in: source)
        header.patches += patchesOfTags
        state.withLock { $0.header = header }
    }

    private var patchesOfTags: [BytePatch] {
        let patches = ID3Bounds.patches(in: storedHeader, isComplete: file.current.isComplete)
        if !patches.isEmpty { Self.log.debug("\(file.path) has more in its ID3 tag than is read of it") }
        return patches
    }

    private static let log = Logger(label: "segue.tags")

    /// Reads the header of one-bit sound, if it is that; from then on the pipeline sees a file that it can read.
    /// - Throws: `TrackError` if it is one-bit sound that can't be played.
    @discardableResult
    private func readDSD(_ takesDoP: (AudioFormat) -> Bool = { _ in false }) throws(TrackError) -> DSDHeader? {
        guard let dsd = try DSDHeader.read(storedHeader) else { return nil }
        let kind: DSDView.Kind? =
            dsd.fitsDoP && takesDoP(dsd.format) ? .carrier : dsd.order == .interleaved ? .blocks : nil
        state.withLock { ($0.view, $0.dsd) = (kind.map { DSDView(dsd, as: $0) }, dsd) }
        return dsd
    }

    /// The layout of the frames that carry one-bit sound as DoP; nil for all other sound.
    var carrier: SampleLayout? { carried(\.header).map { SampleLayout(rate: $0.carrierRate, channels: $0.channels) } }

    private func carried<Value>(_ value: (DSDView) -> Value) -> Value? {
        state.withLock { $0.view.flatMap { $0.kind == .carrier ? value($0) : nil } }
    }

    func seekCarrier(to place: Nanoseconds) {
        guard let rate = carrier?.rate else { return }
        let second = Nanoseconds.seconds(1).count
        let (seconds, rest) = max(0, place.count).quotientAndRemainder(dividingBy: second)
        let frame = seconds.multipliedClamped(by: Int64(rate)).addingClamped(rest * Int64(rate) / second)
        state.withLock { $0.nextFrame = frame }
    }

    /// Reads the next frames of one-bit sound as DoP, as many as fit.
    /// - Returns: the outcome, and the first frame's number.
    func readCarrier(into buffer: UnsafeMutableRawBufferPointer) -> (outcome: Outcome, first: Int64) {
        let (view, first) = state.withLock { ($0.view, $0.nextFrame) }
        guard let view, view.kind == .carrier else { return (.failed, first) }
        let size = view.carrierFrameSize
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(buffer.count / size * size)])
        let outcome = read(at: first.multipliedClamped(by: Int64(size)), into: part, isPartial: false)
        guard case .bytes(let count) = outcome, count >= size else { return (outcome, first) }
        state.withLock { $0.nextFrame = first + Int64(count / size) }
        return (.bytes(count / size * size), first)
    }

    private var storedHeader: HeaderBytes {
        let extent = extent
        var header = HeaderBytes(size: extent.total) { self.storedBytes(at: $0, count: $1).bytes }
        header.isComplete = extent.isComplete
        header.mayBeMPEG = Self.mpeg.contains(file.suffix.isEmpty ? file.path.pathSuffix : file.suffix.lowercased())
        return header
    }

    private static let mpeg: Set<String> = ["mp3", "mp2"]

    var formatOfDSD: AudioFormat? { state.withLock { $0.dsd?.format } }
    /// True if outputs could get it as DoP; true of one-bit sound alone.
    package var fitsDoP: Bool { state.withLock { $0.dsd?.fitsDoP ?? false } }

    var lengthOfDSD: Nanoseconds? {
        state.withLock {
            $0.dsd.map { SampleLayout(rate: $0.rate / 8, channels: 1).length(frames: Int(clamping: $0.length)) }
        }
    }

    /// The format of one-bit sound that goes to the outputs as DoP; nil for all other sound.
    package var carried: AudioFormat? { carried(\.header.format) }

    /// Waits until it is known where the track ends, which a server that converts it knows last.
    private func awaitLength() {
        while file.current.total == nil, !state.withLock({ $0.isFlushing || $0.isClosed }) {
            if case .failed = waitFor(byte: .max) { return }
        }
    }

    /// Why bytes were missing, if they were.
    package var failure: String? { state.withLock { $0.failure } }

    /// Formats whose demuxers read the end first when they know where it is.
    private static let curious: Set<String> = ["ogg", "oga", "opus", "spx", ""]

    /// How many bytes there are; nil while that is better not told.
    var size: Int64? {
        let extent = extent
        if let view = state.withLock({ $0.view }) { return view.size }
        let (end, before) = state.withLock { ($0.header.end, Int64($0.header.prefix.count)) }
        if let end { return end }
        if before > 0 { return extent.total.map { before + $0 } }
        let isTold = access == .random || extent.isComplete || !Self.curious.contains(file.suffix.lowercased())
        return isTold ? extent.total : nil
    }

    func setFlushing(_ isFlushing: Bool) {
        state.withLock { $0.isFlushing = isFlushing }
        if isFlushing { file.wake() }
    }

    /// Calls off every read for good.
    package func stop() {
        state.withLock { $0.isClosed = true }
        file.wake()
    }

    /// Reads at `offset`; fills the whole buffer but at the end of the track, or with `isPartial` whatever is there.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, isPartial: Bool) -> Outcome {
        let (view, end, prefix) = state.withLock { ($0.view, $0.header.end, $0.header.prefix) }
        guard let view else {
            guard prefix.isEmpty else { return read(at: offset, behind: prefix, into: buffer, isPartial: isPartial) }
            guard let end else { return readStored(at: offset, into: buffer, isPartial: isPartial) }
            guard offset < end else { return .end }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: end - offset)))
            return readStored(at: offset, into: part, isPartial: isPartial)
        }
        var outcome = Outcome.end
        let bytes = view.bytes(at: offset, count: buffer.count) { offset, count in
            let found = self.storedBytes(at: offset, count: count)
            outcome = found.outcome
            return found.bytes
        }
        guard !bytes.isEmpty else { return outcome == .flushed || outcome == .failed ? outcome : .end }
        buffer.copyBytes(from: bytes)
        return .bytes(bytes.count)
    }

    private func read(
        at offset: Int64, behind prefix: [UInt8], into buffer: UnsafeMutableRawBufferPointer, isPartial: Bool
    ) -> Outcome {
        let own = Int64(prefix.count)
        guard offset < own else { return readStored(at: offset - own, into: buffer, isPartial: isPartial) }
        let count = min(buffer.count, prefix.count - Int(offset))
        buffer.copyBytes(from: prefix[Int(offset)..<Int(offset) + count])
        guard count < buffer.count else { return .bytes(count) }
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        guard case .bytes(let more) = readStored(at: 0, into: rest, isPartial: isPartial) else { return .bytes(count) }
        return .bytes(count + more)
    }

    private func storedBytes(at offset: Int64, count: Int) -> (bytes: [UInt8], outcome: Outcome) {
        var outcome = Outcome.end
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            outcome = self.readStored(at: offset, into: UnsafeMutableRawBufferPointer(target), isPartial: false)
            if case .bytes(let found) = outcome { filled = found }
        }
        return (bytes, outcome)
    }

    private func readStored(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, isPartial: Bool) -> Outcome {
        let wanted = Int64(buffer.count)
        if link != nil {
            guard offset < extent.available else { return .end }
            return fill(buffer, at: offset)
        }
        while true {
            if state.withLock({ $0.isFlushing || $0.isClosed }) { return .flushed }
            let needed = isPartial ? offset : offset.addingClamped(max(0, wanted - 1))
            switch waitFor(byte: needed) {
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

    private func waitFor(byte place: Int64) -> TrackFile.Wait {
        let outcome = file.wait(for: place, milliseconds: 0)
        guard outcome == .timedOut else { return outcome }
        state.withLock { $0.awaited = place }
        defer { state.withLock { $0.awaited = nil } }
        return file.wait(for: place, milliseconds: 500)
    }

    /// True if a read waits for bytes that are still to arrive.
    package var isStarved: Bool {
        guard let awaited = state.withLock({ $0.awaited }) else { return false }
        let extent = file.current
        return awaited >= extent.available && !extent.isComplete && extent.failure == nil
    }

    var isReading: Bool { reads.load(ordering: .relaxed) > 0 }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Outcome {
        let count = Int(min(Int64(buffer.count), extent.available - offset))
        var done = 0
        reads.wrappingAdd(1, ordering: .relaxed)
        defer { reads.wrappingSubtract(1, ordering: .relaxed) }
        while done < count {
            let got = pread(
                descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(base + offset) + done)
            if got < 0, errno == EINTR { continue }
            if got < 0 {
                state.withLock { $0.failure = "reading the file failed: \(String(cString: strerror(errno)))" }
                return .failed
            }
            if got == 0 { break }
            done += got
        }
        patch(buffer, at: offset, count: done)
        if let total = extent.total, offset + Int64(done) >= total { readEnd() }
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

extension TrackFeed {
    /// The samples to trim of what a pipeline decodes of the file.
    package func trim(in pipeline: PipelineReference) -> TrackTrim? {
        guard var trim else { return nil }
        // This decoder keeps the first frame back and stamps what follows as if it had not.
        if segue_bin_has(pipeline.element.pointer, "faad") != 0 {
            let missing = max(0, Self.faadDelay - trim.skip)
            trim.skip = max(0, trim.skip - Self.faadDelay)
            trim.frames = trim.frames.map { max(0, $0 - missing) }
        }
        return trim
    }

    private static let faadDelay: Int64 = 1024
}
