import Dispatch
import Foundation
import Synchronization
import Testing

@testable import MusicModel

@Suite("Threads that wait for disks")
struct DiskThreadsTests {
    @Test("all of a mounted file system share a limit, and the system's own has none")
    func places() {
        let threads = DiskThreads(2)
        #expect(threads.limit(for: "/proc/self/status") === threads.limit(for: "/proc/1"))
        #expect(threads.limit(for: "/proc/self/status") != nil)
        #expect(threads.limit(for: "/nowhere/song.flac") == nil && threads.limit(for: "/processes") == nil)
    }

    /// A folder on the system's own disk; temporary files may be on another.
    private static let ownFolder = [FileManager.default.temporaryDirectory, URL(filePath: "/var/tmp")]
        .first { DiskThreads(1).limit(for: $0.path) == nil }

    @Test(
        "links of the system's own file system lead to the limit of what is behind them",
        .enabled(if: ownFolder != nil, "temporary files are on other disks"))
    func links() throws {
        let folder = try #require(Self.ownFolder).appending(path: "links-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func link(_ name: String, _ target: String) throws -> String {
            let path = folder.appending(path: name).path
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            return path
        }
        let threads = DiskThreads(2)
        try #require(threads.limit(for: folder.path) == nil)
        let expected = try #require(threads.limit(for: "/proc/1"))
        for path in [
            try link("far", "/proc"), try link("near", "far/self"), try link("up", "../../../../../../../../proc/1"),
            try link("down", "./../\(folder.lastPathComponent)/far"),
        ] {
            #expect(threads.limit(for: path + "/status") === expected, "\(path)")
            #expect(threads.limit(for: path) === expected, "\(path)")
        }
        _ = try (link("round", "about"), link("about", "round"), link("itself", "itself"))
        for name in ["round", "itself", "none", "far/../itself"] {
            #expect(threads.limit(for: folder.path + "/" + name + "/song.flac") == nil || name.hasPrefix("far"))
        }
        #expect(threads.limit(for: "song.flac") == nil && threads.limit(for: "") == nil)
    }

    @Test("of those who ask a file system that hangs so many have a thread, and the others wait for one without")
    func bound() async throws {
        let (threads, disk) = (DiskThreads(2), HangingDisk())
        let callers = (0..<5).map { _ in Task { try await disk.ask(threads) } }
        await disk.hasHeld(2)
        // Callers that go on leave their threads behind, which the disk still holds; those without a thread just go.
        for caller in callers[..<3] { caller.cancel() }
        for caller in callers[..<3] {
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
        // A thread for another file system is there all the same.
        #expect(try await onThread(reading: "/nowhere/song.flac", limits: threads) { 7 } == 7)
        #expect(disk.count == 2)
        disk.letGo(5)
        for caller in callers[3...] { try await caller.value }
    }

    @Test("a caller that is gone before it has a thread takes no place")
    func goneBefore() async throws {
        let (threads, disk) = (DiskThreads(1), HangingDisk())
        for _ in 0..<50 {
            let caller = Task { try await disk.pass(threads) }
            caller.cancel()
            _ = await caller.result
        }
        try await disk.pass(threads)
    }
}

/// A file system that answers when it is let.
private final class HangingDisk: Sendable {
    private let held = Mutex(0)
    private let gate = DispatchSemaphore(value: 0)
    private let (news, told) = AsyncStream<Int>.makeStream()

    var count: Int { held.withLock { $0 } }

    func ask(_ threads: DiskThreads) async throws {
        try await onThread(reading: "/proc/song.flac", limits: threads) { [self] in
            told.yield(
                held.withLock { held in
                    held += 1
                    return held
                })
            gate.wait()
        }
    }

    func pass(_ threads: DiskThreads) async throws {
        try await onThread(reading: "/proc/song.flac", limits: threads) {}
    }

    func hasHeld(_ count: Int) async {
        for await held in news where held >= count { return }
    }

    func letGo(_ count: Int) { for _ in 0..<count { gate.signal() } }
}
