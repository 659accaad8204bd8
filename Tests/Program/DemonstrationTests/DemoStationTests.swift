import Glibc
import Logging
import Testing

@testable import Demonstration

@Suite("The demo's stations")
struct DemoStationTests {
    @Test("a listener hears a named station of its own genre, and so does one that comes later")
    func listening() throws {
        let station = try DemoStation(.harbour, log: Logger(label: "test"))
        defer { station.stop() }
        for _ in 0..<2 {
            let heard = try Self.listen(to: station, bytes: 30_000)
            #expect(heard.contains("icy-name: Radio Harbour") && heard.contains("icy-genre: Ambient"))
            #expect(heard.contains("OggS") || heard.contains("RIFF"))
        }
    }

    @Test("stations have ports of their own, also where the usual one is taken")
    func ports() throws {
        let stations = try [.harbour, .harbour, .meadow].map { try DemoStation($0, log: Logger(label: "test")) }
        defer { stations.forEach { $0.stop() } }
        #expect(Set(stations.map(\.url)).count == 3)
    }

    /// The first bytes that a listener gets, as text as far as they are some.
    private static func listen(to station: DemoStation, bytes wanted: Int) throws -> String {
        let port = try #require(station.url.split(separator: ":").last.flatMap { UInt16($0.dropLast()) })
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        try #require(send(descriptor, request, request.count, 0) == request.count)
        var heard: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 8192)
        while heard.count < wanted {
            let count = recv(descriptor, &piece, piece.count, 0)
            try #require(count > 0, "the station is silent after \(heard.count) bytes")
            heard += piece[..<count]
        }
        return String(decoding: heard, as: UTF8.self)
    }
}
