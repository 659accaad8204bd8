/// Something that a user should know of a filter of others.
package struct PluginReport: Hashable, Sendable {
    /// True if the sound continues without it.
    package let isProblem: Bool
    /// A sentence that begins small.
    package let text: String
}

/// Follows the plug-ins of a chain, and says each thing once until the settings change.
struct PluginWatch {
    private var plugins: [PluginStage] = []
    private var reports: [PluginReport] = []
    private var said: Set<String> = []
    /// How many frames late they are, for how many frames that has been so, and what was said of it.
    private var latency = 0
    private var steady = 0
    private var told = 0

    /// Follows others from now on.
    mutating func watch(_ plugins: [PluginStage]) {
        self.plugins = plugins
        steady = 0
    }

    /// The settings have changed: what goes wrong is reported again.
    mutating func forget() { said = [] }

    /// Notes a plug-in that the sound continues without.
    mutating func note(_ problem: String) {
        if said.insert(problem).inserted { reports.append(PluginReport(isProblem: true, text: problem)) }
    }

    /// Checks them after some frames more. How late they are is reported once it has been the same for a second.
    mutating func listen(frames: Int, rate: Int) {
        guard !plugins.isEmpty else { return }
        for plugin in plugins { if let problem = plugin.problem { note(problem) } }
        let now = plugins.reduce(0) { $0 + $1.latency }
        (latency, steady) = (now, now == latency ? steady + frames : 0)
        guard steady >= rate, latency != told else { return }
        told = latency
        reports.append(
            PluginReport(isProblem: false, text: "plug-ins make the sound \(latency * 1000 / max(1, rate)) ms later"))
    }

    mutating func takeReports() -> [PluginReport] {
        guard !reports.isEmpty else { return [] }
        defer { reports = [] }
        return reports
    }
}
