import Foundation

/// Where the MQTT broker is, and under which topics the players appear there.
package struct BrokerSettings: Hashable, Sendable {
    /// The broker's name or address.
    package var host: String
    /// Its port; 1883, or 8883 with encryption, by habit.
    package var port: Int
    /// Who signs in; nil where the broker lets everyone in.
    package var username: String?
    /// The password; never logged.
    package var password: String?
    /// Whether the connection is encrypted.
    package var isEncrypted: Bool
    /// A file of certificates that are trusted in place of the system's.
    package var certificates: String?
    /// The beginning of all topics.
    package var topic: String
    /// The topic below which Home Assistant searches for devices; empty announces nothing there.
    package var discovery: String

    /// Collects what the configuration says.
    package init(
        host: String, port: Int, username: String? = nil, password: String? = nil, isEncrypted: Bool = false,
        certificates: String? = nil, topic: String, discovery: String
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.isEncrypted = isEncrypted
        self.certificates = certificates
        self.topic = topic
        self.discovery = discovery
    }

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

    /// The name on this machine.
    var clientID: String {
        var name = [CChar](repeating: 0, count: 256)
        let hasName = gethostname(&name, name.count - 1) == 0
        let host = hasName ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
        return clientID(
            host: host, machine: (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? "")
    }
}
