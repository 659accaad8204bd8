import Glibc
import Testing

@testable import Coordination

@Suite("Programs that are started")
struct ChildProgramTests {
    /// The text that a program of the shell prints.
    private func output(
        of script: String, input: Int32? = nil, patience: Int = 60_000, grace: Int = 1000
    ) throws -> (text: String, ending: ChildProgram.Ending?) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let program = try ChildProgram(["sh", "-c", script], input: input, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        var text = ""
        var piece = [UInt8](repeating: 0, count: 512)
        while case let count = read(ends[0], &piece, piece.count), count > 0 {
            text += String(decoding: piece[..<count], as: UTF8.self)
        }
        return (text, program.end(after: patience, grace: grace))
    }

    @Test("print into the given descriptor, and tell how they ended")
    func printing() throws {
        let (text, ending) = try output(of: "echo heard; exit 3")
        #expect(text == "heard\n" && ending == .status(3))
        #expect("\(ChildProgram.Ending.status(3))" == "with the status 3")
    }

    @Test("have nothing to read unless they are given something, and the usual signals")
    func surroundings() throws {
        #expect(try output(of: "cat").text == "")
        let mask = try output(of: "grep SigBlk /proc/self/status").text
        #expect(mask.split(separator: "\t").last == "0000000000000000\n")
    }

    @Test("get no descriptor that another thread opened a moment ago")
    func descriptors() throws {
        let stray = open("/dev/null", O_RDONLY)
        defer { close(stray) }
        #expect(try output(of: "test -e /proc/self/fd/\(stray) && echo open || echo closed").text == "closed\n")
    }

    @Test("are asked to end, then killed, with all that they started")
    func ending() throws {
        let polite = try ChildProgram(["sh", "-c", "sleep 60"])
        #expect(polite.ending(within: 0) == nil)
        #expect(polite.end(after: 0) == .signal(SIGTERM))
        let (text, ending) = try output(
            of: "trap '' TERM; echo up; exec >&-; while :; do sleep 60; done", patience: 0, grace: 20)
        #expect(text == "up\n" && ending == .signal(SIGKILL))
    }

    @Test("that don't exist can't be started, with the system's reason")
    func missing() {
        let failure = #expect(throws: ChildProgram.Failure.self) { try ChildProgram(["/nowhere/program"]) }
        #expect(failure?.code == ENOENT && failure.map { "\($0)" } == "No such file or directory")
    }
}
