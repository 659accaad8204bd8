import Foundation
import Desktop
import MPDSessions
import Outputs
package import SegueConfiguration

/// Checks the machine for a configuration.
package struct MachineChecks: Sendable {
    private let configuration: Configuration
    private let isAnnounced: Bool
    private let sessionBus: String?
    private let storageBackend: @Sendable (_ uri: String) -> String?
    private let system: SystemChecks
    /// The programs that play on each sound card.
    private var players: [String: [String]] = [:]

    /// Checks these places for a configuration.
    ///
    /// - Parameters:
    ///   - isAnnounced: whether other machines are told of anything.
    ///   - sessionBus: the address of the desktop session's bus; nil without a session.
    ///   - storageBackend: GIO's name of the scheme of a network storage; nil for any other mount.
    package init(
        _ configuration: Configuration, isAnnounced: Bool, sessionBus: String?,
        storageBackend: @escaping @Sendable (_ uri: String) -> String?,
        _ places: SystemPlaces = SystemPlaces(environment: ProcessInfo.processInfo.environment)
    ) {
        (self.configuration, self.isAnnounced, self.sessionBus) = (configuration, isAnnounced, sessionBus)
        (self.storageBackend, system) = (storageBackend, SystemChecks(places))
    }

    /// Whether an output that is switched on has this type.
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
        let findings =
            system.services(
                announces: isAnnounced, needsDesktop: configuration.desktop.isEnabled, sessionBus: sessionBus)
            + system.limits(clients: configuration.server.maxConnections, needsRealTime: usesCards)
        findings.forEach { report.note($0) }
        checkRoom(&report)
        let database = configuration.server.stateDirectory + "/segue.db"
        if let finding = DatabaseCheck.finding(at: database) { report.note(finding) }
        let backends = Set(DatabaseCheck.mounts(in: database).compactMap(storageBackend))
        if let finding = system.networkStorages(backends) { report.note(finding) }
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
