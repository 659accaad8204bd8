import Coordination
import Glibc
import Logging
import MusicModel
import NIOCore
import Playback
import Subsonic

struct TrackFetcher: Sendable {
    enum Stop: Error {
        case unwanted
        /// A song that is played now needs the line.
        case yielded
        case empty
    }

    let client: SubsonicClient
    let form: TrackForm
    /// Whether the original does where the server can't convert it.
    var hasFallback = true
    let download: TrackDownload
    let file: Int32
    /// How long to wait before trying again, first and at most.
    let pauses: (first: Duration, longest: Duration)
    /// How long a reader waits for the first byte of a song while the server is away.
    let patience: Duration
    let clock: any ServiceClock
    let expectedSize: Int64?
    let makeRoom: @Sendable (Int64) -> Bool
    let mayFetchAhead: @Sendable () -> Bool
    let notice: KeepingNotice
    let log: Logger

    /// How often in a row the server may answer with an error of the protocol, before the song has begun and later.
    private static let maxRefusals = (atFirst: 2, inMidSong: 4)

    /// Fetches until the song is whole; the original where the server can't make of it what it was asked for.
    /// - Throws: `TrackError` when it can't be had, `Stop.unwanted` when it need not be.
    func run() async throws {
        do {
            try await run(form)
        } catch let error as TrackError where !download.hasBegun && canFallBack(after: error) {
            log.notice("the server can't convert a song, so its original is played: \(chain: error)")
            download.takesOriginal()
            try await run(TrackForm())
        }
    }

    private func canFallBack(after error: TrackError) -> Bool {
        guard hasFallback, !form.isOriginal else { return false }
        switch error.origin.cause {
        case let refusal as SubsonicError:
            return refusal.isRefusal && ![.unauthorized, .credentialNotSupported, .notFound].contains(refusal.code)
        case let cause: return cause is Stop
        }
    }

    private func run(_ form: TrackForm) async throws {
        var pause = pauses.first
        var awaited: ContinuousClock.Instant?
        var attempts = FetchAttempts(reached: download.written)
        var refusals = 0
        while true {
            // A song that has begun may have to begin again, and is awaited from then on.
            if download.hasBegun { awaited = nil } else if awaited == nil, download.isOpen { awaited = clock.now }
            do {
                try await fetch(form, &attempts)
                return
            } catch Stop.yielded {
                try await waitForLine()
                continue
            } catch Stop.empty {
                throw TrackError("The song is empty on the server.", cause: Stop.empty)
            } catch let error as SubsonicError where error.isRefusal {
                // The server is there and says why: that is no connection that broke.
                refusals += 1
                let limit = download.hasBegun ? Self.maxRefusals.inMidSong : Self.maxRefusals.atFirst
                guard error.isTransient, refusals < limit else { throw TrackError(error.message, cause: error) }
            } catch let error as SubsonicError where error.isTransient && isWorthWaiting(error, since: awaited) {
                log.info("download interrupted", metadata: ["because": "\(ErrorChain(error))", "again in": "\(pause)"])
            } catch let error as SubsonicError {
                throw TrackError(error.message, cause: error)
            }
            if attempts.ended(at: download.written) { (pause, refusals) = (pauses.first, 0) }
            if attempts.areHopeless { throw TrackError(FetchAttempts.problem) }
            try await wait(pause)
            pause = min(pause * 2, pauses.longest)
        }
    }

    /// In mid-song there is nothing better than to wait. For a song that has not begun another one may be played at
    /// last, which the cache may have; but not before an update or a restart of the server had its time.
    private func isWorthWaiting(_ error: SubsonicError, since awaited: ContinuousClock.Instant?) -> Bool {
        guard !download.hasBegun, let awaited else { return true }
        // A host that answers, but not as a music server, is more likely to be wrong than to be away.
        return error.code != .badAnswer && clock.now - awaited < patience
    }

    /// How often a song that was open is checked, whether it still is: nothing tells when the last reader goes.
    private static let pollInterval = Duration.seconds(1)

    private func wait(_ pause: Duration) async throws {
        let end = clock.now + pause
        let wasOpen = download.isOpen
        let returns = download.serverReturns
        let name = "song \(download.songID)"
        client.reachability.note(name, waits: true)
        defer { client.reachability.note(name, waits: false) }
        while clock.now < end {
            let rest = end - clock.now
            await download.changes.wait(atMost: download.isOpen ? min(Self.pollInterval, rest) : rest)
            if !download.isWanted { throw Stop.unwanted }
            // A new reader should not wait for the end of a long pause, nor when the server is back.
            if !wasOpen && download.isOpen || download.serverReturns != returns { return }
        }
    }

    private func waitForLine() async throws {
        while !download.isOpen && !mayFetchAhead() {
            await download.changes.wait(atMost: Self.pollInterval)
            if !download.isWanted { throw Stop.unwanted }
        }
    }

