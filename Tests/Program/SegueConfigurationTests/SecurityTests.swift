import Foundation
import MPDProtocol
import MPDSessions
import NetworkAddresses
@testable import SegueConfiguration
import Testing

@Suite("Access and encryption")
struct AccessTests {
    @Test("permissions by socket and host are read, from the file and the environment")
    func permissions() throws {
        let server = try parse(
            """
            [server]
            local_permissions = []
            host_permissions = ["192.168.0.0/24 read,add", "2001:db8::/32 control", "::1"]
            socket_mode = "0666"
            socket_group = "audio"
            """
        ).server
        #expect(server.options.access.localPermission == [])
        #expect(server.options.access.hosts.map(\.network.description) == ["192.168.0.0/24", "2001:db8::/32", "::1"])
        #expect(server.options.access.hosts.map(\.permission) == [[.read, .add], [.control, .player], []])
        #expect(server.options.socketMode == 0o666)
        #expect(server.options.socketGroup == "audio")
        let other = try parse(
            "",
            ["SEGUE_SERVER_HOST_PERMISSIONS": "10.0.0.1 read add, fd00::/8 read", "SEGUE_SERVER_SOCKET_MODE": "0600"])
        #expect(other.server.options.access.hosts.map(\.permission) == [[.read, .add], [.read]])
        #expect(other.server.options.socketMode == 0o600)
    }

    @Test(
        "networks are read bit by bit",
        arguments: [
            ("192.168.7.9/16", "192.168.0.0/16"), ("10.255.0.0/9", "10.128.0.0/9"), ("1.2.3.4/32", "1.2.3.4"),
            ("0.0.0.0/0", "0.0.0.0/0"), ("::ffff:10.0.0.1", "10.0.0.1"), ("2001:db8:ffff::/33", "2001:db8:8000::/33"),
        ])
    func networks(text: String, expected: String) { #expect(AddressRange(text)?.description == expected) }

    @Test(
        "what is no network is refused",
        arguments: [
            "", "host", "1.2.3", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/", "1.2.3.4/1/2", "::/129",
            "1.2.3.4/9999999999999999999",
        ])
    func noNetworks(text: String) { #expect(AddressRange(text) == nil) }

    static let wrong = [
        Wrong("host_permissions = [\"somewhere read\"]", "is not an address"),
        Wrong("host_permissions = [\"10.0.0.1 raed\"]", "did you mean \"read\"?"),
        Wrong("host_permissions = [\"10.0.0.1 read\", \"10.0.0.1/32 add\"]", "listed twice"),
        Wrong("socket_mode = 660", "octal digits in quotation marks"),
        Wrong("socket_mode = \"0999\"", "octal digits"),
        Wrong("socket_mode = \"7777\"", "octal digits"),
        Wrong("listen = [\"tls://0.0.0.0:6601\"]", "add [server.tls]"),
        Wrong("listen = [\"tls://0.0.0.0\"]", "has no port"),
        Wrong("[server.tls]\nkey = \"/k\"", "server.tls.certificate: missing"),
        Wrong("[server.tls]\nkey = \"/k\"\ncertificate = \"/c\"\nkye = \"\"", "did you mean server.tls.key?"),
    ]

    @Test("what is wrong is said", arguments: wrong)
    func complaints(_ wrong: Wrong) throws {
        let text = try #require(complaint("[server]\n" + wrong.text))
        #expect(text.contains(wrong.says), "\(text)")
    }

    @Test("certificates come from the file or the environment, plain and encrypted addresses stand side by side")
    func certificate() throws {
        let text =
            "[server]\nlisten = [\"127.0.0.1:1\", \"tls://[::]:2\"]\n[server.tls]\ncertificate = \"~/c\"\nkey = \"/k\""
        let server = try parse(text).server
        #expect(server.listen == [.tcp(host: "127.0.0.1", port: 1), .tls(host: "::", port: 2)])
        #expect(server.listen.map(\.description) == ["127.0.0.1:1", "tls://[::]:2"])
        #expect(server.options.certificate == CertificateFiles(certificate: "/home/me/c", key: "/k"))
        let other = try parse(text, ["SEGUE_SERVER_TLS_KEY": "/other"]).server
        #expect(other.options.certificate == CertificateFiles(certificate: "/home/me/c", key: "/other"))
        #expect(
            complaint("", ["SEGUE_SERVER_TLS_KYE": "/other"])
                == "environment: SEGUE_SERVER_TLS_KYE: names no setting; did you mean SEGUE_SERVER_TLS_KEY?")
    }
}

@Suite("Hashes by scrypt")
struct ScryptHashTests {
    private static let salt = Data(repeating: 1, count: 16).base64EncodedString()
    private static let key = Data(repeating: 2, count: 32).base64EncodedString()

