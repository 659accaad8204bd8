import CGIO

/// An object that others on the bus can call.
///
/// - Isolation: the thread of the connection's loop.
package protocol BusObject: AnyObject {
    /// Calls a method.
    ///
    /// - Returns: what it answers, one value for each of the method's results.
    func call(_ interface: String, _ method: String, _ arguments: BusVariant) throws(BusFailure) -> [BusVariant]
    /// The value of a property; nil when there is none of that name.
    func value(of property: String, in interface: String) -> BusVariant?
    /// Sets a property, or refuses a value that it can't have.
    func set(_ property: String, in interface: String, to value: BusVariant) throws(BusFailure)
}

extension BusConnection {
    /// Lets others call an object.
    ///
    /// - Parameter description: the object's interfaces as D-Bus's introspection describes them in XML; what it does
    /// not   name is refused before it reaches the object.
    package func export(_ object: any BusObject, at path: String, description: String) throws(BusFailure) {
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
    package func withdraw() {
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

/// The object that GIO holds for an exported one, and frees when it is no longer exported.
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
