import Glibc
import Testing

@testable import Coordination

@Suite("Programs that are started")
struct ChildProgramTests {
    /// The text that a program of the shell prints.
    private func output(
        of script: String, input: Int32? = nil, patience: Int = 60_000, grace: Int = 1000
    ) throws -> (text: String, ending: ChildProgram.Ending?) {
        let ends = try PipeEnds()
        let program = try ChildProgram(["sh", "-c", script], input: input, output: ends.writing)
        close(ends.writing)
        defer { close(ends.reading) }
        var text = ""
        var piece = [UInt8](repeating: 0, count: 512)
        while case let count = read(ends.reading, &piece, piece.count), count > 0 {
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

    @Test("have the descriptors 0, 1 and 2 and no other, however many sockets, pipes and files are open here")
    func descriptors() throws {
        // None of them is marked as this process's own, as those of event loops aren't.
        var strays = [socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), inotify_init1(0), open("/dev/null", O_RDONLY)]
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        strays += ends + [fcntl(strays[0], F_DUPFD, 200)]
        defer { for stray in strays { close(stray) } }
        try #require(strays.allSatisfy { $0 >= 0 && fcntl($0, F_GETFD) & FD_CLOEXEC == 0 })
        let list = "for file in /proc/$$/fd/*; do test -e $file && echo ${file##*/}; done"
        #expect(try output(of: list).text == "0\n1\n2\n")
        let input = try PipeEnds()
        close(input.writing)
        defer { close(input.reading) }
        #expect(try output(of: list, input: input.reading).text == "0\n1\n2\n")
    }

    @Test("get no pipe that another thread is just making")
    func pipes() throws {
        let ends = try PipeEnds()
        defer { for end in [ends.reading, ends.writing] { close(end) } }
        #expect(fcntl(ends.reading, F_GETFD) & FD_CLOEXEC != 0 && fcntl(ends.writing, F_GETFD) & FD_CLOEXEC != 0)
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
