import Foundation
import MusicModel
import SegueConfiguration

/// The `[mqtt]` section: where the broker is, and under which topics the players appear there.
struct BrokerSettings: ExtensionSection {
    static let name = "mqtt"
    var host: String
    /// Its port; nil is the usual one, with or without encryption.
    var port: Int?
    var username: String?
    /// The password of that user, from the file or from `password_file`.
    var password: Secret?
    var isEncrypted = false
    /// A file of certificates that are trusted in place of the system's.
    var certificates: String?
    /// The beginning of all topics.
    var topic: String
    /// The topic below which Home Assistant searches for devices; empty announces nothing there.
    var discovery: String
    /// True if each partition is a device; otherwise only the first one is.
    var showsPartitions = false

    init(host: String = "", topic: String = "segue", discovery: String = "homeassistant") {
        (self.host, self.topic, self.discovery) = (host, topic, discovery)
    }

    init?(reading section: inout SectionReader) {
        self.init()
        section.read("host", .text("the broker's name or address"), into: &host)
        section.read("port", .integer(1...65_535), into: &port)
        section.read("username", .text("a user's name"), into: &username)
        password = section.secret(orCredential: "mqtt-password")
        section.read("tls", .flag, into: &isEncrypted)
        section.read("certificate", .path("a file of certificates", home: section.home), into: &certificates)
        section.read("topic", .topic, into: &topic)
        section.read("discovery", .topic, into: &discovery)
        section.read("partitions", .flag, into: &showsPartitions)
        guard section.isPresent else { return nil }
        if !section.has("host") {
            section.complain(
                "host", "missing; write host = \"192.168.1.10\" or the name of the machine with the broker")
        }
        if password != nil, !section.has("username") {
            section.complain("username", "missing; a password needs a user name")
        }
    }

    var usedPort: Int { port ?? (isEncrypted ? 8883 : 1883) }
    /// The topic that says whether the server is there: `online` or `offline`.
    var availability: String { topic + "/availability" }
}

extension BrokerSettings {
    /// The name under which the broker knows this connection: of two with the same one, each throws the other out.
    ///
    /// It stays the same, so that a connection which a power cut left behind ends when the next one begins; its last
    /// will, "offline", would come later otherwise. The machine's id is to stay on the machine: a part of it tells two
    /// of the same name apart.
    func clientID(host: String, machine: String) -> String {
        ["segue", topic, host, String(machine.prefix(8))].filter { !$0.isEmpty }.map(HomeDevice.word)
            .joined(separator: "-")
    }

    var clientID: String {
        var name = [CChar](repeating: 0, count: 256)
        let hasName = gethostname(&name, name.count - 1) == 0
        let host = hasName ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
        return clientID(
            host: host, machine: (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? "")
    }
}

extension ValueKind<String> {
    /// A topic of MQTT without wildcards; empty is allowed.
    fileprivate static var topic: Self {
        Self(expected: "a topic without + and #") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
                !text.contains(where: { "+#".contains($0) }), !text.hasPrefix("/"), !text.hasSuffix("/"),
                text.utf8.count <= 200
            else { throw ValueComplaint("must be a topic without + and #, and without a slash at its ends") }
            return text
        }
    }
}