    @Test("are read and written alike")
    func roundTrip() throws {
        let text = "scrypt:15:8:1:\(Self.salt):\(Self.key)"
        let password = try #require(
            try parse("[[server.password]]\nhash = \"\(text)\"\npermissions = [\"read\"]").server.passwords.first)
        guard case .scrypt(let hash) = password.entry.check else {
            Issue.record("no scrypt")
            return
        }
        #expect(hash.text == text)
        #expect(hash.logCost == 15 && hash.blockSize == 8 && hash.parallelism == 1)
        #expect(hash.salt == [UInt8](repeating: 1, count: 16))
        #expect(hash.key == [UInt8](repeating: 2, count: 32))
    }

    static let numbers = ["24:8:1", "18:16:1", "9:8:1", "18:8:16", "15:0:1", "15:8:0", "15:8:17", "15:33:1", "63:1:1"]

    @Test("that would take too much memory or time are refused", arguments: numbers)
    func tooDear(numbers: String) throws {
        let text = try #require(
            complaint("[[server.password]]\nhash = \"scrypt:\(numbers):\(Self.salt):\(Self.key)\"\npermissions = []"))
        #expect(text.contains("segue password"), "\(text)")
        #expect(!text.contains(Self.key))
    }

    @Test(
        "of another form are refused without being repeated",
        arguments: [
            "scrypt:", "scrypt:15:8:1:\(salt)", "scrypt:15:8:1::\(key)", "scrypt:15:8:1:\(salt):AAAA",
            "scrypt:+15:8:1:\(salt):\(key)", "scrypt:15:8:1:\(salt):not base64!",
            "scrypt:99999999999999999999:8:1:\(salt):\(key)",
            "scrypt:15:8:1:\(salt):\(String(repeating: "A", count: 4096))",
        ])
    func malformed(hash: String) throws {
        let text = try #require(complaint("[[server.password]]\nhash = \"\(hash)\"\npermissions = []"))
        #expect(text.contains("segue.toml:2: server.password.hash"), "\(text)")
        #expect(!text.contains(Self.salt))
    }
}

@Suite("What is dangerous")
struct SecurityWarningTests {
    static let scrypt = "hash = \"scrypt:15:8:1:AAAAAAAAAAAAAAAAAAAAAA==:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\""

    static let warnings = [
        Wrong("[server]\nlisten = [\"0.0.0.0:1\"]", "reach 0.0.0.0:1 and do everything without a password"),
        Wrong("[server]\nlisten = [\"music.lan:1\"]\ndefault_permissions = [\"player\"]", "and control playback"),
        Wrong(
            "[server]\nlisten = [\"[::]:1\"]\ndefault_permissions = []\nhost_permissions = [\"10.0.0.0/8 admin\"]",
            "everyone in 10.0.0.0/8 do everything"),
        Wrong(
            "[server]\nlisten = [\"/run/s\"]\nsocket_mode = \"0666\"",
            "every user of this machine can connect to /run/s"),
        Wrong(
            "[[server.password]]\npassword = \"hunter2\"\npermissions = [\"admin\"]",
            "number 1 is in plain text"),
        Wrong(
            "[[server.password]]\nhash = \"sha256:\(String(repeating: "0", count: 64))\"\npermissions = []",
            "number 1 is a SHA-256 hash"),
        Wrong(
            "[[server.password]]\nhash = \"scrypt:10:8:1:AAAAAAAAAAAAAAAAAAAAAA==:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"\n"
                + "permissions = []", "a cheap scrypt hash"),
        Wrong("[[server.password]]\n\(scrypt)\npermissions = [\"admin\"]", "no password has an effect"),
        Wrong(
            "[server]\nlisten = [\"0.0.0.0:1\"]\ndefault_permissions = []\n[[server.password]]\n\(scrypt)\npermissions = [\"admin\"]",
            "unencrypted on 0.0.0.0:1"),
        Wrong("[[output]]\ntype = \"httpd\"\nname = \"Radio\"", "listen to the output Radio"),
        Wrong(
            "[server]\ndefault_permissions = []\nhost_permissions = [\"127.0.0.1 read admin\"]\n"
                + "[web]\nlisten = [\"127.0.0.1:1\"]\nhosts = [\"music.example\"]",
            "all clients of a proxy on this machine"),
        Wrong("[web]\ntrusted_proxies = [\"127.0.0.1\", \"0.0.0.0/0\"]", "everyone in 0.0.0.0/0 can claim any"),
        Wrong("[web]\ntrusted_proxies = [\"2001:db8::/32\"]", "everyone in 2001:db8::/32 can claim any address"),
        Wrong("[server]\nmount_roots = [\"/\"]", "mount_roots names /, a folder of the system"),
        Wrong("[server]\nmount_roots = [\"/media\", \"/home\"]", "mount_roots names /home, a folder of the system"),
        Wrong("[server]\nmount_roots = [\"/etc/../etc\"]", "a folder of the system"),
        Wrong("[server]\nmount_roots = [\"~\"]", "mount_roots names /home/me, which contains the state directory"),
        Wrong(
            "[server]\nstate_directory = \"/srv/segue\"\nmount_roots = [\"/srv/segue\"]", "contains the state"),
    ]

