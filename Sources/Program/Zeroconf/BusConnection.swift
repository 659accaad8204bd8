import CGIO

/// What went wrong with a call on the bus.
struct BusFailure: Error {
    /// The error's name on the bus, such as `org.freedesktop.Avahi.CollisionError`; nil when it is GIO's own.
    let name: String?
    /// What it says.
    let message: String
}

/// A connection of our own to the system's bus.
///
/// - Isolation: the thread whose loop gets its news.
final class BusConnection {
    /// Called with a signal's arguments.
    typealias Handler = (OpaquePointer) -> Void

    private let connection: OpaquePointer
    /// What GIO calls; freed when it has dropped the subscription.
    private final class Subscriber {
        let handler: Handler
        init(_ handler: @escaping Handler) { self.handler = handler }
    }

    /// Connects to the system's bus.
    ///
    /// - Throws: `BusFailure` when there is none.
    init() throws(BusFailure) {
        var error: UnsafeMutablePointer<GError>?
        guard let address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, &error) else {
            throw BusFailure(taking: error)
        }
        defer { g_free(address) }
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let made = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, &error) else {
            throw BusFailure(taking: error)
        }
        connection = made
        g_dbus_connection_set_exit_on_close(made, 0)
    }

    deinit {
        g_dbus_connection_close_sync(connection, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// How long an answer is waited for, in milliseconds.
    private static let patience: Int32 = 5000

    /// Calls a method and waits for its answer.
    ///
    /// - Parameter arguments: is used up.
    /// - Returns: the answer's tuple, the caller's to free.
    @discardableResult
    func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: OpaquePointer? = nil
    ) throws(BusFailure) -> BusValue {
        var error: UnsafeMutablePointer<GError>?
        guard
            let answer = g_dbus_connection_call_sync(
                connection, destination, path, interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NONE, Self.patience,
                nil, &error)
        else { throw BusFailure(taking: error) }
        return BusValue(answer)
    }

    /// Calls `handler` on each signal of an object, until the connection ends or `ignore`.
    func listen(
        _ sender: String?, _ path: String?, _ interface: String, _ signal: String, first argument: String? = nil,
        _ handler: @escaping Handler
    ) -> UInt32 {
        let subscriber = Unmanaged.passRetained(Subscriber(handler))
        return g_dbus_connection_signal_subscribe(
            connection, sender, interface, signal, path, argument, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, arguments, data in
                guard let arguments, let data else { return }
                Unmanaged<Subscriber>.fromOpaque(data).takeUnretainedValue().handler(arguments)
            }, subscriber.toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<Subscriber>.fromOpaque(data).release()
            })
    }

    /// Ends a subscription.
    func ignore(_ subscription: UInt32) { g_dbus_connection_signal_unsubscribe(connection, subscription) }
}

/// A value from the bus, freed with the last reference.
final class BusValue {
    private let value: OpaquePointer

    /// Takes over a reference.
    init(_ value: OpaquePointer) { self.value = value }

    deinit { g_variant_unref(value) }

    /// The text at an index of a tuple; nil when there is none.
    func text(at index: Int) -> String? { Self.text(in: value, at: index) }

    /// The text at an index of a tuple that somebody else owns.
    static func text(in tuple: OpaquePointer, at index: Int) -> String? {
        child(of: tuple, at: index) { item in
            let type = String(cString: g_variant_get_type_string(item))
            guard ["s", "o"].contains(type) else { return nil }
            return String(cString: g_variant_get_string(item, nil))
        }
    }

    /// The 32-bit number at an index of a tuple.
    static func number(in tuple: OpaquePointer, at index: Int) -> Int32? {
        child(of: tuple, at: index) { item in
            String(cString: g_variant_get_type_string(item)) == "i" ? g_variant_get_int32(item) : nil
        }
    }

    /// The number at an index of a tuple.
    func number(at index: Int) -> Int32? { Self.number(in: value, at: index) }

    private static func child<Value>(of tuple: OpaquePointer, at index: Int, _ read: (OpaquePointer) -> Value?)
        -> Value?
    {
        guard g_variant_type_is_tuple(g_variant_get_type(tuple)) != 0, index < g_variant_n_children(tuple),
            let item = g_variant_get_child_value(tuple, gsize(index))
        else { return nil }
        defer { g_variant_unref(item) }
        return read(item)
    }

    /// A tuple to send; the items are used up.
    static func tuple(_ items: [OpaquePointer?]) -> OpaquePointer? { g_variant_new_tuple(items, gsize(items.count)) }

    /// A list of texts as lists of bytes, as DNS has them.
    static func records(_ texts: [String]) -> OpaquePointer? {
        let bytes = g_variant_type_new("ay")
        defer { g_variant_type_free(bytes) }
        let byte = g_variant_type_new("y")
        defer { g_variant_type_free(byte) }
        let items: [OpaquePointer?] = texts.map { text in
            let utf8 = Array(text.utf8.prefix(255))
            return g_variant_new_fixed_array(byte, utf8, gsize(utf8.count), 1)
        }
        return g_variant_new_array(bytes, items, gsize(items.count))
    }
}

extension BusFailure {
    /// Reads GIO's error and frees it.
    fileprivate init(taking error: UnsafeMutablePointer<GError>?) {
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
