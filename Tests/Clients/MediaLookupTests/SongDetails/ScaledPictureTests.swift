import Coordination
import Foundation
import Logging
import MediaCache
import Synchronization
import Testing

@testable import MediaLookup

/// A process of which a test says how much memory it uses.
private final class Machine: Sendable {
    let megabytes = Atomic(0)

    func budget(_ limit: Int) -> MemoryBudget {
        MemoryBudget(limit: limit << 20, use: { self.megabytes.load(ordering: .relaxed) << 20 }, trim: {})
    }
}

@Suite("Pictures of folders in the sizes of screens")
struct ScaledPictureTests {
    /// The beginning of a PNG that says it has 4,000 × 4,000 pixels: 66 MB.
    private static let drawing = Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0x0F, 0xA0, 0, 0, 0x0F, 0xA0, 8, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 40))

    @Test("one for which there is too little memory is refused before it is decoded, and made when there is enough")
    func shortage() async throws {
        try await LocalSong.with { song in
            let machine = Machine()
            let cache = try ScaledPictureCache(
                directory: song.file("pictures").path, byteLimit: 1 << 20, keepFree: 0,
                memoryBudget: machine.budget(100), log: Logger(label: "test"))
            let pictures = LibraryPictures(library: song.library, covers: nil, scaled: cache)
            try song.write(Self.drawing, "cover.png")
            machine.megabytes.store(50, ordering: .relaxed)
            await #expect(throws: MemoryShortage.self) {
                _ = try await pictures.picture(ofAlbumWith: song.uri, edge: 96)
            }
            machine.megabytes.store(10, ordering: .relaxed)
            let found = try #require(try await pictures.picture(ofAlbumWith: song.uri, edge: 96))
            // There is nothing behind its header, so it is handed on as it is.
            #expect(Data(found.bytes) == Self.drawing)
            machine.megabytes.store(99, ordering: .relaxed)
            let kept = try #require(try await pictures.picture(ofAlbumWith: song.uri, edge: 96))
            #expect(Data(kept.bytes) == Self.drawing)
        }
    }
}
