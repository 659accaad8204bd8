package import Foundation
import Outputs
package import SegueConfiguration
import StateFiles

/// Answers of other parts that the checks of the machine need.
package struct MachineProbes: Sendable {
    /// Whether other machines are told of anything.
    package var isAnnounced: Bool
    /// The address of the desktop session's bus; nil without a session.
    package var sessionBus: String?
    /// GIO's name of the scheme of a network storage, by its address; nil for any other mount.
    package var storageBackend: @Sendable (_ uri: String) -> String?
    /// Asks the server of the library for its time; nil when it doesn't answer, or there is none.
    package var serverTime: @Sendable () async -> Date?

    /// Gathers them.
    package init(
        isAnnounced: Bool, sessionBus: String?, storageBackend: @escaping @Sendable (_ uri: String) -> String?,
        serverTime: @escaping @Sendable () async -> Date?
    ) {
        (self.isAnnounced, self.sessionBus, self.serverTime) = (isAnnounced, sessionBus, serverTime)
        self.storageBackend = storageBackend
    }
}

/// Checks the machine for a configuration.
package struct MachineChecks: Sendable {
    private let configuration: Configuration
    private let probes: MachineProbes
    private let system: SystemChecks
    /// The programs that play on each sound card.
    private var players: [String: [String]] = [:]

    /// Checks these places for a configuration.
    package init(
        _ configuration: Configuration, _ probes: MachineProbes,
        _ places: SystemPlaces = SystemPlaces(environment: ProcessInfo.processInfo.environment)
    ) {
        (self.configuration, self.probes, system) = (configuration, probes, SystemChecks(places))
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

    private static func port(of address: ListenAddress) -> Int? {
        switch address {
        case .host(_, let port), .tls(_, let port): port
        case .unix: nil
        }
    }

    /// Everything else, as the user that runs Segue.
    package func run(_ report: inout CheckReport) async {
        for (type, name) in [(OutputSpecification.Kind.pulse, "pulse"), (.pipewire, "pipewire")] where uses(type) {
            report.note(system.soundServer(name))
        }
        let usesCards = uses(.alsa) || uses(.auto) && !system.hasSoundServer
        if usesCards { system.soundCards(heldBy: players).forEach { report.note($0) } }
        let findings =
            system.services(
                announces: probes.isAnnounced, needsDesktop: configuration.desktop.enabled,
                sessionBus: probes.sessionBus)
            + system.limits(clients: configuration.server.maxConnections, needsRealTime: usesCards)
        findings.forEach { report.note($0) }
        checkRoom(&report)
        let database = configuration.server.stateDirectory + "/segue.db"
        if let finding = DatabaseCheck.finding(at: database) { report.note(finding) }
        let backends = Set(DatabaseCheck.mounts(in: database).compactMap(probes.storageBackend))
        if let finding = system.networkStorages(backends) { report.note(finding) }
        await checkClock(&report)
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

    private func checkClock(_ report: inout CheckReport) async {
        // A server that doesn't answer has been named by the checks before.
        if let time = await probes.serverTime() {
            report.note(SystemChecks.clock(aheadOfServer: Date().timeIntervalSince(time)))
        }
    }
}
