import Foundation
import MPDSessions
import MusicModel
import Outputs
package import SegueConfiguration

/// Checks the machine for a configuration.
package struct MachineChecks: Sendable {
    private let configuration: Configuration
    /// The checks of this machine.
    package let system: SystemChecks
    private var players: [String: [String]] = [:]

    /// Checks these places for a configuration.
    package init(
        _ configuration: Configuration,
        _ places: SystemPlaces = SystemPlaces(environment: ProcessInfo.processInfo.environment)
    ) { (self.configuration, system) = (configuration, SystemChecks(places)) }

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

/// The processes of this machine, as far as this user may see them.
struct ProcessTable: Sendable {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Which processes hold an open file for which `isMeant` is true, as `name (number)`, sorted; root sees those of
    /// others.
    func holders(where isMeant: (String) -> Bool) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name -> (Int, String)? in
            guard let number = Int(name) else { return nil }
            let folder = "\(path)/\(name)/fd"
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let holds = files.contains { file in
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")
                else { return false }
                return isMeant(target)
            }
            return holds ? (number, "\(self.name(of: number)) (process \(number))") : nil
        }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The text of a file, or nothing; the limit is far more than a table of all sockets takes.
    private static func text(of file: String) -> String {
        String(decoding: (try? RegularFile.read(file, upTo: 64 << 20)) ?? [], as: UTF8.self)
    }

    private func name(of process: Int) -> String {
        let text = Self.text(of: "\(path)/\(process)/comm")
        let name = text.prefix { $0 != "\n" }
        return name.isEmpty ? "a program" : String(name)
    }

    func listeningSockets(onPort port: Int) -> [String] {
        ["tcp", "tcp6"].flatMap { listeningSockets(onPort: port, in: $0) }
    }

    private func listeningSockets(onPort port: Int, in table: String) -> [String] {
        let text = Self.text(of: "\(path)/net/\(table)")
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            // Address and port in hexadecimal digits; 0A is LISTEN.
            guard fields.count > 9, fields[3] == "0A", let colon = fields[1].utf8.lastIndex(of: UInt8(ascii: ":")),
                Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { return nil }
            return String(fields[9])
        }
    }

    /// The program that takes connections on a port: nil when none does, empty when it is unknown.
    func holders(ofPort port: Int) -> [String]? {
        let sockets = Set(listeningSockets(onPort: port).map { "socket:[\($0)]" })
        guard !sockets.isEmpty else { return nil }
        return holders { sockets.contains($0) }
    }

    /// A limit of a process, such as `Max open files`: the soft and the hard one, in which nil is none.
    func limit(_ name: String, of process: String = "self") -> (soft: UInt64?, hard: UInt64?)? {
        let text = Self.text(of: "\(path)/\(process)/limits")
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        let fields = line.dropFirst(name.count).split(separator: " ")
        guard fields.count >= 2 else { return nil }
        return (UInt64(fields[0]), UInt64(fields[1]))
    }
}
