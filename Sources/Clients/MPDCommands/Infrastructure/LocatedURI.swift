import MPDProtocol
import MusicModel
import ServerLoop

enum LocatedURI: Hashable, Sendable {
    /// A song or a directory of the library by its path; empty is the root.
    case relative(String)
    /// A stream, with its fragment.
    case absolute(String)
    /// A file or folder of this machine outside of the library, by its absolute path.
    case outside(String)

    /// The purpose of a command's URI, which decides the schemes that it takes.
    enum Purpose {
        case input
        /// Listing a remote folder; there are none.
        case storage
        case playlist
    }

    static let streamSchemes: [StaticString] = ["http://", "https://"]

    /// Sorts a client's URI into library and elsewhere; throws `AckError` with MPD's texts.
    @ServerActor
    init(_ uri: String, for purpose: Purpose, in context: CommandContext, allowsEmpty: Bool = false) throws(AckError) {
        if Self.isFile(uri) {
            let path = String(uri.dropFirst(7))
            guard path.isAbsolutePath else { throw AckError(.argument, "Malformed file:// URI") }
            self = try Self.located(file: path, for: purpose, in: context)
        } else if uri.isAbsolutePath {
            self = try Self.located(file: uri, for: purpose, in: context)
        } else if purpose == .input, LineInput.isOne(uri), !context.server.facts.lineInputs.isEmpty {
            guard let input = LineInput(uri) else { throw AckError(.argument, "Malformed alsa:// URI") }
            guard context.server.facts.lineInputs.contains(input.device) else {
                throw AckError(.permission, "The device \(input.device.quoted) is not among line_inputs in [playback]")
            }
            self = .absolute(uri)
        } else if purpose == .input, DiscAddress.isOne(uri), !context.server.facts.discDevices.isEmpty {
            self = .absolute(try Self.disc(uri, of: context.server.facts.discDevices).url)
        } else if Self.hasScheme(uri) {
            guard purpose == .playlist || (purpose == .input && Self.isSupportedStream(uri)) else {
                throw AckError(.argument, "Unsupported URI scheme")
            }
            self = .absolute(uri)
        } else {
            guard (allowsEmpty && uri.isEmpty) || uri.isSafePath else { throw AckError(.argument, "Bad relative path") }
            self = .relative(uri)
        }
    }

    /// The drive and the track that an address names, if it is one of these drives.
    private static func disc(_ uri: String, of devices: [String]) throws(AckError) -> DiscAddress {
        guard var disc = DiscAddress(uri) else { throw AckError(.argument, "Malformed cdda:// URI") }
        disc.device = disc.device ?? devices.first
        guard let device = disc.device, devices.contains(device) else {
            throw AckError(.permission, "The drive \((disc.device ?? "").quoted) is not among cd_devices in [playback]")
        }
        return disc
    }

    static func hasScheme(_ uri: String) -> Bool {
        let bytes = uri.utf8
        // Bytes: this is asked of every path, and searching in characters costs more than the answer to most.
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else { return false }
        if bytes[bytes.index(after: colon)...].starts(with: "//".utf8) { return true }
        return uri.contains("://")
    }

    private static func isFile(_ uri: String) -> Bool {
        uri.utf8.first.map { $0 | 0x20 == UInt8(ascii: "f") } ?? false && uri.prefix(7).lowercased() == "file://"
    }

    static func isSupportedStream(_ uri: String) -> Bool {
        streamSchemes.contains { scheme in
            let scheme = "\(scheme)"
            return uri.utf8.count > scheme.utf8.count && uri.prefix(scheme.count).lowercased() == scheme
        }
    }

    /// Sorts a local file that a client on the Unix socket names.
    @ServerActor
    private static func located(
        file path: String, for purpose: Purpose, in context: CommandContext
    ) throws(AckError) -> LocatedURI {
        guard context.client.isLocal else {
            throw AckError(.permission, "Access to local files via TCP is not allowed")
        }
        if let inside = context.server.localFolders.path(ofFile: path) { return .relative(inside) }
        let isRoot = purpose == .storage && path == "/"
        guard isRoot || String(Substring(path.utf8.dropFirst())).isSafePath, !path.utf8.contains(where: { $0 < 0x20 })
        else {
            throw AckError(.noExist, purpose == .playlist ? "No such playlist" : "No such song")
        }
        return .outside(path)
    }
}
