/// Addresses of streams, which may hold a login.
package enum StreamURL {
    /// A stream's URL without user name and password, as everything outside of the program may see it.
    /// - Source: MPD v0.24.13 src/util/UriUtil.cxx `uri_remove_auth`.
    package static func withoutCredentials(_ url: String) -> String {
        // Bytes: an accent that combines with a delimiter would hide it from a search in characters.
        let bytes = url.utf8
        guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else { return url }
        let start = bytes.index(colon, offsetBy: 3)
        let authority = bytes[start...].prefix { !"/?#\\".utf8.contains($0) }
        // A password may have an @ of its own: the last one ends it.
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return url }
        return String(decoding: bytes[..<start], as: UTF8.self)
            + String(decoding: bytes[bytes.index(after: at)...], as: UTF8.self)
    }
}
