import Outputs

/// Makes a configuration out of a file's nodes; what is wrong goes into the list of problems.
struct ConfigurationReader {
    /// The defaults for folders.
    let directories: DefaultDirectories
    /// Where complaints go.
    let problems: ProblemList
    /// The sections that extensions declare.
    var extensions: [any ExtensionSection.Type] = []

    /// Reads everything; the result may be used only when no problem was noted.
    func read(_ root: Node) -> Configuration {
        var top = SectionReader(root, path: "", problems: problems, directories: directories)
        var server = top.section("server")
        var navidrome = top.section("navidrome")
        var local = top.section("local")
        var cache = top.section("cache")
        var playback = top.section("playback")
        var playlists = top.section("playlists")
        var http = top.section("http")
        var resolver = top.section("resolver")
        var web = top.section("web")
        var discovery = top.section("discovery")
        var dj = top.section("dj")
        let presets = FilterPresets(
            equalizers: readEqualizers(top.list("equalizer")),
            impulseResponses: readImpulseResponses(top.list("impulse_response")),
            effects: readEffects(top.list("effects")), graphs: readGraphs(top.list("graph")))
        let outputs = readOutputs(top.list("output"), presets: presets)
        var configuration = Configuration(
            server: readServer(&server), navidrome: readNavidrome(&navidrome), local: readLocal(&local),
            cache: readCache(&cache), playback: readPlayback(&playback), playlists: readPlaylists(&playlists),
            http: readHTTP(&http), resolver: readResolver(&resolver), web: readWeb(&web),
            discovery: readDiscovery(&discovery), dj: readDJ(&dj), outputs: outputs,
            partitions: readPartitions(top.list("partition"), outputs: outputs.map(\.name)),
            stations: readStations(top.list("station")))
        checkMounts(configuration, navidrome, local)
        // Of two sections with the same key the later is suggested.
        let extended = readExtensions(into: &configuration, &top, &dj)
        finish(
            top, extended + [web, dj, discovery, server, navidrome, local, cache, playback, playlists, http, resolver])
        configuration.warnings = problems.warnings
        configuration.secretFiles = problems.secretFiles
        configuration.holdsSecrets = problems.holdsSecrets || !configuration.server.passwords.isEmpty
        return configuration
    }

    private func readExtensions(
        into configuration: inout Configuration, _ top: inout SectionReader, _ dj: inout SectionReader
    ) -> [SectionReader] {
        extensions.map { declared in
            let parts = declared.name.split(separator: ".").map(String.init)
            var section = parts.count > 1 ? dj.section(parts[1]) : top.section(parts[0])
            configuration.extensions.read(declared, from: &section)
            return section
        }
    }

    /// Two sources need two names in the one tree.
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
