import CGIO

/// A value as D-Bus has them, as far as Segue needs them.
indirect enum BusVariant: Hashable, Sendable {
    case flag(Bool)
    case int32(Int32)
    case uint16(UInt16)
    case uint32(UInt32)
    case int64(Int64)
    case double(Double)
    case text(String)
    /// Names an object on the bus, as `/org/segue/queue/7` does.
    case path(String)
    /// The index of a descriptor that comes with the message.
    case handle(Int32)
    case texts([String])
    /// A list of texts as lists of bytes, as DNS has them.
    case records([String])
    /// A dictionary of names and values of any type (`a{sv}`).
    case dictionary([String: BusVariant])
    case tuple([BusVariant])
    /// A value of any type within another one (`v`).
    case variant(BusVariant)

    /// The item at an index of a tuple; nil when there is none.
    subscript(_ index: Int) -> BusVariant? {
        if case .tuple(let items) = self, items.indices.contains(index) { items[index] } else { nil }
    }

    /// The text, or the object's path, if it is one.
    var text: String? {
        switch self {
        case .text(let text), .path(let text): text
        default: nil
        }
    }

    var number: Int32? { if case .int32(let number) = self { number } else { nil } }
}

extension BusVariant {
    /// Makes GLib's value of it, which the call that it is given to uses up.
    func makeVariant() -> OpaquePointer? {
        switch self {
        case .flag(let value): g_variant_new_boolean(value ? 1 : 0)
        case .int32(let value): g_variant_new_int32(value)
        case .uint16(let value): g_variant_new_uint16(value)
        case .uint32(let value): g_variant_new_uint32(value)
        case .int64(let value): g_variant_new_int64(gint64(value))
        case .double(let value): g_variant_new_double(value)
        case .text(let value): g_variant_new_string(Self.plain(value))
        case .path(let value): g_variant_new_object_path(g_variant_is_object_path(value) != 0 ? value : "/")
        case .handle(let value): g_variant_new_handle(value)
        case .texts(let values): Self.array(of: "s", values.map { g_variant_new_string(Self.plain($0)) })
        case .records(let texts): Self.array(of: "ay", texts.map(Self.record))
        case .dictionary(let values):
            Self.array(
                of: "{sv}",
                values.sorted { $0.key < $1.key }.map { name, value in
                    g_variant_new_dict_entry(
                        g_variant_new_string(Self.plain(name)), g_variant_new_variant(value.makeVariant()))
                })
        case .tuple(let items): g_variant_new_tuple(items.map { $0.makeVariant() }, gsize(items.count))
        case .variant(let value): g_variant_new_variant(value.makeVariant())
        }
    }

    private static func plain(_ text: String) -> String { text.contains("\0") ? text.filter { $0 != "\0" } : text }

    private static func array(of type: String, _ items: [OpaquePointer?]) -> OpaquePointer? {
        let element = g_variant_type_new(type)
        defer { g_variant_type_free(element) }
        return g_variant_new_array(element, items, gsize(items.count))
    }

    private static func record(_ text: String) -> OpaquePointer? {
        let byte = g_variant_type_new("y")
        defer { g_variant_type_free(byte) }
        let utf8 = Array(text.utf8.prefix(255))
        return g_variant_new_fixed_array(byte, utf8, gsize(utf8.count), 1)
    }

    /// Reads GLib's value, which stays the caller's; nil for types that Segue has no use for.
    init?(_ value: OpaquePointer) {
        switch String(cString: g_variant_get_type_string(value)) {
        case "b": self = .flag(g_variant_get_boolean(value) != 0)
        case "i": self = .int32(g_variant_get_int32(value))
        case "q": self = .uint16(g_variant_get_uint16(value))
        case "u": self = .uint32(g_variant_get_uint32(value))
        case "x": self = .int64(Int64(g_variant_get_int64(value)))
        case "d": self = .double(g_variant_get_double(value))
        case "s": self = .text(String(cString: g_variant_get_string(value, nil)))
        case "o": self = .path(String(cString: g_variant_get_string(value, nil)))
        case "h": self = .handle(g_variant_get_handle(value))
        case "v":
            guard let inner = Self.children(of: value).first ?? nil else { return nil }
            self = .variant(inner)
        case let type where type.hasPrefix("("):
            self = .tuple(Self.children(of: value).map { $0 ?? .tuple([]) })
        default: return nil
        }
    }

    private static func children(of value: OpaquePointer) -> [BusVariant?] {
        (0..<g_variant_n_children(value)).map { index in
            guard let child = g_variant_get_child_value(value, index) else { return nil }
            defer { g_variant_unref(child) }
            return BusVariant(child)
        }
    }
}
