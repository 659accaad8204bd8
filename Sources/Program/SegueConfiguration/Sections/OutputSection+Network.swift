import MusicModel
import Outputs

extension SectionReader: OutputKeyReader {
    mutating func text(_ key: String, _ expected: String, into property: inout String) {
        read(key, .text(expected), into: &property)
    }

    mutating func text(_ key: String, _ expected: String, into property: inout String?) {
        read(key, .text(expected), into: &property)
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>, into property: inout Int) {
        read(key, .integer(range), into: &property)
    }

    mutating func flag(_ key: String, into property: inout Bool) { read(key, .flag, into: &property) }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, into property: inout Choice
    ) { read(key, .choice, into: &property) }
}

extension ConfigurationReader {
    /// Reads what `shout` has beyond its plain settings; the output's name is that of the credential with its password.
    func readIcecast(_ section: inout SectionReader, _ settings: inout IcecastSettings, name: String) {
        settings.mount = section.required("mount", .streamPath, example: "mount = \"/segue.ogg\"") ?? settings.mount
        settings.password = section.secret(orCredential: "icecast-password.\(name)")
        if settings.password == nil, !section.has("password"), !section.has("password_file") {
            section.complain("password", "missing; write password = \"...\" or password_file = \"...\"")
        }
        let encryption = ValueKind<IcecastSettings.Encryption>.choice(
            orSay: [
                "rfc2817": "\"rfc2817\", which encrypts in mid-connection, is not supported; write \"rfc2818\" and the "
                    + "port on which the server encrypts from the start"
            ])
        section.read("tls", encryption, into: &settings.encryption)
        section.read("tls_certificate", .path("a file's path", home: directories.home), into: &settings.certificates)
        if settings.certificates != nil, settings.encryption == .disabled, section.node("tls") == nil {
            section.complain("tls_certificate", "does nothing without encryption; write tls = \"rfc2818\" too")
        }
    }
}

extension ValueKind where Value == String {
    /// A website as browsers name it in `Origin`, or all of them.
    static var origin: ValueKind {
        ValueKind(expected: "\"*\" or a website such as \"https://example.org\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            guard text.wholeMatch(of: #/\*|https?:\/\/[!-.0-~]+/#) != nil else {
                throw ValueComplaint(
                    "\"\(text)\" is not a website; expected \"*\" or one like \"https://example.org\", without a path")
            }
            return text
        }
    }

    fileprivate static var streamPath: ValueKind {
        ValueKind(expected: "a path such as \"/segue.ogg\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            guard text.wholeMatch(of: #/\/[!"$->@-~]+/#) != nil else {
                throw ValueComplaint(
                    "\"\(text)\" can't be a mount; expected a path such as \"/segue.ogg\", without spaces")
            }
            return text
        }
    }
}

extension ConfigurationReader {
    func complainAboutKeysOfMPD(_ section: inout SectionReader, _ type: OutputSpecification.Kind) {
        for (key, advice) in Self.adviceForMPD.sorted(by: { $0.key < $1.key })
        where !type.keys.contains(key) && section.node(key) != nil {
            section.complain(key, advice)
        }
    }

    /// Keys of MPD's outputs.
    /// - Source: MPD v0.24.13 doc/plugins.rst and src/output/plugins.
    static let adviceForMPD: [String: String] = {
        let asIs = "not supported: sound is converted only if the device doesn't accept it; remove it"
        let encoder = "not supported: the encoder's default applies; remove it"
        let own = "not supported: Segue names and connects itself; remove it"
        return [
            "auto_resample": asIs, "auto_channels": asIs, "auto_format": asIs,
            "dsd_usb": "called dop here",
            "compression": encoder, "complexity": encoder, "signal": encoder, "vbr": encoder, "packet_loss": encoder,
            "opustags": encoder, "oggflac": encoder, "oggchaining": encoder,
            "client_name": own, "source_ports": own, "autostart": own, "ringbuffer_size": own, "media_role": own,
            "auto_destination_ports": own,
            "always_off": "not supported; an output of type \"null\" with enabled = false plays nothing",
            "channel_map": "called route here, with pairs of channels: \"-1,-1,0,1\" is route = \"0>2, 1>3\"",
            "destination_ports": "called device here", "sink": "called device here", "target": "called device here",
            "dscp_class": "not supported; the system's firewall can mark what a port sends",
            "filters": "not supported; see graph, effects, route, equalizer and impulse_response in conf/segue.toml",
            "mixer_enabled": "called mixer_type here; write mixer_type = \"none\"",
            "period_time": "not supported: it follows from buffer_time; remove it",
            "protocol": "not supported: Segue uses Icecast's own protocol; remove it",
            "remote": "not supported; set PIPEWIRE_REMOTE in Segue's environment",
            "scale_volume": "not supported; remove it",
            "server_name": "called server here",
            "timeout": "not supported; remove it",
            "url": "called website here",
            "zeroconf": "not supported; remove it",
        ]
    }()
}
