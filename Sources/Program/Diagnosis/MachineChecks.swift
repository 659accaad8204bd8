import Foundation
import MPDSessions
import Outputs
package import SegueConfiguration

/// Checks the machine for a configuration.
package struct MachineChecks: Sendable {
    private let configuration: Configuration
    /// The checks of this machine.
    package let system: SystemChecks
    /// The programs that play on each sound card.
    private var players: [String: [String]] = [:]

    /// Checks these places for a configuration.
    package init(
        _ configuration: Configuration,
        _ places: SystemPlaces = SystemPlaces(environment: ProcessInfo.processInfo.environment)
    ) {
        (self.configuration, system) = (configuration, SystemChecks(places))
    }

    /// True if an output that is switched on has this type.
    private func uses(_ type: OutputSpecification.Kind) -> Bool {
        configuration.outputs.contains { $0.type == type && $0.isEnabled }
    }

    /// Finds the programs that hold ports and sound cards; only root sees those of other users.
    package mutating func checkPrograms(_ report: inout CheckReport) {
        for (addresses, name) in [(configuration.server.listen, "MPD clients"), (configuration.web.listen, "the page")]
        {
            for port in Set(addresses.compactMap(Self.port)).sorted() { report.note(system.port(port, for: name)) }
        }
        players = system.soundCardPlayers()
    }

    private static func port(of address: ListenerAddress) -> Int? {
        switch address {
        case .tcp(_, let port), .tls(_, let port): port
        case .unix: nil
        }
    }

    /// Everything else, as the user that runs Segue.
    package func run(_ report: inout CheckReport) {
        for (type, name) in [(OutputSpecification.Kind.pulse, "pulse"), (.pipewire, "pipewire")] where uses(type) {
            report.note(system.soundServer(name))
        }
        let usesCards = uses(.alsa) || uses(.auto) && !system.hasSoundServer
        if usesCards { system.soundCards(heldBy: players).forEach { report.note($0) } }
        system.limits(clients: configuration.server.options.maximumConnections, needsRealTime: usesCards)
            .forEach { report.note($0) }
        checkRoom(&report)
        let database = configuration.server.stateDirectory + "/segue.db"
        if let finding = DatabaseCheck.finding(at: database) { report.note(finding) }
    }

    private func checkRoom(_ report: inout CheckReport) {
        let cache = configuration.cache
        if configuration.navidrome != nil {
            let folder = configuration.server.cacheDirectory
            let tracks = folder + "/tracks"
            let sizes = (try? FileManager.default.contentsOfDirectory(atPath: tracks)) ?? []
            let used = sizes.reduce(Int64(0)) { sum, name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: "\(tracks)/\(name)")
                return sum.addingReportingOverflow((attributes?[.size] as? Int64) ?? 0).partialValue
            }
            report.note(system.room(in: folder, for: "cache", wanted: cache.size, used: used, keepFree: cache.keepFree))
        }
        report.note(
            system.room(
                in: configuration.server.stateDirectory, for: "disk", wanted: 100_000_000, used: 0,
                keepFree: cache.keepFree))
    }
}
