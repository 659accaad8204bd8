extension ConfigurationReader {
    /// Reads the broker and its topics; nil when neither the file nor the environment has the section.
    func readMQTT(_ section: inout SectionReader) -> Configuration.MQTT? {
        var mqtt = Configuration.MQTT()
        let host = section.value("host", .text("the broker's name or address"))
        mqtt.port = section.value("port", .integer(1...65_535))
        mqtt.username = section.value("username", .text("a user's name"))
        mqtt.password = readPassword(&section, orCredential: "mqtt-password")
        mqtt.tls = section.value("tls", .flag) ?? mqtt.tls
        mqtt.certificate = section.value("certificate", .path("a file of certificates", home: directories.home))
        mqtt.topic = section.value("topic", .topic) ?? mqtt.topic
        mqtt.discovery = section.value("discovery", .topic) ?? mqtt.discovery
        mqtt.partitions = section.value("partitions", .flag) ?? mqtt.partitions
        guard section.isPresent else { return nil }
        mqtt.host = host ?? ""
        if host == nil, section.node("host") == nil {
            section.complain(
                "host", "missing; write host = \"192.168.1.10\" or the name of the machine with the broker")
        }
        if mqtt.password != nil, section.node("username") == nil {
            section.complain("username", "missing; a password needs the user's name beside it")
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
