import AudioOutputs
import Coordination
import Foundation

/// The lines before a server's answer, with their bytes as they came: libsoup puts replacement characters into those
/// that are no UTF-8.
///
/// - Isolation: any thread, which waits.
struct ServerHead {
    /// The status, such as 200.
    let status: Int
    private let fields: [(name: String, value: [UInt8])]

    private static let largest = 16_384

    /// Asks for what is at a URL, and hangs up behind the head of the answer; nil without one in time.
    init?(of url: URLComponents, over connection: TCPConnection, milliseconds: Int) {
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
        let port = url.port.map { ":\($0)" } ?? ""
        let question =
            "GET \(path)\(query) HTTP/1.1\r\nHost: \(url.percentEncodedHost ?? "")\(port)\r\nUser-Agent: segue\r\n"
            + "Connection: close\r\n\r\n"
        let deadline = Monotonic.now + .milliseconds(milliseconds)
        guard (try? connection.send(Array(question.utf8))) != nil else { return nil }
        var bytes: [UInt8] = []
        while Monotonic.now < deadline, bytes.count < Self.largest {
            guard let piece = try? connection.receive(milliseconds: 100) else { return nil }
            bytes += piece
            guard let head = Self.head(bytes) else { continue }
            self.init(head)
            return
        }
        return nil
    }

    /// Takes lines apart.
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

    private static func head(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let end = bytes.indices.first { place in
            bytes[place] == 0x0A
                && (bytes[(place + 1)...].starts(with: [0x0D, 0x0A]) || bytes[(place + 1)...].starts(with: [0x0A]))
        }
        return end.map { bytes[..<$0] }
    }

    /// The bytes of a field by its name in lower case.
    func field(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

    /// Where the answer redirects to.
    func redirection(from url: URLComponents) -> String? {
        guard (300..<400).contains(status), let place = field("location"), let base = url.url else { return nil }
        return URL(string: String(decoding: place, as: UTF8.self), relativeTo: base)?.absoluteString
    }

    /// The head of the answer for a URL of the web, after all redirections; nil where one doesn't get so far, and where
    /// a proxy would have to be asked.
    static func read(_ url: String, milliseconds: Int, hops: Int = 5) -> ServerHead? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host?.trimmingCharacters(in: ["[", "]"]),
            !host.isEmpty, !WebSources.usesProxy(forURL: url)
        else { return nil }
        let port = parts.port ?? (scheme == "https" ? 443 : 80)
        guard let connection = try? TCPConnection(host: host, port: port, milliseconds: milliseconds),
            scheme == "http" || (try? connection.encrypt(host: host, port: port)) != nil,
            let head = ServerHead(of: parts, over: connection, milliseconds: milliseconds)
        else { return nil }
        guard let target = head.redirection(from: parts) else { return head }
        return hops > 0 ? read(target, milliseconds: milliseconds, hops: hops - 1) : nil
    }
}
