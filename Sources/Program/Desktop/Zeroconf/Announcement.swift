/// A service of this machine, as others on the network see it.
package struct Announcement: Hashable, Sendable {
    /// Its name, such as `Music in the kitchen`; at most 63 bytes of it are announced.
    package var name: String
    /// Its kind, such as `_mpd._tcp`.
    package var type: String
    /// The TCP port where it is found.
    package var port: UInt16
    /// Other fields, each as `key=value`.
    package var text: [String]

    /// Describes a service.
    package init(name: String, type: String, port: UInt16, text: [String] = []) {
        self.name = name
        self.type = type
        self.port = port
        self.text = text
    }

    /// Fills in a pattern of a name: `%h` is the machine's name, `%%` a percent sign.
    package static func name(_ pattern: String, host: String) -> String {
        var name = ""
        var rest = Substring(pattern)
        while let sign = rest.firstIndex(of: "%") {
            name += rest[..<sign]
            rest = rest[rest.index(after: sign)...]
            switch rest.first {
            case "h": name += host
            case "%": name += "%"
            default:
                name += "%"
                continue
            }
            rest = rest.dropFirst()
        }
        return shortened(name + rest)
    }

    /// The beginning of a name that fits into DNS, without a part of a character at its end.
    static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > 63 { short.removeLast() }
        return short
    }
}
