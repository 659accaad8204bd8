import NetworkAddresses
import Testing

@Suite("Proxies")
struct WebProxyTests {
    @Test(
        "An address is read with its port and its user",
        arguments: [
            ("http://proxy.example:8080", "http://proxy.example:8080"), ("proxy", "http://proxy:3128"),
            ("http://[2001:db8::1]:3128/", "http://[2001:db8::1]:3128"),
            ("http://me:secret@proxy", "http://proxy:3128"),
        ])
    func addresses(text: String, address: String) throws {
        let proxy = try #require(WebProxy(text))
        #expect(proxy.address == address)
        #expect(proxy.user == (text.contains("@") ? "me" : nil))
    }

    @Test(
        "Anything else is none",
        arguments: ["", "https://proxy", "socks5://proxy", "http://proxy/path", "http://proxy:99999", "http://"])
    func refused(text: String) {
        #expect(WebProxy(text) == nil)
    }

    @Test("This machine, names with all below them, and ranges of addresses are asked directly")
    func direct() throws {
        let proxy = try #require(WebProxy("proxy", direct: ["home.arpa", ".lan", "192.168.0.0/16", "10.0.0.1"]))
        for host in [
            "localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]", "home.arpa", "nas.Home.Arpa", "a.b.lan",
            "192.168.7.8",
            "10.0.0.1",
        ] {
            #expect(!proxy.isUsed(for: host), "\(host)")
        }
        for host in ["example.org", "nothome.arpa", "10.0.0.2", "2001:db8::1", "lan.example"] {
            #expect(proxy.isUsed(for: host), "\(host)")
        }
        #expect(proxy.isUsed(forURL: "https://user@radio.example:8000/a"))
        #expect(!proxy.isUsed(forURL: "http://127.0.0.1:4533"))
        #expect(try #require(WebProxy("proxy", direct: ["*"])).isUsed(for: "example.org") == false)
    }

    @Test("The environment's variables are read as other programs read them")
    func environment() throws {
        let proxy = try #require(
            WebProxy(environment: ["http_proxy": "http://one:1", "no_proxy": "a.example, *.b.example,10.0.0.0/8"]))
        #expect(proxy.address == "http://one:1")
        #expect(!proxy.isUsed(for: "a.example") && !proxy.isUsed(for: "x.b.example") && !proxy.isUsed(for: "10.9.9.9"))
        #expect(WebProxy(environment: ["HTTP_PROXY": "http://one:1"]) == nil)
        #expect(WebProxy(environment: ["https_proxy": ""]) == nil)
        #expect(WebProxy(environment: [:]) == nil)
    }
}
