import AudioFiles
import Coordination
import Foundation
package import MediaCache
import MusicModel
import Subsonic
import Synchronization
package import UserLibrary

/// Pictures of stations, and of albums that aren't here yet. No website hears what browser sees them.
package final class OutsidePictures: Sendable {
    /// A picture's bytes and, if known, its type.
    package typealias Picture = (bytes: [UInt8], mimeType: String?)

    /// The maximum size of a file, in bytes.
    package static let maxSize = 2 << 20
    private static let retryInterval = Duration.seconds(600)
    private static let maxAbsent = 1000

    private let covers: CoverArtCache?
    private let scaled: ScaledPictureCache
    private let fetch: @Sendable (_ url: String, _ mayBePrivate: Bool) async -> [UInt8]?
    /// Addresses without a picture, with the time at which they are asked again.
    private let absent = Mutex<[String: ContinuousClock.Instant]>([:])

    /// Takes the server's pictures, and what fetches files of at most `maxSize` bytes from the web.
    package init(
        covers: CoverArtCache?, scaled: ScaledPictureCache,
        fetch: @escaping @Sendable (_ url: String, _ mayBePrivate: Bool) async -> [UInt8]?
    ) {
        (self.covers, self.scaled, self.fetch) = (covers, scaled, fetch)
    }

    /// The picture of a station of at most `edge` pixels on the longer edge; nil without one, or while it can't be had.
    @concurrent
    package func picture(of station: StationPicture, edge: Int) async throws -> Picture? {
        switch station {
        case .cover(let id):
            return await covers?.picture(coverArtID: id, form: .edge(edge)).map { ($0.bytes, $0.contentType) }
        case .address(let url): return try await picture(at: url, edge: edge, mayBePrivate: true)
        case .file(let path):
            guard let version = try await FileVersion.current(of: path) else { return nil }
            return try await small(version.name, edge) {
                // Named by the configuration, so that it may be anywhere.
                try? await onThread(reading: path) { try RegularFile.read(path, upTo: Self.maxSize) }
            }
        }
    }

    /// A picture of the web, the longer edge at most `edge`; only an address in the configuration may be private.
    @concurrent
    package func picture(at url: String, edge: Int, mayBePrivate: Bool = false) async throws -> Picture? {
        let isAbsent = absent.withLock { $0[url].map { ContinuousClock.now < $0 } ?? false }
        guard !isAbsent else { return nil }
        // A picture at an address changes now and then; it is fetched again each week.
        let week = Int(Date().timeIntervalSince1970 / 604_800)
        let found = try await small("\(url) \(week)", edge) { [fetch] in await fetch(url, mayBePrivate) }
        if found == nil {
            absent.withLock { absent in
                if absent.count >= Self.maxAbsent { absent = [:] }
                absent[url] = .now + Self.retryInterval
            }
        }
        return found
    }

    private func small(
        _ name: String, _ edge: Int, read: @escaping @Sendable () async -> [UInt8]?
    ) async throws -> Picture? {
        let picture = try await scaled.picture(name, edge: edge, size: Self.maxSize) { _ in
            guard let bytes = await read(), !bytes.isEmpty else { return nil }
            // A type is known of those alone that are made smaller; of others the first bytes tell it.
            return CoverPicture(bytes: bytes, contentType: "")
        }
        return picture.map { ($0.bytes, $0.contentType.isEmpty ? nil : $0.contentType) }
    }
}

enum FileVersion {
    /// A text of path, time and size that another version of a file doesn't have, and its size; nil without a file.
    static func current(of path: String) async throws -> (name: String, size: Int)? {
        try await onThread(reading: path) {
            guard let information = DiskPath(path).status() else { return nil }
            let (time, size) = (information.st_mtim, information.st_size)
            return ("\(path) \(time.tv_sec).\(time.tv_nsec) \(size)", Int(size))
        }
    }
}

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
