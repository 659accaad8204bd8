import HomeAutomation
import MusicModel

extension ConfigurationReader {
    /// Reads the broker and its topics; nil when neither the file nor the environment has the section.
    func readMQTT(_ section: inout SectionReader) -> BrokerSettings? {
        var mqtt = BrokerSettings()
        section.read("host", .text("the broker's name or address"), into: &mqtt.host)
        section.read("port", .integer(1...65_535), into: &mqtt.port)
        section.read("username", .text("a user's name"), into: &mqtt.username)
        mqtt.password = readPassword(&section, orCredential: "mqtt-password")
        section.read("tls", .flag, into: &mqtt.isEncrypted)
        section.read("certificate", .path("a file of certificates", home: directories.home), into: &mqtt.certificates)
        section.read("topic", .topic, into: &mqtt.topic)
        section.read("discovery", .topic, into: &mqtt.discovery)
        section.read("partitions", .flag, into: &mqtt.showsPartitions)
        guard section.isPresent else { return nil }
        if section.node("host") == nil {
            section.complain(
                "host", "missing; write host = \"192.168.1.10\" or the name of the machine with the broker")
        }
        if mqtt.password != nil, section.node("username") == nil {
            section.complain("username", "missing; a password needs a user name")
        }
        return mqtt
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
