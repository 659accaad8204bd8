import Foundation
import Coordination
import MusicModel

/// The address of a folder on another machine, with the login that is in it.
struct StorageAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    struct Login: Hashable, Sendable {
        var domain: String?
        var user: String?
        var password: String?
    }

    /// Schemes with GIO's names for them. MPD means WebDAV by the web's schemes. FTP is not among them: GVfs reads its
    /// files from the beginning to the end alone, and songs are also read elsewhere.
    private static let schemes = [
        "smb": "smb", "nfs": "nfs", "dav": "dav", "davs": "davs", "http": "dav", "https": "davs", "sftp": "sftp",
    ]
    private static let maxLength = 4096

    let scheme: String
    /// Host and port.
    private let place: String
    /// The path in percent-encoding, beginning with a slash and without one at its end.
    private let path: String
    let login: Login
    /// The address as it was written, a secret.
    let uri: String

    /// Reads an address; nil for one that names no network storage.
    /// - Parameter uri: a URI, in which the path may have spaces and letters as they are.
    init?(_ uri: String) {
        guard uri.utf8.count <= Self.maxLength, !uri.unicodeScalars.contains(where: { $0.properties.isControl }),
            let colon = uri.range(of: "://")
        else { return nil }
        let scheme = uri[..<colon.lowerBound].lowercased()
        guard Self.schemes[scheme] != nil else { return nil }
        let rest = uri[colon.upperBound...]
        // Bytes: a slash with an accent behind it is another character.
        let authority = Substring(rest.utf8.prefix { !"/?#\\".utf8.contains($0) })
        // A password may have an @ of its own: the last one ends it.
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        let host = at.map { authority[authority.utf8.index(after: $0)...] } ?? authority
        guard let place = Self.place(host), let path = Self.path(rest[authority.endIndex...]) else { return nil }
        guard let login = at.map({ Login(authority[..<$0]) }) ?? Login() else { return nil }
        (self.scheme, self.place, self.path, self.login, self.uri) = (scheme, place, path, login, uri)
    }

    var backend: String { Self.schemes[scheme] ?? scheme }
    /// The address without its login, as everything outside of the program may see it.
    var shown: String { "\(scheme)://\(place)\(path)" }
    var description: String { shown }
    /// Nothing but that, so that `dump` shows no password.
    var customMirror: Mirror { Mirror(self, children: ["shown": shown]) }

    /// The address for GIO: with the user and without the password, which it asks for.
    var location: String {
        var user = login.user.map { Self.encoded($0) } ?? ""
        if backend == "smb", let domain = login.domain { user = "\(Self.encoded(domain));\(user)" }
        return "\(backend)://\(user.isEmpty ? "" : user + "@")\(place)\(path.isEmpty ? "/" : path)"
    }

    /// The volume that the storage is a part of.
    /// - Source: gvfs 1.50 daemon/gvfsbackendsftp.c, gvfsbackendsmb.c, gvfsbackenddav.c,
    ///   gvfsbackendnfs.c. Those of NFS and WebDAV may be smaller, which no address tells.
    var volume: StorageVolume {
        let standard = Self.ports[backend].map { ":\($0)" } ?? ""
        return StorageVolume(
            backend: backend, place: place.hasSuffix(standard) ? String(place.dropLast(standard.count)) : place,
            user: login.user, domain: backend == "smb" ? login.domain : nil,
            share: backend == "smb" ? path.pathParts.first?.lowercased() : nil)
    }

    private static let ports = ["smb": 445, "nfs": 2049, "dav": 80, "davs": 443, "sftp": 22]

    /// A name for the storage's files: readable, and another one for every storage.
    var fileName: String {
        var hash = FNV1a()
        hash.combine(shown)
        let readable = shown.unicodeScalars.prefix(80).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == ".")
                ? String(scalar) : "-"
        }
        return readable.joined().split(separator: "-").joined(separator: "-")
            + "-" + String(hash.value, radix: 16)
    }

    /// Takes the password out of a sentence, in case a server repeats it.
    func withoutPassword(_ text: String) -> String {
        guard let password = login.password, password.utf8.count > 2 else { return text }
        return text.replacing(password, with: "…")
    }

    private static func place(_ text: Substring) -> String? {
        var (host, port) = (text, Substring())
        // The colons of an IPv6 address stand in brackets.
        if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text[colon...].contains("]") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
            guard let number = UInt16(port), number > 0 else { return nil }
        }
        let isPlain = host.utf8.allSatisfy { byte in
            byte >= 0x80 || "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_[]:%".utf8.contains(byte)
        }
        guard !host.isEmpty, host.utf8.count <= 255, isPlain else { return nil }
        return host.lowercased() + (port.isEmpty ? "" : ":\(port)")
    }

    private static func path(_ text: Substring) -> String? {
        guard !text.utf8.contains(where: { "?#\\".utf8.contains($0) }),
            let decoded = String(text).removingPercentEncoding
        else {
            return nil
        }
        let parts = decoded.pathParts
        guard !parts.contains(".."), !parts.contains("."),
            !decoded.unicodeScalars.contains(where: { $0.properties.isControl })
        else { return nil }
        return parts.map { "/" + encoded(String($0)) }.joined()
    }

    fileprivate static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_~")
}

/// The part of a server that GVfs mounts and unmounts as one, whatever folders of it are asked for.
struct StorageVolume: Hashable, Sendable {
    let backend: String
    /// Host and port; a usual port is left out.
    let place: String
    let user: String?
    let domain: String?
    /// The share of a server of smb.
    let share: String?
}

extension StorageAddress.Login {
    /// Reads what stands before the host; nil for what is no text.
    fileprivate init?(_ text: Substring) {
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        guard let name = String(text[..<(colon ?? text.endIndex)]).removingPercentEncoding else { return nil }
        let parts = name.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { domain = String(parts[0]) }
        user = parts.last.flatMap { $0.isEmpty ? nil : String($0) }
        if let colon {
            let rest = String(text[text.utf8.index(after: colon)...])
            guard let decoded = rest.removingPercentEncoding else { return nil }
            password = decoded
        }
        let hasControls = [domain, user, password].compactMap { $0 }.contains { part in
            part.unicodeScalars.contains { $0.properties.isControl }
        }
        if hasControls { return nil }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}
