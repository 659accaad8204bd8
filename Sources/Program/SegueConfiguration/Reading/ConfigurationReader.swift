import Outputs
import Playback
import Players

/// Makes a configuration out of a file's nodes; what is wrong goes into the list of problems.
struct ConfigurationReader {
    let directories: DefaultDirectories
    let problems: ProblemList
    var extensions: [any ExtensionSection.Type] = []

    /// Reads everything; the result may be used only when no problem was noted.
    func read(_ root: Node) -> Configuration {
        var top = SectionReader(root, path: "", problems: problems, directories: directories)
        var read: [SectionReader] = []
        func section<Value>(_ name: String, _ value: (inout SectionReader) -> Value) -> Value {
            var section = top.section(name)
            defer { read.append(section) }
            return value(&section)
        }
        var configuration = Configuration(
            server: section("server", Configuration.Server.init(reading:)),
            navidrome: section("navidrome", Configuration.Navidrome.init(reading:)),
            local: section("local", Configuration.Local.init(reading:)),
            cache: section("cache", Configuration.Cache.init(reading:)),
            playback: section("playback", Configuration.Playback.init(reading:)),
            playlists: section("playlists", Configuration.Playlists.init(reading:)),
            http: section("http", Configuration.HTTP.init(reading:)),
            resolver: section("resolver", ResolverSettings.init(reading:)),
            web: section("web", Configuration.Web.init(reading:)),
            discovery: section("discovery", Configuration.Discovery.init(reading:)))
        var dj = top.section("dj")
        configuration.dj = DJSettings(reading: &dj)
        let presets = FilterPresets(
            equalizers: readEqualizers(top.list("equalizer")),
            impulseResponses: readImpulseResponses(top.list("impulse_response")),
            effects: readEffects(top.list("effects")), graphs: readGraphs(top.list("graph")))
        configuration.outputs = readOutputs(top.list("output"), presets: presets)
        configuration.partitions = readPartitions(top.list("partition"), outputs: configuration.outputs.map(\.name))
        configuration.stations = readStations(top.list("station"))
        checkMounts(configuration, navidrome: read[1], local: read[2])
        for declared in extensions {
            let parts = declared.name.split(separator: ".").map(String.init)
            var section = parts.count > 1 ? dj.section(parts[1]) : top.section(parts[0])
            configuration.extensions.read(declared, from: &section)
            read.append(section)
        }
        finish(top, read + [dj])
        configuration.warnings = problems.warnings
        configuration.secretFiles = problems.secretFiles
        configuration.holdsSecrets = problems.holdsSecrets || !configuration.server.passwords.isEmpty
        return configuration
    }

    /// Two sources need two names in the one tree.
    private func checkMounts(_ configuration: Configuration, navidrome: SectionReader, local: SectionReader) {
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

    /// Notes unknown keys, now that every section's keys are known; of two sections with a key the first is suggested.
    private func finish(_ top: SectionReader, _ sections: [SectionReader]) {
        var elsewhere: [String: String] = [:]
        for section in sections.reversed() {
            for key in section.knownKeys { elsewhere[key] = "\(section.path).\(key)" }
        }
        for section in [top] + sections { section.finish(elsewhere: elsewhere) }
    }
}
