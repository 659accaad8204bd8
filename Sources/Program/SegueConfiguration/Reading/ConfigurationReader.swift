import Outputs

/// Makes a configuration out of a file's nodes; what is wrong goes into the list of problems.
struct ConfigurationReader {
    /// The defaults for folders.
    let directories: DefaultDirectories
    /// Where complaints go.
    let problems: ProblemList

    /// Reads everything; the result may be used only when no problem was noted.
    func read(_ root: Node) -> Configuration {
        var top = SectionReader(root, path: "", problems: problems)
        var server = section("server", &top)
        var navidrome = section("navidrome", &top)
        var local = section("local", &top)
        var cache = section("cache", &top)
        var playback = section("playback", &top)
        var playlists = section("playlists", &top)
        var http = section("http", &top)
        var resolver = section("resolver", &top)
        var zeroconf = section("zeroconf", &top)
        var desktop = section("desktop", &top)
        var mqtt = section("mqtt", &top)
        var web = section("web", &top)
        var lidarr = section("lidarr", &top)
        var discovery = section("discovery", &top)
        var dj = section("dj", &top)
        var warnings: [String] = []
        let presets = FilterPresets(
            equalizers: readEqualizers(top.list("equalizer")),
            impulseResponses: readImpulseResponses(top.list("impulse_response")),
            effects: readEffects(top.list("effects")), graphs: readGraphs(top.list("graph")))
        let outputs = readOutputs(top.list("output"), presets: presets)
        let configuration = Configuration(
            server: readServer(&server), navidrome: readNavidrome(&navidrome, &warnings), local: readLocal(&local),
            cache: readCache(&cache), playback: readPlayback(&playback), playlists: readPlaylists(&playlists),
            http: readHTTP(&http), resolver: readResolver(&resolver), zeroconf: readZeroconf(&zeroconf),
            desktop: readDesktop(&desktop), mqtt: readMQTT(&mqtt),
            web: readWeb(&web), lidarr: readLidarr(&lidarr),
            discovery: readDiscovery(&discovery), dj: readDJ(&dj), prompt: readPrompt(&dj, &warnings),
            outputs: outputs, partitions: readPartitions(top.list("partition"), outputs: outputs.map(\.name)),
            stations: readStations(top.list("station")), warnings: warnings)
        checkMounts(configuration, navidrome, local)
        // Of two sections with the same key the later is suggested.
        finish(
            top,
            [
                lidarr, web, dj, discovery, server, navidrome, local, cache, playback, playlists, http, resolver,
                zeroconf, desktop,
                mqtt,
            ])
        return configuration
    }

    private func section(_ name: String, _ top: inout SectionReader) -> SectionReader {
        SectionReader(top.node(name), path: name, problems: problems)
    }

    /// Two sources need two places in the one tree.
    private func checkMounts(_ configuration: Configuration, _ navidrome: SectionReader, _ local: SectionReader) {
        guard let server = configuration.navidrome, let folder = configuration.local else { return }
        if server.mount.isEmpty {
            // The file that comes with the package has the section's first line.
            let alone = server.url == nil ? ". For a folder alone, remove the line [navidrome]" : ""
            navidrome.complain("mount", "must be set when [local] is used too, such as mount = \"navidrome\"\(alone)")
        }
        if folder.mount.isEmpty {
            local.complain("mount", "must be set when [navidrome] is used too, such as mount = \"local\"")
        } else if folder.mount == server.mount {
            local.complain("mount", "\"\(folder.mount)\" is navidrome.mount already; choose another name")
        }
    }

    /// Notes unknown keys, now that every section's keys are known.
    private func finish(_ top: SectionReader, _ sections: [SectionReader]) {
        var elsewhere: [String: String] = [:]
        for section in sections {
            for key in section.knownKeys { elsewhere[key] = "\(section.path).\(key)" }
        }
        top.finish(elsewhere: elsewhere)
        for section in sections { section.finish(elsewhere: elsewhere) }
    }
}
