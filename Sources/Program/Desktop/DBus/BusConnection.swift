import CGIO
import Foundation
import Supervision

/// The error of a call on the bus.
package struct BusFailure: Error, Hashable {
    /// The error's name on the bus, such as `org.freedesktop.Avahi.CollisionError`; nil when it is GIO's own.
    package let name: String?
    /// A sentence in the words of the bus, for the log.
    package let message: String

    /// Makes a failure; one without a name can't be answered to others.
    package init(name: String?, message: String) {
        self.name = name
        self.message = message
    }
}

/// A connection of our own to a bus.
///
/// - Isolation: the thread whose loop gets its events.
package final class BusConnection {
    /// Called with a signal's arguments.
    package typealias Handler = (BusVariant) -> Void

    /// Which bus is meant.
    package enum Bus: Sendable {
        /// The bus of the machine's services.
        case system
        /// The bus of a person's desktop.
        case session
    }

    let connection: OpaquePointer
    /// GIO's numbers of what is exported.
    var exports: [UInt32] = []
    /// The object that GIO calls; freed when GIO gives the subscription up.
    private final class Subscriber {
        let handler: Handler
        init(_ handler: @escaping Handler) { self.handler = handler }
    }

    /// Connects to a bus.
    ///
    /// - Throws: `BusFailure` when there is none.
    package init(_ bus: Bus) throws(BusFailure) {
        let address = try Self.address(of: bus)
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        var error: UnsafeMutablePointer<GError>?
        guard let made = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, &error) else {
            throw BusFailure(taking: error)
        }
        connection = made
        g_dbus_connection_set_exit_on_close(made, 0)
    }

    /// Calls `body` when the bus has gone away, on the thread whose loop gets the connection's events. The connection can't
    /// be used then; it may not be freed before `body` returns.
    package func whenLost(_ body: @escaping () -> Void) {
        let closed: @convention(c) (OpaquePointer?, gboolean, UnsafePointer<GError>?, gpointer?) -> Void = {
            _, hasVanished, _, data in
            guard hasVanished != 0, let data else { return }
            Unmanaged<Subscriber>.fromOpaque(data).takeUnretainedValue().handler(.tuple([]))
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(closed, to: GCallback.self),
            Unmanaged.passRetained(Subscriber { _ in body() }).toOpaque(),
            { data, _ in if let data { Unmanaged<Subscriber>.fromOpaque(data).release() } }, GConnectFlags(rawValue: 0))
    }

    /// Ends the connection, and with it its names.
    package func close() { g_dbus_connection_close_sync(connection, nil, nil) }

    deinit {
        close()
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// GLib would start a session's bus where there is none; Segue only uses what is there.
    private static func address(of bus: Bus) throws(BusFailure) -> String {
        if bus == .session {
            guard let address = SessionBus.address(ProcessInfo.processInfo.environment) else {
                throw BusFailure(name: nil, message: "this process belongs to no desktop session")
            }
            return address
        }
        var error: UnsafeMutablePointer<GError>?
        guard let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, &error) else {
            throw BusFailure(taking: error)
        }
        defer { g_free(address) }
        return String(cString: address)
    }

    /// How long an answer is waited for, in milliseconds.
    private static let patience: Int32 = 5000

    /// Calls a method and waits for its answer.
    @discardableResult
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusVariant] = []
    ) throws(BusFailure) -> BusVariant {
        var error: UnsafeMutablePointer<GError>?
        guard
            let answer = g_dbus_connection_call_sync(
                connection, destination, path, interface, method, BusVariant.tuple(arguments).makeVariant(), nil,
                G_DBUS_CALL_FLAGS_NONE, Self.patience, nil, &error)
        else { throw BusFailure(taking: error) }
        defer { g_variant_unref(answer) }
        return BusVariant(answer) ?? .tuple([])
    }

    /// Calls a method that answers with a descriptor.
    ///
    /// - Returns: the descriptor, the caller's to close.
    package func descriptor(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusVariant]
    ) throws(BusFailure) -> Int32 {
        var error: UnsafeMutablePointer<GError>?
        var list: UnsafeMutablePointer<GUnixFDList>?
        guard
            let answer = g_dbus_connection_call_with_unix_fd_list_sync(
                connection, destination, path, interface, method, BusVariant.tuple(arguments).makeVariant(), nil,
                G_DBUS_CALL_FLAGS_NONE, Self.patience, nil, &list, nil, &error)
        else { throw BusFailure(taking: error) }
        defer { g_variant_unref(answer) }
        guard let list else { throw BusFailure(name: nil, message: "the answer has no descriptor") }
        defer { g_object_unref(list) }
        guard case .handle(let index)? = BusVariant(answer)?[0] else {
            throw BusFailure(name: nil, message: "the answer has no descriptor")
        }
        let descriptor = g_unix_fd_list_get(list, index, &error)
        guard descriptor >= 0 else { throw BusFailure(taking: error) }
        return descriptor
    }

    /// Calls `handler` on each signal of an object, until the connection ends or `ignore`.
    ///
    /// - Parameter argument: only signals whose first argument is this.
    /// - Returns: what `ignore` takes.
    package func listen(
        _ sender: String?, _ path: String?, _ interface: String, _ signal: String, first argument: String? = nil,
        _ handler: @escaping Handler
    ) -> UInt32 {
        let subscriber = Unmanaged.passRetained(Subscriber(handler))
        return g_dbus_connection_signal_subscribe(
            connection, sender, interface, signal, path, argument, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, arguments, data in
                guard let arguments, let data else { return }
                let subscriber = Unmanaged<Subscriber>.fromOpaque(data).takeUnretainedValue()
                subscriber.handler(BusVariant(arguments) ?? .tuple([]))
            }, subscriber.toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<Subscriber>.fromOpaque(data).release()
            })
    }

    /// Ends a subscription.
    package func ignore(_ subscription: UInt32) { g_dbus_connection_signal_unsubscribe(connection, subscription) }

    /// Asks for a name without waiting for one that is taken.
    ///
    /// - Returns: whether the connection has the name now.
    package func own(_ name: String) throws(BusFailure) -> Bool {
        let (doNotQueue, isOwner): (UInt32, UInt32) = (4, 1)
        let answer = try call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.text(name), .uint32(doNotQueue)])
        return answer[0] == .uint32(isOwner)
    }

    /// Sends a signal to everyone who listens.
    package func emit(_ path: String, _ interface: String, _ signal: String, _ arguments: [BusVariant]) {
        // It fails only when the connection has ended, and then nothing listens.
        g_dbus_connection_emit_signal(
            connection, nil, path, interface, signal, BusVariant.tuple(arguments).makeVariant(), nil)
    }
}

extension BusFailure {
    /// Reads GIO's error and frees it.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self.init(name: nil, message: "unknown error")
            return
        }
        defer { g_error_free(error) }
        let name = g_dbus_error_get_remote_error(error)
        defer { g_free(name) }
        g_dbus_error_strip_remote_error(error)
        self.init(name: name.map { String(cString: $0) }, message: String(cString: error.pointee.message))
    }
}
