import InProcessServer
import NIOCore
import ServerLoop
import UserLibrary

/// Hands a client's bytes to a server with a small library and waits until the connection is closed.
///
/// - Shape: the first byte says how: its two lowest bits how the bytes arrive (at once, singly, by 7, by 64), bit 2
///   that the client goes away at once instead of sending no more, bit 3 that it reads slowly, bit 4 that another
///   client waits in `idle`, bit 6 that the songs' server takes the edits afterwards, bit 7 that it refuses them. The
///   rest is what the client sends.
enum SessionFuzz {
    /// No answer to a short input is larger.
    private static let outputLimit = 256 << 20
    private static let library = LibraryOnce()

    static func run(_ bytes: [UInt8]) async throws {
        guard let mode = bytes.first else { return }
        let library = try await library.value()
        let output = try await converse(library, mode: mode, ByteBuffer(bytes: bytes.dropFirst()))
        if mode & 64 != 0 { try await ServerExchange.run(library, refuses: mode & 128 != 0) }
        for playlist in try await library.storedPlaylists() where !ServerExchange.isLocked(playlist.name) {
            try await library.removeStoredPlaylist(playlist.name)
        }
        if let complaint = output { throw FuzzFinding(complaint) }
    }

    @ServerActor
    private static func converse(_ library: Library, mode: UInt8, _ input: ByteBuffer) async throws -> String? {
        let server = InProcessServer(library: library)
        defer { server.close() }
        let watcher = try mode & 16 == 0 ? nil : server.connect()
        watcher?.send(ByteBuffer(string: "idle\n"))
        let client = try server.connect(isSlow: mode & 8 != 0)
        let answers = AnswerCheck(limit: outputLimit)
        client.onOutput = { answers.take($0) }
        await withCheckedContinuation { continuation in
            client.onClose = { continuation.resume() }
            var input = input
            let size = [max(input.readableBytes, 1), 1, 7, 64][Int(mode & 3)]
            while let piece = input.readSlice(length: min(size, input.readableBytes)), piece.readableBytes > 0 {
                client.send(piece)
            }
            if mode & 4 == 0 { client.endInput() } else { client.close() }
        }
        watcher?.close()
        return answers.complaint
    }
}

/// Looks at the lines of answers: each is text below 4,096 bytes.
@ServerActor
private final class AnswerCheck {
    private(set) var complaint: String?
    private let limit: Int
    private var total = 0
    private var length = 0
    private var hasBinary = false

    init(limit: Int) { self.limit = limit }

    func take(_ bytes: ByteBuffer) {
        total += bytes.readableBytes
        if total > limit { complaint = "an answer of more than \(limit) bytes" }
        let view = bytes.readableBytesView
        // What follows a chunk of a picture need not be lines.
        hasBinary = hasBinary || String(buffer: bytes).contains("binary: ")
        guard !hasBinary else { return }
        for byte in view {
            length = byte == UInt8(ascii: "\n") ? 0 : length + 1
            if length >= 4096 { complaint = "a line of 4,096 bytes or more" }
            if byte == 0 { complaint = "a NUL in an answer" }
        }
    }
}

/// The library that inputs share: made for the first one, and made anew before what earlier inputs left weighs.
private actor LibraryOnce {
    private static let shared = 2000
    private var making: Task<TemporaryLibrary, any Error>?
    private var inputs = 0

    func value() async throws -> Library {
        inputs += 1
        if inputs.isMultiple(of: Self.shared), let old = making {
            making = nil
            try await old.value.close()
        }
        let task =
            making
            ?? Task {
                let library = try await TemporaryLibrary(songs: 60)
                try await ServerExchange.prepare(library.library)
                return library
            }
        making = task
        return try await task.value.library
    }
}