    @Test("is said, without secrets", arguments: warnings)
    func warned(_ wrong: Wrong) throws {
        let warnings = try parse(wrong.text).securityWarnings()
        #expect(warnings.contains { $0.contains(wrong.says) }, "\(warnings)")
        #expect(!warnings.contains { $0.contains("hunter2") || $0.contains("AAAA") || $0.contains("0000000") })
    }

    static let safe = [
        "",
        "[server]\ndefault_permissions = []\nhost_permissions = [\"127.0.0.1 read admin\"]\n"
            + "[web]\nlisten = [\"127.0.0.1:1\"]\nhosts = [\"music.example\"]\ntrusted_proxies = [\"127.0.0.1\"]",
        "[server]\nstate_directory = \"/srv/music-state\"\nmount_roots = [\"/media\", \"/srv/music\"]",
        "[server]\nlisten = [\"127.0.0.1:1\", \"[::1]:1\", \"localhost:1\", \"/run/s\"]",
        "[server]\nlisten = [\"0.0.0.0:1\"]\ndefault_permissions = [\"read\"]\nhost_permissions = [\"192.168.0.0/24 player\"]",
        "[server]\ndefault_permissions = []\n[[server.password]]\n\(scrypt)\npermissions = [\"admin\"]",
        "[[output]]\ntype = \"httpd\"\nname = \"Radio\"\nbind_to_address = \"127.0.0.1\"",
        "[server]\ndefault_permissions = []\nhost_permissions = [\"127.0.0.1 read admin\"]\n[web]\nlisten = [\"127.0.0.1:1\"]",
    ]

    @Test("and nothing is said about the rest", arguments: safe)
    func quiet(text: String) throws { #expect(try parse(text).securityWarnings().isEmpty) }

    @Test("a root of mounts with the configuration in it is named, also by way of a link")
    func configurationBelowRoot() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "real"), withIntermediateDirectories: true)
        let link = folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.appending(path: "real"))
        let file = folder.appending(path: "real/segue.toml")
        try Data("[server]\nmount_roots = [\"\(link.path)\"]".utf8).write(to: file)
        let loader = ConfigurationLoader(path: file.path, environment: ["HOME": "/home/me"])
        let configuration = try loader.load().configuration
        #expect(configuration.securityWarnings().contains { $0.contains("which contains the configuration") })
    }

    @Test("files with secrets that others can read are named")
    func files() throws {
        try withTemporaryFile("secret\n") { path in
            let text = "[navidrome]\nusername = \"me\"\npassword_file = \"\(path)\""
            chmod(path, 0o644)
            let warnings = try parse(text).securityWarnings()
            #expect(warnings.contains { $0.contains("chmod o-rwx \(path)") })
            chmod(path, 0o640)
            #expect(try parse(text).securityWarnings().isEmpty)
        }
        try withTemporaryFile("[navidrome]\nusername = \"me\"\npassword = \"x\"\n") { path in
            chmod(path, 0o646)
            let loader = ConfigurationLoader(path: path, environment: ["HOME": "/home/me"])
            let warnings = try loader.load().configuration.securityWarnings()
            #expect(warnings.count == 2)
        }
    }

    @Test(
        "plain http leaves the private network",
        arguments: [
            ("http://music.example.org", true), ("http://134744072", true), ("http://8.8.8.8:4533", true),
            ("https://music.example.org", false), ("http://127.0.0.1:4533", false), ("http://nas:4533", false),
            ("http://nas.local", false), ("http://192.168.1.2", false), ("http://[fd00::1]", false),
            ("http://[2606:4700::1111]", true),
        ])
    func exposed(url: String, isExposed: Bool) throws {
        #expect(try Configuration.serverAddress(url).isExposed == isExposed)
    }
}
