import Coordination
import Extensions
import Foundation
import Logging
import MPDSessions
import Outputs
import SegueConfiguration
import Supervision

/// The `[zeroconf]` section: how the server is announced on the network.
struct ZeroconfSettings: ExtensionSection {
    static let name = "zeroconf"
    var isEnabled = true
    /// The name under which clients find it; `%h` is the machine's.
    var name = "Segue @ %h"

    /// Reads the keys; without the section the defaults apply.
    init?(reading section: inout SectionReader) {
        section.read("enabled", .flag, into: &isEnabled)
        section.read("name", .text("a name"), into: &name)
    }
}

/// A service of this machine, as others on the network see it.
struct Announcement: Hashable, Sendable {
    /// Its name, such as `Music in the kitchen`; at most 63 bytes of it are announced.
    var name: String
    /// Its kind, such as `_mpd._tcp`.
    var type: String
    var port: UInt16
    /// Other fields, each as `key=value`.
    var text: [String] = []

    /// Fills in a pattern of a name: `%h` is the machine's name, `%%` a percent sign.
    static func name(_ pattern: String, host: String) -> String {
        shortened(pattern.replacing(#/%([h%])/#) { $0.1 == "h" ? host : "%" })
    }

    /// The beginning of a name that fits into DNS, without a part of a character at its end.
    static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > 63 { short.removeLast() }
        return short
    }

    /// The services that others on the network can find here: the server, its page, and outputs that serve their sound.
    static func all(_ configuration: Configuration, version: String, of server: StartedServer) -> [Announcement] {
        guard let settings = configuration[ZeroconfSettings.self], settings.isEnabled else { return [] }
        let name = Self.name(settings.name, host: ProcessInfo.processInfo.hostName)
        let servers = server.ports.compactMap(UInt16.init(exactly:)).map {
            Announcement(name: name, type: "_mpd._tcp", port: $0, text: ["server=Segue \(version)"])
        }
        let pages = server.pagePorts.compactMap(UInt16.init(exactly:)).map { page(name, port: $0) }
        let streams = configuration.outputs.filter(\.isServedToOtherMachines).compactMap { output in
            // A port that the system chooses isn't known here.
            UInt16(exactly: output.httpd.port).flatMap { $0 > 0 ? page("\(output.name) - \(name)", port: $0) : nil }
        }
        return servers + pages + streams
    }

    private static func page(_ name: String, port: UInt16) -> Announcement {
        Announcement(name: name, type: "_http._tcp", port: port, text: ["path=/"])
    }
}

/// Announces services on the network by Avahi, so that clients find them. Without Avahi nothing happens, and nothing
/// wakes up; a bus that is not there is tried again, less and less often. When Avahi or the bus comes back, services
/// are announced again; when a name is taken, they get another one that Avahi suggests.
struct Announcer: Sendable {
    private let announcements: [Announcement]
    private let log: Logger

    init(_ announcements: [Announcement], log: Logger) { (self.announcements, self.log) = (announcements, log) }

    /// Announces the services until the task is cancelled, on a thread that sleeps unless D-Bus has something to tell.
    func run() async {
        guard !announcements.isEmpty else { return }
        let loop = BusLoop()
        let (announcements, log) = (announcements, log)
        let isStarted = await untilCancelled(by: { loop.start("zeroconf", $0) }, end: loop.end) {
            let client = AvahiClient(announcements, loop: loop, log: log)
            client.connect()
            loop.run()
            client.disconnect()
        }
        if !isStarted { log.warning("Services are not announced: \(BlockingThread.missing)") }
    }
}

extension Configuration {
    /// True where there is anything that other machines reach, and are told of.
    var isAnnounced: Bool {
        let isReachable = (server.listen + web.listen).contains { address in
            if case .tcp = address { address.isReachableFromOutside } else { false }
        }
        return self[ZeroconfSettings.self]?.isEnabled == true
            && (isReachable || outputs.contains(where: \.isServedToOtherMachines))
    }
}

extension OutputSpecification {
    /// True where clients of other machines can fetch its sound.
    fileprivate var isServedToOtherMachines: Bool {
        guard type == .httpd, let address = httpd.address else { return type == .httpd }
        return !address.hasPrefix("127.") && address != "::1" && address != "localhost"
    }
}
