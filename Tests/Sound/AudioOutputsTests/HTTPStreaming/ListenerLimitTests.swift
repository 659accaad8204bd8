import Glibc
import Logging
import Outputs
import ServerLoop
import Testing

@testable import AudioOutputs

/// How many may listen, and what they may send.
@Suite(.timeLimit(.minutes(1))) struct ListenerLimitTests {
    /// A client that speaks plainly.
    private final class Client {
        private let descriptor: Int32

        init(_ port: Int) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            // By its bytes: who declares a `sockaddr_in`'s members, Glibc or NIO, depends on what was compiled before.
            let address: [UInt8] = [
                UInt8(AF_INET), 0, UInt8(port >> 8), UInt8(port & 0xFF), 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
            ]
            let result = address.withUnsafeBytes {
                connect(descriptor, $0.bindMemory(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
            try #require(result == 0)
            var patience = timeval(tv_sec: 10, tv_usec: 0)
            setsockopt(
                descriptor, Int32(SOL_SOCKET), SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                done += count
            }
        }

        /// The head of the answer; empty where the connection was closed without one.
        func head() -> String {
            var text: [UInt8] = []
            var byte: UInt8 = 0
            while !text.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
                text.append(byte)
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    private func server(_ change: (inout HTTPStreamServer.Settings) -> Void) throws -> HTTPStreamServer {
        var settings = HTTPStreamServer.Settings(name: "Test", contentType: "audio/wav")
        settings.output.address = "127.0.0.1"
        change(&settings)
        var log = Logger(label: "test")
        log.logLevel = .critical
        let server = try HTTPStreamServer(settings, log: log)
        server.open()
        return server
    }

    private static let question = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    private func listeners(_ count: Int, of server: HTTPStreamServer) throws -> [(client: Client, head: String)] {
        try (0..<count).map { _ in
            let client = try Client(server.port)
            client.send(Self.question)
            return (client, client.head())
        }
    }

    @Test("beyond max_clients a listener is told that there is no room")
    func listeners() throws {
        let server = try server { ($0.output.maxClients, $0.output.maxClientsPerAddress) = (2, 0) }
        let answers = try listeners(4, of: server)
        #expect(answers.map { $0.head.hasPrefix("HTTP/1.1 200") } == [true, true, false, false])
        #expect(answers[3].head.hasPrefix("HTTP/1.1 503"))
        server.stop()
    }

    @Test("64 may listen unless said otherwise, 16 of them from one address")
    func usual() throws {
        let settings = HTTPStreamServer.Settings(name: "", contentType: "")
        #expect(settings.output.maxClients == 64 && settings.output.maxClientsPerAddress == 16)
        let server = try server { _ in }
        let answers = try listeners(20, of: server)
        #expect(answers.filter { $0.head.hasPrefix("HTTP/1.1 200") }.count == 16)
        #expect(answers.suffix(4).allSatisfy { $0.head.isEmpty })
        server.stop()
    }

    @Test("listeners by the page are counted there, and leave this machine's own share to others")
    func relayed() throws {
        let server = try server { $0.output.maxClients = 40 }
        let question = "GET / HTTP/1.1\r\nHost: x\r\n\(RelayMark.field): \(RelayMark.value)\r\n\r\n"
        let relays = try (0..<24).map { _ in
            let client = try Client(server.port)
            client.send(question)
            return (client, client.head())
        }
        #expect(relays.allSatisfy { $0.1.hasPrefix("HTTP/1.1 200") })
        let others = try listeners(20, of: server)
        #expect(others.count { $0.head.hasPrefix("HTTP/1.1 200") } == 16)
        server.stop()
    }

    @Test("with both limits at 0 any number may listen")
    func unlimited() throws {
        let server = try server { ($0.output.maxClients, $0.output.maxClientsPerAddress) = (0, 0) }
        #expect(try listeners(120, of: server).allSatisfy { $0.head.hasPrefix("HTTP/1.1 200") })
        server.stop()
    }

    @Test("connections that ask for nothing take no room for good, and a place that is left is free again")
    func silent() throws {
        let server = try server { ($0.output.maxClients, $0.output.maxClientsPerAddress, $0.patience) = (1, 40, 1) }
        var silent: [Client] = []
        for _ in 0..<40 { silent.append(try Client(server.port)) }
        // More than the door lets in; they are closed after a second.
        var isIn = false
        for _ in 0..<200 where !isIn {
            let client = try Client(server.port)
            client.send(Self.question)
            isIn = client.head().hasPrefix("HTTP/1.1 200")
            if !isIn { usleep(50_000) }
        }
        #expect(isIn)
        server.stop()
        withExtendedLifetime(silent) {}
    }

    @Test("a listener that doesn't read is disconnected when so much waits for it, and not before")
    func deaf() throws {
        let server = try server { $0.backlog = 500_000 }
        let deaf = try Client(server.port)
        deaf.send(Self.question)
        while server.listenerCount == 0 { usleep(1000) }
        var sent = 0
        while server.listenerCount > 0, sent < 64 << 20 {
            server.send([UInt8](repeating: 7, count: 65_536), isHeader: false)
            sent += 65_536
            // Asks for something that comes behind the bytes, so that they are dealt with.
            _ = server.forgetHeader()
        }
        #expect(sent > 500_000 && server.listenerCount == 0)
        server.stop()
        withExtendedLifetime(deaf) {}
    }

    @Test(
        "a request that is too long is cut off",
        arguments: [
            "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nX: " + String(repeating: "b", count: 100_000) + "\r\n\r\n",
            "GET / HTTP/1.1\r\n" + String(repeating: "Y: c\r\n", count: 20_000) + "\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n" + String(repeating: "d", count: 100_000),
        ])
    func long(request: String) throws {
        let server = try server { _ in }
        let client = try Client(server.port)
        client.send(request)
        #expect(!client.head().hasPrefix("HTTP/1.1 200"))
        let next = try Client(server.port)
        next.send(Self.question)
        #expect(next.head().hasPrefix("HTTP/1.1 200"))
        server.stop()
    }

    @Test("other websites may read the stream only where that is configured")
    func origins() throws {
        for origin in [nil, "*", "https://example.org"] {
            let server = try server { $0.output.allowedOrigin = origin }
            let client = try Client(server.port)
            client.send(Self.question)
            let line = client.head().split(separator: "\r\n").first { $0.hasPrefix("Access-Control-Allow-Origin") }
            #expect(line.map(String.init) == origin.map { "Access-Control-Allow-Origin: \($0)" })
            server.stop()
        }
    }
}
