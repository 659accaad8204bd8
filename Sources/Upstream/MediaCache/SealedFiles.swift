import Coordination
import Glibc
import Logging
import MusicModel
import Playback
import Subsonic
import Synchronization

/// Small files with a note and a checksum, so that one that a crash or a full disk damaged is noticed and fetched
/// again. A line `segue2 CHECKSUM NOTE`, then the contents.
extension CacheFolder {
    private static let mark = "segue2"

    /// The note and the contents of a file, which counts as used now; nil without it, or if it is damaged and removed.
    mutating func unseal(_ name: String) -> (note: String, contents: [UInt8])? {
        guard let size = use(name) else { return nil }
        if let bytes = try? RegularFile.read(DiskPath(exactly: path(of: name)), upTo: Int(size)),
            let file = Self.opened(bytes)
        {
            return file
        }
        forget(name)
        return nil
    }

    mutating func seal(_ contents: [UInt8], note: String, as name: String) throws(TrackError) {
        let bytes = Array("\(Self.mark) \(Self.checksum(contents[...], note)) \(note)\n".utf8) + contents
        try makeRoom(for: Int64(bytes.count))
        let file = try create(name)
        let isWritten = bytes.withUnsafeBytes { Self.write($0, to: file, at: 0) }
        close(file)
        guard isWritten else {
            discard(name)
            throw TrackError("Can't write to the cache directory \(path): \(Self.reason()).")
        }
        finish(name, size: Int64(bytes.count))
        evict(sparing: [name])
    }

    private static func opened(_ bytes: [UInt8]) -> (note: String, contents: [UInt8])? {
        guard let end = bytes.prefix(1024).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: bytes[..<end], as: UTF8.self)
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == mark else { return nil }
        let note = String(words[2])
        let contents = bytes[(end + 1)...]
        return checksum(contents, note) == words[1] ? (note, Array(contents)) : nil
    }

    static func checksum(_ contents: ArraySlice<UInt8>, _ note: String) -> String {
        var hash = FNV1a()
        contents.withUnsafeBytes { hash.combine($0) }
        hash.combine(note)
        return String(hash.value, radix: 16)
    }

    /// Writes bytes at a position of a file; false when the system doesn't take all of them.
    static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = pwrite(
                file, bytes.baseAddress?.advanced(by: written), bytes.count - written, off_t(offset) + off_t(written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}

/// A cache of sealed files that can be fetched again; the log says once when they can't be kept.
final class SealedFolder: Sendable {
    private let folder: Mutex<CacheFolder>
    private let notice: KeepingNotice

    init(_ path: String, byteLimit: Int64, keepFree: Int64, of kind: String, log: Logger) throws {
        folder = Mutex(try CacheFolder(path: path, byteLimit: byteLimit, keepFree: keepFree))
        notice = KeepingNotice(of: kind, log: log)
    }

    func has(_ name: String) -> Bool { folder.withLock { $0.use(name) != nil } }
    func file(_ name: String) -> (note: String, contents: [UInt8])? { folder.withLock { $0.unseal(name) } }

    /// A picture, whose note is its type.
    func picture(_ name: String) -> CoverPicture? {
        file(name).map { CoverPicture(bytes: $0.contents, contentType: $0.note) }
    }

    /// Keeps contents; where that fails they are fetched again next time.
    func keep(_ contents: [UInt8], note: String, as name: String) {
        do {
            try folder.withLock { folder throws(TrackError) in try folder.seal(contents, note: note, as: name) }
            notice.worked()
        } catch {
            notice.failed("\(chain: error)")
        }
    }

    /// Keeps a picture. A type is one line by its nature; a server that sends more must not break the file.
    func keep(_ picture: CoverPicture, as name: String) {
        keep(picture.bytes, note: picture.contentType.split(whereSeparator: \.isNewline).joined(), as: name)
    }
}

/// Says in the log once that files of a kind can't be kept, as on a full disk, and once that they can again.
final class KeepingNotice: Sendable {
    private let kind: String
    private let log: Logger
    private let isFailing = Mutex(false)

    init(of kind: String, log: Logger) { (self.kind, self.log) = (kind, log) }

    func failed(_ reason: String) {
        guard !setFailing(true) else { return }
        log.warning("\(kind) can't be stored", metadata: ["because": "\(reason)"])
    }

    func worked() {
        guard setFailing(false) else { return }
        log.notice("\(kind) are stored again")
    }

    private func setFailing(_ isFailing: Bool) -> Bool {
        self.isFailing.withLock { was in
            defer { was = isFailing }
            return was
        }
    }
}
