import Glibc
import Testing

@testable import Supervision

@Suite("Inherited sockets")
struct InheritedSocketTests {
    @Test("one that listens is taken, and children don't get it")
    func listening() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try #require(Glibc.listen(descriptor, 1) == 0)
        let taken = try InheritedSocket.adopt(descriptor, "segue.socket")
        #expect(taken == InheritedSocket(descriptor: descriptor, name: "segue.socket", isUnix: false))
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        let second = taken.duplicate()
        #expect(second > 2 && second != descriptor)
        close(second)
        taken.passOn()
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0)
    }

    @Test("what takes no connections is told with its name and the cure")
    func unusable() throws {
        let connected = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let datagrams = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        for descriptor in [connected, datagrams, file] {
            let error = #expect(throws: ProcessError.self) { try InheritedSocket.adopt(descriptor, "page") }
            #expect(error?.description.contains("the inherited socket page does not accept connections") == true)
            close(descriptor)
        }
        let error = #expect(throws: ProcessError.self) { try InheritedSocket.adopt(1_000_000, "") }
        #expect(error?.description.contains("descriptor 1000000 is not open") == true)
    }

    @Test(
        "those of another process, and numbers that make no sense, are none",
        arguments: [
            [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_PID": "7", "LISTEN_FDS": "0"],
            ["LISTEN_PID": "7", "LISTEN_FDS": "-1"], ["LISTEN_PID": "7", "LISTEN_FDS": "x"],
        ])
    func none(environment: [String: String]) throws {
        #expect(try InheritedSocket.take(environment: environment, processID: 7).isEmpty)
    }

    @Test("too many are refused")
    func tooMany() {
        #expect(throws: ProcessError.self) {
            try InheritedSocket.take(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "2147483647"], processID: 7)
        }
    }
}

@Suite("The journal")
struct JournalStreamTests {
    @Test("is recognised by device and inode, and nothing else is")
    func recognised() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        var status = stat()
        try #require(fstat(ends[1], &status) == 0)
        let right = "\(status.st_dev):\(status.st_ino)"
        #expect(JournalStream.isConnected(to: ends[1], environment: ["JOURNAL_STREAM": right]))
        for wrong in ["", "1", "\(status.st_dev):1", ":", "a:b", right + ":1", "-1:-1"] {
            #expect(!JournalStream.isConnected(to: ends[1], environment: ["JOURNAL_STREAM": wrong]))
        }
        #expect(!JournalStream.isConnected(to: ends[1], environment: [:]))
    }
}
