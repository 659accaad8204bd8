extension Configuration {
    /// The `[mqtt]` section.
    package struct MQTT: Hashable, Sendable {
        /// The broker's name or address.
        package var host = ""
        /// Its port; nil is the usual one, with or without encryption.
        package var port: Int?
        /// Who signs in.
        package var username: String?
        /// The password of that user, from the file or from `password_file`.
        package var password: Secret?
        /// Whether the connection is encrypted.
        package var tls = false
        /// A file of certificates that are trusted in place of the system's.
        package var certificate: String?
        /// The beginning of all topics.
        package var topic = "segue"
        /// Where Home Assistant searches for devices; empty announces nothing.
        package var discovery = "homeassistant"
        /// Whether each partition is a device, or only the first one.
        package var partitions = false
    }
}

extension ConfigurationReader {
    /// Reads the broker and its topics; nil when neither the file nor the environment has the section.
    func readMQTT(_ section: inout SectionReader) -> Configuration.MQTT? {
        var mqtt = Configuration.MQTT()
        section.read("host", .text("the broker's name or address"), into: &mqtt.host)
        section.read("port", .integer(1...65_535), into: &mqtt.port)
        section.read("username", .text("a user's name"), into: &mqtt.username)
        mqtt.password = readPassword(&section, orCredential: "mqtt-password")
        section.read("tls", .flag, into: &mqtt.tls)
        section.read("certificate", .path("a file of certificates", home: directories.home), into: &mqtt.certificate)
        section.read("topic", .topic, into: &mqtt.topic)
        section.read("discovery", .topic, into: &mqtt.discovery)
        section.read("partitions", .flag, into: &mqtt.partitions)
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
