import Outputs

extension ConfigurationReader {
    /// Says of keys that MPD's outputs have, and ours don't, what to write instead.
    func complainAboutKeysOfMPD(_ section: inout SectionReader, _ type: OutputSpecification.Kind) {
        for (key, advice) in Self.adviceForMPD.sorted(by: { $0.key < $1.key })
        where !type.keys.contains(key) && section.node(key) != nil {
            section.complain(key, advice)
        }
    }

    /// Keys of MPD's outputs.
    ///
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
