import Glibc
import Playback

/// Small files with a note and a checksum, so that one that a crash or a full disk damaged is noticed and fetched anew.
///
/// A line `segue1 CHECKSUM NOTE`, then the contents.
extension CacheFolder {
    private static let mark = "segue1"

    /// The note and the contents of a file, which counts as used now; nil if it isn't there or is damaged, and then it
    /// is removed.
    mutating func unseal(_ name: String) -> (note: String, contents: [UInt8])? {
        guard let size = use(name) else { return nil }
        if let bytes = Self.read(path(of: name), count: Int(size)), let file = Self.opened(bytes) { return file }
        forget(name)
        return nil
    }

    /// Keeps contents with a note of one line, and makes room for them.
    ///
    /// - Throws: `TrackError` where that fails.
    mutating func seal(_ contents: [UInt8], note: String, as name: String) throws(TrackError) {
        let bytes = Array("\(Self.mark) \(Self.checksum(contents[...], note)) \(note)\n".utf8) + contents
        try makeRoom(for: Int64(bytes.count))
        let file = try create(name)
        let isWritten = Self.write(bytes, to: file)
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

    /// A hash of both, eight bytes at a time.
    private static func checksum(_ contents: ArraySlice<UInt8>, _ note: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(contents.count)
        contents.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
                offset += 8
            }
            for byte in bytes[offset...] { hash = mix(hash, UInt64(byte)) }
        }
        for byte in note.utf8 { hash = mix(hash, UInt64(byte)) }
        return String(hash, radix: 16)
    }

    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ (mixed >> 29)
    }

    private static func read(_ path: String, count: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let got = Glibc.read(file, start + filled, count - filled)
                if got <= 0 { break }
                filled += got
            }
        }
        return bytes.count == count ? bytes : nil
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count, let start = buffer.baseAddress {
                let count = Glibc.write(file, start + written, buffer.count - written)
                if count <= 0 { return false }
                written += count
            }
            return true
        }
    }
}
