import Dispatch
import Foundation
import InProcessServer
import NIOCore
import ServerLoop

/// What `contrib/check-instructions` counts: one kind of work after the other on a library and a queue of known size.
///
/// `hot-paths prepare FOLDER` makes the library; `hot-paths run FOLDER` does the work, each kind once to warm up and
/// then several times between two calls of `segueGuardMark`, at which valgrind writes down what it has counted. The
/// standard output has a line `NAME TIMES` for each kind.
@main
enum HotPaths {
    /// Waits on the main thread, which an asynchronous `main` would end; valgrind does not survive that.
    static func main() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await obey(CommandLine.arguments)
            } catch {
                fatalError("\(error)")
            }
            done.signal()
        }
        done.wait()
    }

    private static func obey(_ arguments: [String]) async throws {
        guard arguments.count == 3 else { throw UsageError() }
        let folder = URL(filePath: arguments[2])
        switch arguments[1] {
        case "prepare": try await TemporaryLibrary(songs: 5000, in: folder).closeDatabase()
        case "run": try await run(TemporaryLibrary(reopening: folder))
        default: throw UsageError()
        }
    }

    private struct UsageError: Error {}

    @ServerActor
    private static func run(_ library: TemporaryLibrary) async throws {
        // Under valgrind even short work takes longer than a slice, on a busy machine more of it; pauses would count.
        TimeSlice.length = .hours(1)
        let server = InProcessServer(library: library.library)
        let client = try server.connect()
        // What the library reads in the background after it was opened would count as the command's work.
        for line in ["listallinfo", "listall", "listallinfo", "listallinfo"] { try await client.ask(line) }
        for work in Work.all {
            for line in work.before { try await client.ask(line) }
            try await client.ask(work.request(0))
            segueGuardMark()
            for round in 1...work.times { try await client.ask(work.request(round)) }
            segueGuardMark()
            print(work.name, work.times * work.commands)
        }
        client.close()
        server.close()
        try library.closeDatabase()
    }
}

/// Where valgrind writes down what it has counted since the last call.
@inline(never)
@_optimize(none)
public func segueGuardMark() {}
