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

/// Keeps services announced by Avahi over D-Bus, while Avahi comes and goes.
/// - Isolation: the thread of a `BusLoop`.
final class AvahiClient {
    private static let avahi = "org.freedesktop.Avahi"
    private static let serverInterface = "org.freedesktop.Avahi.Server"
    private static let groupInterface = "org.freedesktop.Avahi.EntryGroup"
    /// Avahi's numbers: the states of its server, and of a group of entries.
    private static let (serverIsRunning, groupCollides, groupFailed): (Int32, Int32, Int32) = (2, 3, 4)
    private static let maxNames = 20

    /// Between attempts to reach a bus: one that has gone away comes back soon, one that was never there may not be
    /// meant to be.
    private static let (retries, retriesAtFirst) = (
        Backoff(.seconds(1) ... .seconds(60)), Backoff(.seconds(1) ... .seconds(600))
    )

    private let log: Logger
    private let loop: BusLoop
    private var bus: BusConnection?
    private var failures = 0
    private var wasThere = false
    private var services: [Service]
    /// True once the log has been told that the bus forbids calls to Avahi.
    private var isRefusalKnown = false

    private struct Service {
        let wanted: Announcement
        /// The name that is announced; another one after a collision.
        var name: String
        /// The object that holds its entries; nil while there is none.
        var group: String?
        var subscription: UInt32?
        var namesTried = 0
    }

    init(_ announcements: [Announcement], loop: BusLoop, log: Logger) {
        (self.log, self.loop) = (log, loop)
        services = announcements.map { Service(wanted: $0, name: Announcement.shortened($0.name)) }
    }

    func connect() {
        do {
            let bus = try BusConnection(.system)
            self.bus = bus
            if wasThere { log.notice("the system's bus is back") }
            (wasThere, failures) = (true, 0)
            bus.whenLost { [weak self] in self?.lost() }
            _ = bus.listen(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                first: Self.avahi
            ) { [weak self] arguments in
                guard let self else { return }
                let isThere = arguments[2]?.text?.isEmpty == false
                isThere ? announceAll() : forgetAll()
            }
            _ = bus.listen(Self.avahi, "/", Self.serverInterface, "StateChanged") { [weak self] arguments in
                guard let self else { return }
                // The machine's own name was taken, or is free again: Avahi wants all entries again.
                let isRunning = arguments[0]?.number == Self.serverIsRunning
                if isRunning { announceAll() } else { services.indices.forEach(withdraw) }
            }
            announceAll()
        } catch {
            log.debug("Services are not announced: there is no system bus (\(error.message))")
            tryAgain()
        }
    }

    func disconnect() { bus = nil }

    /// The bus has gone away, and with it all entries: it is tried again, less and less often.
    private func lost() {
        log.warning("The system bus has disappeared; services are not announced until it is back")
        for index in services.indices { (services[index].group, services[index].subscription) = (nil, nil) }
        tryAgain()
    }

    private func tryAgain() {
        failures += 1
        let retries = wasThere ? Self.retries : Self.retriesAtFirst
        loop.after(retries.pause(after: failures)) { [weak self] in
            self?.bus = nil
            self?.connect()
        }
    }

    private func announceAll() {
        // Avahi tells when it is ready; without it there is nothing to do until it comes.
        guard let bus, isReady(bus) else { return }
        for index in services.indices { announce(index) }
    }

    /// True if Avahi is there and takes entries. The log is told, once, that it may not be asked.
    private func isReady(_ bus: BusConnection) -> Bool {
        do throws(BusFailure) {
            return try bus.call(Self.avahi, "/", Self.serverInterface, "GetState")[0]?.number == Self.serverIsRunning
        } catch {
            guard error.name == "org.freedesktop.DBus.Error.AccessDenied", !isRefusalKnown else { return false }
            isRefusalKnown = true
            log.warning(
                """
                Services are not announced: the system bus doesn't let this user talk to Avahi. Allow it in the bus's \
                policy, or set enabled = false under [zeroconf]
                """)
            return false
        }
    }

    private func announce(_ index: Int) {
        guard let bus else { return }
        withdraw(index)
        do throws(BusFailure) {
            let path = try bus.call(Self.avahi, "/", Self.serverInterface, "EntryGroupNew")[0]?.text
            guard let path else { throw BusFailure(name: nil, message: "Avahi's answer has no path") }
            services[index].group = path
            services[index].subscription = bus.listen(Self.avahi, path, Self.groupInterface, "StateChanged") {
                [weak self] arguments in
                self?.changed(index, state: arguments[0]?.number, why: arguments[1]?.text)
            }
            try add(index, to: path, bus)
        } catch { failed(index, error) }
    }

    private func add(_ index: Int, to path: String, _ bus: BusConnection) throws(BusFailure) {
        let service = services[index]
        // Every interface and every protocol, in the usual domain and under the machine's own name.
        let arguments: [BusVariant] = [
            .int32(-1), .int32(-1), .uint32(0), .text(service.name), .text(service.wanted.type), .text(""), .text(""),
            .uint16(service.wanted.port), .records(service.wanted.text),
        ]
        try bus.call(Self.avahi, path, Self.groupInterface, "AddService", arguments)
        try bus.call(Self.avahi, path, Self.groupInterface, "Commit")
        log.info("announced", metadata: ["name": "\(service.name)", "type": "\(service.wanted.type)"])
    }

    private func changed(_ index: Int, state: Int32?, why: String?) {
        if state == Self.groupCollides { return rename(index) }
        guard state == Self.groupFailed else { return }
        log.warning("\"\(services[index].name)\" can't be announced: \(why ?? "Avahi doesn't say why")")
    }

    private func failed(_ index: Int, _ failure: BusFailure) {
        if failure.name == "org.freedesktop.Avahi.CollisionError" { return rename(index) }
        withdraw(index)
        log.warning("\"\(services[index].name)\" can't be announced: \(failure.message)")
    }

    private func rename(_ index: Int) {
        guard let bus else { return }
        guard services[index].namesTried < Self.maxNames else {
            log.warning(
                """
                "\(services[index].wanted.name)" is not announced: \(Self.maxNames) names like it are taken. Choose \
                another name under [zeroconf]
                """)
            return withdraw(index)
        }
        services[index].namesTried += 1
        let arguments = [BusVariant.text(services[index].name)]
        guard
            let name = try? bus.call(
                Self.avahi, "/", Self.serverInterface, "GetAlternativeServiceName", arguments
            )[0]?.text
        else { return withdraw(index) }
        log.notice("the name \"\(services[index].name)\" is taken; announced as \"\(name)\"")
        services[index].name = name
        announce(index)
    }

    private func withdraw(_ index: Int) {
        guard let path = services[index].group else { return }
        forget(index)
        _ = try? bus?.call(Self.avahi, path, Self.groupInterface, "Free")
    }

    /// Avahi went away, and with it all entries; the names are tried again when it is back.
    private func forgetAll() {
        for index in services.indices {
            forget(index)
            services[index].name = Announcement.shortened(services[index].wanted.name)
            services[index].namesTried = 0
        }
    }

    private func forget(_ index: Int) {
        if let subscription = services[index].subscription { bus?.ignore(subscription) }
        (services[index].group, services[index].subscription) = (nil, nil)
    }
}
