import CGIO
import Foundation
import Supervision

/// The error of a call on the bus.
struct BusFailure: Error, Hashable {
    /// The error's name on the bus, such as `org.freedesktop.Avahi.CollisionError`; nil when it is GIO's own.
    let name: String?
    let message: String
}

/// A connection of our own to a bus.
/// - Isolation: the thread whose loop gets its events.
final class BusConnection {
    typealias Handler = (BusVariant) -> Void

    /// The bus of the machine's services, or of a person's desktop.
    enum Bus: Sendable { case system, session }

    let connection: OpaquePointer
    var exports: [UInt32] = []
    private final class Subscriber {
        let handler: Handler
        init(_ handler: @escaping Handler) { self.handler = handler }
    }

    init(_ bus: Bus) throws(BusFailure) {
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

    /// Calls `body` when the bus has gone away; the connection may not be freed before `body` returns.
    func whenLost(_ body: @escaping () -> Void) {
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

    func close() { g_dbus_connection_close_sync(connection, nil, nil) }

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

    @discardableResult
    func call(
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

    /// Calls a method that answers with a descriptor, which is the caller's to close.
    func descriptor(
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
        defer { if let list { g_object_unref(list) } }
        guard let list, case .handle(let index)? = BusVariant(answer)?[0] else {
            throw BusFailure(name: nil, message: "the answer has no descriptor")
        }
        let descriptor = g_unix_fd_list_get(list, index, &error)
        guard descriptor >= 0 else { throw BusFailure(taking: error) }
        return descriptor
    }

    /// Calls `handler` on each signal of an object whose first argument is this, until the connection ends or `ignore`
    /// gets the returned number.
    func listen(
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
            { data in if let data { Unmanaged<Subscriber>.fromOpaque(data).release() } })
    }

    func ignore(_ subscription: UInt32) { g_dbus_connection_signal_unsubscribe(connection, subscription) }

    /// Asks for a name without waiting for one that is taken; true if the connection has it now.
    func own(_ name: String) throws(BusFailure) -> Bool {
        let (doNotQueue, isOwner): (UInt32, UInt32) = (4, 1)
        let answer = try call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.text(name), .uint32(doNotQueue)])
        return answer[0] == .uint32(isOwner)
    }

    func emit(_ path: String, _ interface: String, _ signal: String, _ arguments: [BusVariant]) {
        // It fails only when the connection has ended, and then nothing listens.
        g_dbus_connection_emit_signal(
            connection, nil, path, interface, signal, BusVariant.tuple(arguments).makeVariant(), nil)
    }
}

extension BusFailure {
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

/// An object that others on the bus can call.
/// - Isolation: the thread of the connection's loop.
protocol BusObject: AnyObject {
    /// Calls a method, and answers with a value for each of its results.
    func call(_ interface: String, _ method: String, _ arguments: BusVariant) throws(BusFailure) -> [BusVariant]
    /// The value of a property; nil when there is none of that name.
    func value(of property: String, in interface: String) -> BusVariant?
    func set(_ property: String, in interface: String, to value: BusVariant) throws(BusFailure)
}

extension BusConnection {
    /// Lets others call an object. Introspection's XML describes its interfaces; the bus refuses what it does not name.
    func export(_ object: any BusObject, at path: String, description: String) throws(BusFailure) {
        var error: UnsafeMutablePointer<GError>?
        guard let node = g_dbus_node_info_new_for_xml(description, &error) else { throw BusFailure(taking: error) }
        defer { g_dbus_node_info_unref(node) }
        var vtable = Self.calls
        var interfaces = node.pointee.interfaces
        while let interface = interfaces?.pointee {
            let registered = g_dbus_connection_register_object(
                connection, path, interface, &vtable, Unmanaged.passRetained(Export(object)).toOpaque(),
                { data in if let data { Unmanaged<Export>.fromOpaque(data).release() } }, &error)
            guard registered != 0 else { throw BusFailure(taking: error) }
            exports.append(registered)
            interfaces = interfaces?.successor()
        }
    }

    /// Takes the objects back: they can't be called any more, and the connection no longer holds them.
    func withdraw() {
        for export in exports { g_dbus_connection_unregister_object(connection, export) }
        exports = []
    }

    private static var calls: GDBusInterfaceVTable {
        var vtable = GDBusInterfaceVTable()
        vtable.method_call = { _, _, _, interface, method, arguments, invocation, data in
            guard let object = exported(data), let interface, let method, let arguments, let invocation else { return }
            do throws(BusFailure) {
                let answer = try object.call(
                    String(cString: interface), String(cString: method), BusVariant(arguments) ?? .tuple([]))
                g_dbus_method_invocation_return_value(invocation, BusVariant.tuple(answer).makeVariant())
            } catch {
                g_dbus_method_invocation_return_dbus_error(
                    invocation, error.name ?? "org.freedesktop.DBus.Error.Failed", error.message)
            }
        }
        vtable.get_property = { _, _, _, interface, property, error, data in
            guard let object = exported(data), let interface, let property else { return nil }
            let name = String(cString: property)
            if let value = object.value(of: name, in: String(cString: interface)) { return value.makeVariant() }
            report("There is no value for \(name).", in: error)
            return nil
        }
        vtable.set_property = { _, _, _, interface, property, value, error, data in
            guard let object = exported(data), let interface, let property, let value else { return 0 }
            guard let wanted = BusVariant(value) else {
                report("The value has the wrong type.", in: error)
                return 0
            }
            do throws(BusFailure) {
                try object.set(String(cString: property), in: String(cString: interface), to: wanted)
                return 1
            } catch let failure {
                report(failure.message, in: error)
                return 0
            }
        }
        return vtable
    }
}

private final class Export {
    let object: any BusObject
    init(_ object: any BusObject) { self.object = object }
}

private func exported(_ data: UnsafeMutableRawPointer?) -> (any BusObject)? {
    data.map { Unmanaged<Export>.fromOpaque($0).takeUnretainedValue().object }
}

private func report(_ message: String, in error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?) {
    error?.pointee = g_error_new_literal(g_dbus_error_quark(), Int32(G_DBUS_ERROR_FAILED.rawValue), message)
}
