import Foundation
package import MusicModel

/// The `[mqtt]` section: where the broker is, and under which topics the players appear there.
package struct BrokerSettings: Hashable, Sendable {
    /// The broker's name or address.
    package var host: String
    /// Its port; nil is the usual one, with or without encryption.
    package var port: Int?
    /// Who signs in; nil where the broker lets everyone in.
    package var username: String?
    /// The password of that user, from the file or from `password_file`.
    package var password: Secret?
    /// Whether the connection is encrypted.
    package var isEncrypted = false
    /// A file of certificates that are trusted in place of the system's.
    package var certificates: String?
    /// The beginning of all topics.
    package var topic: String
    /// The topic below which Home Assistant searches for devices; empty announces nothing there.
    package var discovery: String
    /// Whether each partition is a device, or only the first one.
    package var showsPartitions = false

    /// The settings of a broker that lets everyone in.
    package init(host: String = "", topic: String = "segue", discovery: String = "homeassistant") {
        (self.host, self.topic, self.discovery) = (host, topic, discovery)
    }

    /// The port that is in use.
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

    /// The name on this machine.
    var clientID: String {
        var name = [CChar](repeating: 0, count: 256)
        let hasName = gethostname(&name, name.count - 1) == 0
        let host = hasName ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
        return clientID(
            host: host, machine: (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? "")
    }
}
