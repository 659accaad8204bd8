import Coordination
import Logging
import Supervision

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