    private func fetch(_ form: TrackForm, _ attempts: inout FetchAttempts) async throws {
        let start = download.written
        attempts.begin()
        if isWhole { return try complete() }
        let stream: SongStream
        do {
            stream = try await client.stream(id: download.songID, form, from: start)
        } catch let error as SubsonicError where error.code == .pastEnd {
            // The connection broke just behind the last byte of a song of unknown length.
            if start > 0 && download.total == nil { return try complete() }
            throw try changed()
        }
        switch download.difference(total: stream.totalLength, version: stream.version) {
        case .none: break
        case .length: throw try changed()
        // A listener who hears it already hears no difference.
        case .version: if !download.isOpen { throw try changed() }
        }
        if stream.totalLength == 0 { throw Stop.empty }
        // A conversion may come to nothing yet.
        if form.isOriginal { download.begin(total: stream.totalLength, version: stream.version) }
        attempts.connected(at: stream.offset)
        try await receive(stream, form, skipping: start - stream.offset)
        try complete()
    }

    /// The song is another file now: it is fetched from its beginning, unless a reader has begun with it.
    /// - Returns: what to throw so that it is fetched again.
    private func changed() throws(TrackError) -> SubsonicError {
        let text = "The song changed on the server while it was fetched."
        guard download.startOver(), ftruncate(file, 0) == 0 else { throw TrackError(text) }
        return SubsonicError(.unreachable, text)
    }

    /// Receives what is missing. Once all bytes are here nothing can go wrong any more, whichever side disconnects.
    private func receive(_ stream: SongStream, _ form: TrackForm, skipping: Int64) async throws {
        do { try await copy(stream, form, skipping: skipping) } catch { if !isWhole { throw error } }
    }

    private func copy(_ stream: SongStream, _ form: TrackForm, skipping: Int64) async throws {
        // A server that ignores ranges begins again.
        var skipping = skipping
        let limit = maxBodySize(form, announced: stream.totalLength)
        var unchecked: Int64 = 0
        for try await var piece in stream.body {
            if !download.isWanted { throw Stop.unwanted }
            if !download.hasBegun, piece.readableBytes > 0 {
                download.begin(total: stream.totalLength, version: stream.version)
            }
            let skipped = min(Int64(piece.readableBytes), skipping)
            piece.moveReaderIndex(forwardBy: Int(skipped))
            skipping -= skipped
            let size = Int64(piece.readableBytes)
            guard download.written <= limit - size
            else { throw TrackError("The server sends more for the song than it announced.") }
            if unchecked <= 0 {
                unchecked = Self.roomAtOnce
                guard makeRoom(unchecked) else { throw TrackError(CacheFolder.isNearlyFull) }
            }
            unchecked -= size
            try write(piece)
            if !download.isOpen && !mayFetchAhead() { throw Stop.yielded }
        }
    }

    private static let roomAtOnce: Int64 = 8 << 20
    /// The most that is taken of a song of unknown size: 24 hours at 320 kbit/s, or 3 as WAV.
    private static let maxUnannounced: Int64 = 4 << 30

    /// No song has more bytes than were announced and a tenth; what has no end would fill the disk.
    private func maxBodySize(_ form: TrackForm, announced: Int64?) -> Int64 {
        let announced = announced ?? download.total ?? (form.isOriginal ? expectedSize : nil)
        guard let announced, announced > 0 else { return Self.maxUnannounced }
        return max(announced.addingClamped(announced / 10), 1 << 20)
    }

    /// True if all bytes that the server announced are here; false where it announced no length.
    private var isWhole: Bool { download.total.map { $0 > 0 && $0 == download.written } ?? false }

    private func complete() throws {
        let written = download.written
        if written == 0 { throw Stop.empty }
        if let total = download.total, total != written {
            throw SubsonicError(.unreachable, "Only \(written) of the song's \(total) bytes arrived.")
        }
        // A power cut must not leave a complete name on missing bytes.
        fdatasync(file)
    }

    private func write(_ piece: ByteBuffer) throws {
        if piece.readableBytes == 0 { return }
        guard piece.withUnsafeReadableBytes({ CacheFolder.write($0, to: file, at: download.written) }) else {
            let reason = CacheFolder.reason()
            notice.failed(reason)
            throw TrackError("Can't write to the cache: \(reason).")
        }
        download.advance(by: Int64(piece.readableBytes))
        notice.worked()
    }
}

extension SubsonicClient {
    func stream(id: String, _ form: TrackForm, from offset: Int64 = 0) async throws -> SongStream {
        if form == .converted { return try await convertedStream(id: id, from: offset) }
        return try await stream(id: id, format: form.format, maxBitRate: form.maxBitRate, from: offset)
    }
}
