import AudioFiles
import CSound
import MusicModel
import Outputs

final class EncodedFile: Recording {
    private let file: GrowingFile
    private let encoder: any SoundEncoder
    private let bytesPerFrame: Int
    /// The checksum that FLAC has of its samples at the beginning; nil for others.
    private var checksum: MD5?
    private var taken = 0
    /// True if bytes were lost, so that nothing may follow.
    private var isBroken = false

    var hasSound: Bool { taken > 0 }

    init(
        _ file: GrowingFile, _ encoding: StreamEncoding, format: AudioFormat, tags: [TagValue] = []
    ) throws(OutputProblem) {
        self.file = file
        encoder = try encoding.makeEncoder(format, inOgg: false, tags: tags, isFile: true)
        bytesPerFrame = format.frameSize
        if encoding.encoder == .flac { checksum = MD5() }
    }

    func append(_ samples: [UInt8]) throws(OutputProblem) {
        try encoder.push(samples)
        checksum?.add(samples)
        taken += samples.count
        try write(try encoder.take())
    }

    private func write(_ pieces: [EncodedPiece]) throws(OutputProblem) {
        guard !isBroken else { return }
        for piece in pieces {
            do throws(OutputProblem) { try file.append(piece.bytes) } catch {
                isBroken = true
                throw error
            }
        }
    }

    func finish() throws(OutputProblem) {
        try write(encoder.finish())
        if !isBroken, let checksum, file.size > Self.streamInfoEnd {
            // Bits 4 to 35 of the count; it is short enough for the four above to be zero for a day and more.
            let count = taken / bytesPerFrame
            try file.overwrite((0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }, at: Self.countPlace)
            try file.overwrite(checksum.digest, at: Self.checksumPlace)
        }
    }

    func remove() { file.remove() }

    // The positions in a FLAC file's first block, which its encoder can't fill in before the end.
    private static let countPlace = 22
    private static let checksumPlace = 26
    private static let streamInfoEnd = 42
}

final class MD5 {
    private let state = g_checksum_new(G_CHECKSUM_MD5)

    deinit { g_checksum_free(state) }

    func add(_ bytes: [UInt8]) { g_checksum_update(state, bytes, gssize(bytes.count)) }

    /// The digest of all bytes added: 16 bytes. Nothing can be added after it.
    var digest: [UInt8] {
        var size: gsize = 16
        return [UInt8](unsafeUninitializedCapacity: 16) { target, filled in
            g_checksum_get_digest(state, target.baseAddress, &size)
            filled = Int(size)
        }
    }
}
