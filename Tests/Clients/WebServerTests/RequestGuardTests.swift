import NIOHTTP1
import NetworkAddresses
import Testing

@testable import WebServer

@Suite("The guard of the HTTP server")
struct RequestGuardTests {
    private let admission = RequestGuard(hosts: ["music.example.org"], origins: ["https://panel.example.org"])

    private func status(
        _ method: HTTPMethod = .GET, _ headers: HTTPHeaders
    ) -> HTTPResponseStatus? {
        do throws(RequestRefusal) {
            try admission.check(HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: headers))
            return nil
        } catch { return error.status }
    }

    @Test(
        "lets addresses, local names and configured names in",
        arguments: [
            "127.0.0.1:6610", "[::1]:6610", "192.168.1.10", "localhost", "box", "box.local:6610", "box.home.arpa",
            "music.example.org", "MUSIC.example.ORG:443",
        ])
    func ownHosts(host: String) { #expect(status(.GET, ["host": host]) == nil) }

    @Test(
        "refuses names that a stranger can own, and what is no name",
        arguments: [
            "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:6610", "box.local.evil.example", "a b",
            "box:port", "[::1", "box.local:123456789", "evil.example#.local", "user@box",
            "evil.example:6610", "localhost.", "a@127.0.0.1", "\u{7F}",
        ])
    func foreignHosts(host: String) { #expect(status(.GET, ["host": host]) == .misdirectedRequest) }

    @Test(
        "takes no name of the home network by this machine's own address but its own: any device may own one",
        arguments: [
            ("127.0.0.1:6610", true), ("localhost:6610", true), ("segue.localhost", true), ("music.example.org", true),
            ("[::1]:6610", true), ("printer", false), ("printer.local", false), ("printer.home.arpa:6610", false),
            ("evil.internal", false), ("localhost.local", false), ("nas", true), ("nas.local", true),
            ("nas.home.arpa:6610", true), ("nas.evil.internal", false), (".local", false),
        ])
    func loopback(host: String, isIn: Bool) {
        var admission = admission
        admission.names.hosts.insert("nas")
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["host": host])
        #expect(((try? admission.check(head, isLoopback: true)) != nil) == isIn)
    }

    @Test("refuses a request without a host, and with two")
    func hosts() {
        #expect(status(.GET, [:]) == .badRequest)
        #expect(status(.GET, ["host": "box", "Host": "evil.example"]) == .badRequest)
    }

    @Test("lets changes in from its own pages, from listed ones, and from programs without a cookie")
    func ownOrigins() {
        #expect(status(.POST, ["host": "box:6610", "origin": "http://box:6610"]) == nil)
        #expect(status(.POST, ["host": "box:6610", "origin": "https://panel.example.org"]) == nil)
        #expect(status(.POST, ["host": "box:6610"]) == nil)
    }

    @Test(
        "refuses changes from other pages, other ports of this machine, and frames without an origin",
        arguments: [
            "http://evil.example", "http://box:8080", "http://box", "null", "box:6610", "http://box:6610.evil",
            "https://127.0.0.1.evil.example", "file://", "", "http://localhost:6610",
        ])
    func foreignOrigins(origin: String) {
        #expect(status(.POST, ["host": "box:6610", "origin": origin]) == .forbidden)
        #expect(status(.GET, ["host": "box:6610", "origin": origin, "upgrade": "websocket"]) == .forbidden)
        #expect(status(.POST, ["host": "box:6610", "origin": "http://box:6610", "Origin": origin]) == .forbidden)
    }

    @Test("refuses a change with a cookie and without an origin")
    func cookies() { #expect(status(.DELETE, ["host": "box", "cookie": "segue-6610=x"]) == .forbidden) }

    @Test(
        "takes bodies as JSON only, so that no form can send one",
        arguments: ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "application/jsonp", ""])
    func types(type: String) {
        #expect(status(.POST, ["host": "box", "content-length": "2", "content-type": type]) == .unsupportedMediaType)
        #expect(status(.POST, ["host": "box", "transfer-encoding": "chunked"]) == .unsupportedMediaType)
        let good: HTTPHeaders = [
            "host": "box", "content-length": "2", "content-type": "application/json; charset=utf-8",
        ]
        #expect(status(.POST, good) == nil)
    }
}
