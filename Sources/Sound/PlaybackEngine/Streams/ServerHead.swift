import AudioOutputs
import Coordination
import Foundation

/// The lines before a server's answer, with their bytes as they came: libsoup damages those that are no UTF-8.
struct ServerHead {
    let status: Int
    /// The answer came from another server, to which the first one redirected.
    private(set) var isElsewhere = false
    private let fields: [(name: String, value: [UInt8])]

    init?(_ head: ArraySlice<UInt8>) {
        let lines = head.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
        let words = lines.first.map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        self.status = status
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: 0x3A) else { return nil }
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), Array(value))
        }
    }

    /// The bytes of a field by its name in lower case.
    func field(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

    private func redirection(from url: URLComponents) -> String? {
        guard (300..<400).contains(status), let place = field("location"), let base = url.url else { return nil }
        return URL(string: String(decoding: place, as: UTF8.self), relativeTo: base)?.absoluteString
    }

    /// Asks for what is at a URL and hangs up behind the head of the answer, after all redirections; nil where the URL
    /// names no server, and where a proxy would have to be asked. It waits.
    static func read(_ url: String, milliseconds: Int, hops: Int = 5) throws(ServerReach) -> ServerHead? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host?.trimmingCharacters(in: ["[", "]"]),
            !host.isEmpty, !WebSources.usesProxy(forURL: url)
        else { return nil }
        let head = try ask(parts, host, parts.port ?? (scheme == "https" ? 443 : 80), scheme == "https", milliseconds)
        guard let target = head.redirection(from: parts) else { return head }
        guard hops > 0 else { throw .mute }
        do throws(ServerReach) {
            var found = try read(target, milliseconds: milliseconds, hops: hops - 1)
            found?.isElsewhere = true
            return found ?? head
        } catch { throw ServerReach(reason: error.reason, isElsewhere: true) }
    }

    private static func ask(
        _ url: URLComponents, _ host: String, _ port: Int, _ isSecure: Bool, _ milliseconds: Int
    ) throws(ServerReach) -> ServerHead {
        let connection: TCPConnection
        do throws(OutputProblem) {
            connection = try TCPConnection(host: host, port: port, milliseconds: milliseconds)
        } catch {
            let isKnown = TCPConnection.knows(host)
            throw ServerReach(reason: isKnown ? "its server can't be reached" : "its server is not known")
        }
        do throws(TLSProblem) {
            if isSecure { try connection.encrypt(host: host, port: port) }
        } catch { throw ServerReach(reason: error.message) }
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
        let named = (url.percentEncodedHost ?? "") + (url.port.map { ":\($0)" } ?? "")
        let question = "GET \(path)\(query) HTTP/1.1\r\nHost: \(named)\r\nUser-Agent: segue\r\nConnection: close\r\n"
        do throws(OutputProblem) {
            try connection.send(Array((question + "\r\n").utf8))
            let head = try connection.receiveHead(milliseconds: milliseconds)
            if let head = head.flatMap(ServerHead.init) { return head }
        } catch {}
        throw .mute
    }
}

/// How far one gets with a stream's server, where the web source can only say that it had no answer.
struct ServerReach: Error {
    fileprivate let reason: String
    /// Another server, to which the first one redirects, gives the reason.
    fileprivate var isElsewhere = false
    fileprivate static let mute = ServerReach(reason: "its server doesn't answer")

    var message: String { isElsewhere ? "it is elsewhere now, and there: \(reason)" : reason }
}

extension ServerReach {
    /// Checks how far one gets with the server of a URL, which takes a while; nil for a URL without one.
    init?(_ url: String, milliseconds: Int) {
        do throws(ServerReach) {
            guard let head = try ServerHead.read(url, milliseconds: milliseconds) else { return nil }
            self = .mute
            isElsewhere = head.isElsewhere
        } catch { self = error }
    }
}
